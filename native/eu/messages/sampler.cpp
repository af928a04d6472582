#include "eu/messages/sampler.hpp"

#include <bit>
#include <cstring>

#include "eu/arithmetic/narrow_float.hpp"
#include "eu/arithmetic/nearest_rounding.hpp"
#include "eu/messages/image_access.hpp"
#include "eu/messages/parameters.hpp"
#include "eu/messages/sampler_encoding.hpp"
#include "eu/messages/sampler_filter.hpp"

namespace xesim::eu {
namespace {

using sampler::Operation;
using sampler::Parameter;

// Lanes of the message; 0 for modes that have no lanes of 32-bit parameters.
unsigned lanes_of(Platform platform, const SendDescriptors& send) {
  const std::uint32_t mode = sampler::kSimdMode.of(send.descriptor);
  if (sampler::kSimdModeHigh.of(send.descriptor) != 0 || mode == 0 || mode == 3) {
    return 0;
  }
  const unsigned narrow = native_lanes(platform);
  return mode == 1 ? narrow : 2 * narrow;
}

// One message under way.
class SamplerMessage {
 public:
  explicit SamplerMessage(const MessageContext& context)
      : context_(context),
        entry_(sampler::kMessages[sampler::kType.of(context.send.descriptor)]),
        lanes_(lanes_of(context.platform, context.send)),
        has_header_(sampler::kHeaderPresent.of(context.send.descriptor) != 0),
        half_(sampler::kHalfResponse.of(context.send.descriptor) != 0),
        parameters_(context, lanes_ == 0 ? 8 : lanes_) {
    if (has_header_) {
      parameters_.skip_header();
    }
  }

  MessageResult run() {
    if (entry_.operation == Operation::Flush) {
      std::memset(context_.response(), 0,
                  std::size_t{context_.send.response_length()} * grf_bytes(context_.platform));
      return {};
    }
    if (entry_.operation == Operation::Unsupported) {
      return unsupported(context_.send, "sampler message not implemented");
    }
    if (lanes_ == 0) {
      return unsupported(context_.send, "SIMD mode not implemented");
    }
    if (has_header_ && context_.send.source0_length() == 0) {
      return unsupported(context_.send, "header missing");
    }
    if (has_header_ && sampler::kTexelOffsets.of(header(sampler::kHeaderControl)) != 0) {
      return unsupported(context_.send, "texel offsets not implemented");
    }
    surface_ = context_.environment.image_surface(surface_reference());
    if (surface_.unsupported != nullptr) {
      return unsupported(context_.send, surface_.unsupported);
    }
    if (entry_.operation == Operation::Sample) {
      sampler_ = context_.environment.sampler(sampler_reference());
      if (sampler_.unsupported != nullptr) {
        return unsupported(context_.send, sampler_.unsupported);
      }
    }
    return answer();
  }

 private:
  [[nodiscard]] std::uint32_t header(unsigned dword) const {
    std::uint32_t value = 0;
    std::memcpy(&value, context_.source0() + dword * sizeof value, sizeof value);
    return value;
  }

  [[nodiscard]] StateReference surface_reference() const {
    const std::uint32_t index = sampler::kBindingTableIndex.of(context_.send.descriptor);
    if (index == sampler::kBindless) {
      return {.bindless = true, .position = context_.send.extended & sampler::kBindlessMask};
    }
    return {.bindless = false, .position = index};
  }

  [[nodiscard]] StateReference sampler_reference() const {
    const std::uint32_t index = sampler::kSamplerIndex.of(context_.send.descriptor);
    if (has_header_ && (header(sampler::kHeaderSampler) & sampler::kBindlessSampler) != 0) {
      return {.bindless = true,
              .position = (header(sampler::kHeaderSampler) & sampler::kSamplerStateMask) +
                          index * sampler::kSamplerStateBytes};
    }
    return {.bindless = false, .position = index};
  }

  [[nodiscard]] unsigned parameter_of(Parameter wanted) const {
    for (unsigned i = 0; i < entry_.parameters.size(); ++i) {
      if (entry_.parameters[i] == wanted) {
        return i;
      }
    }
    return static_cast<unsigned>(entry_.parameters.size());
  }

  [[nodiscard]] std::array<std::uint32_t, 3> coordinates(unsigned slot) const {
    return {parameters_.value(parameter_of(Parameter::U), slot),
            parameters_.value(parameter_of(Parameter::V), slot),
            parameters_.value(parameter_of(Parameter::R), slot)};
  }

  // What D3D calls resinfo: the extent, with the elements of an array after it.
  [[nodiscard]] Texel information() const {
    Texel extent{surface_.width, 0, 0, 1};
    const std::uint32_t elements = surface_.is_array ? surface_.depth : 0;
    switch (surface_.shape) {
      case ImageShape::Buffer:
        break;
      case ImageShape::Line:
        extent[1] = elements;
        break;
      case ImageShape::Plane:
        extent[1] = surface_.height;
        extent[2] = elements;
        break;
      case ImageShape::Volume:
        extent[1] = surface_.height;
        extent[2] = surface_.depth;
        break;
    }
    return extent;
  }

  Texel colour(ImageAccess& image, unsigned slot) const {
    const unsigned lane = context_.instruction.channel_offset + slot;
    const auto bits = coordinates(slot);
    switch (entry_.operation) {
      case Operation::Sample:
        return select_channels(surface_,
                               sample(image, surface_, sampler_,
                                      {std::bit_cast<float>(bits[0]), std::bit_cast<float>(bits[1]),
                                       std::bit_cast<float>(bits[2])},
                                      lane));
      case Operation::Load:
        return select_channels(
            surface_, image.read(texel_position(surface_, {static_cast<std::int32_t>(bits[0]),
                                                           static_cast<std::int32_t>(bits[1]),
                                                           static_cast<std::int32_t>(bits[2])}),
                                 lane));
      default:
        return information();
    }
  }

  MessageResult answer() const {
    const std::uint32_t slots =
        lanes_ >= kMaxLanes ? context_.slots : context_.slots & ((1u << lanes_) - 1);
    const NearestRounding nearest;
    ImageAccess image(context_, surface_);
    std::array<Texel, kMaxLanes> colours;
    for_each_slot(slots, [&](unsigned slot) { colours[slot] = colour(image, slot); });
    if (image.fault().present) {
      return {.outcome = MessageOutcome::PageFault, .fault = image.fault(), .report = {}};
    }
    const std::uint32_t disabled =
        has_header_ ? sampler::kDisabledChannels.of(header(sampler::kHeaderControl)) : 0;
    const unsigned size = half_ ? 2 : 4;
    const unsigned block = registers_for(context_.platform, lanes_ * size);
    unsigned position = 0;  // GRFs; a shorter response leaves the last channels out
    for (unsigned channel = 0;
         channel < 4 && position + block <= context_.send.response_length(); ++channel) {
      if ((disabled >> channel & 1) != 0) {
        continue;
      }
      std::byte* target = context_.response() + std::size_t{position} * grf_bytes(context_.platform);
      for_each_slot(slots, [&](unsigned slot) {
        const std::uint32_t value = half_ ? narrowed(colours[slot][channel]) : colours[slot][channel];
        std::memcpy(target + slot * size, &value, size);
      });
      position += block;
    }
    return {};
  }

  [[nodiscard]] std::uint32_t narrowed(std::uint32_t value) const {
    const bool is_number =
        entry_.operation == Operation::Information || surface_.format->is_integer();
    return is_number ? value : double_to_half(std::bit_cast<float>(value)).bits;
  }

  const MessageContext& context_;
  const sampler::Message& entry_;
  unsigned lanes_;
  bool has_header_;
  bool half_;
  MessageParameters parameters_;
  ImageSurface surface_;
  Sampler sampler_;
};

}  // namespace

MessageResult execute_sampler_message(const MessageContext& context) {
  return SamplerMessage(context).run();
}

std::string sampler_message_name(const SendDescriptors& send) {
  const sampler::Message& entry = sampler::kMessages[sampler::kType.of(send.descriptor)];
  const std::string name =
      entry.name != nullptr ? entry.name
                            : "type " + std::to_string(sampler::kType.of(send.descriptor));
  return "smpl " + name + (sampler::kHalfResponse.of(send.descriptor) != 0 ? " 16b" : "") +
         " with sampler " + std::to_string(sampler::kSamplerIndex.of(send.descriptor));
}

}  // namespace xesim::eu
