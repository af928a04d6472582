// Reads, writes and atomics of texels.
#include "eu/messages/image.hpp"

#include <bit>
#include <cstring>

#include "eu/arithmetic/nearest_rounding.hpp"
#include "eu/messages/image_access.hpp"
#include "eu/messages/parameters.hpp"

namespace xesim::eu {
namespace {

constexpr unsigned kMostCoordinates = 4;  // u, v, r and the level of detail

using LanePositions = std::array<TexelPosition, kMaxLanes>;
using LaneTexels = std::array<Texel, kMaxLanes>;

MessageResult fault_of(const ImageAccess& image) {
  return {.outcome = MessageOutcome::PageFault, .fault = image.fault(), .report = {}};
}

void write_component(const MessageContext& context, const ImageMessage& message, unsigned block,
                     unsigned slot, std::uint32_t value) {
  const unsigned registers =
      registers_for(context.platform, message.slots * sizeof(std::uint32_t));
  std::memcpy(context.response() + std::size_t{block} * registers * grf_bytes(context.platform) +
                  slot * sizeof value,
              &value, sizeof value);
}

MessageResult read_image(const MessageContext& context, const ImageMessage& message,
                         const ImageSurface& surface, std::uint32_t slots,
                         const LanePositions& positions) {
  ImageAccess image(context, surface);
  LaneTexels texels;
  for_each_slot(slots, [&](unsigned slot) {
    texels[slot] = select_channels(
        surface, image.read(positions[slot], context.instruction.channel_offset + slot));
  });
  if (image.fault().present) {
    return fault_of(image);
  }
  for_each_slot(slots, [&](unsigned slot) {
    unsigned block = 0;
    for (unsigned channel = 0; channel < texels[slot].size(); ++channel) {
      if ((message.component_mask >> channel & 1) != 0) {
        write_component(context, message, block++, slot, texels[slot][channel]);
      }
    }
  });
  return {};
}

MessageResult write_image(const MessageContext& context, const ImageMessage& message,
                          const ImageSurface& surface, std::uint32_t slots,
                          const LanePositions& positions, const MessageParameters& parameters,
                          unsigned first_data) {
  ImageAccess image(context, surface);
  bool writable = true;
  for_each_slot(slots, [&](unsigned slot) { writable = writable && image.writable(positions[slot]); });
  if (!writable) {
    return fault_of(image);
  }
  for_each_slot(slots, [&](unsigned slot) {
    Texel texel{};
    unsigned parameter = first_data;
    for (unsigned channel = 0; channel < texel.size(); ++channel) {
      if ((message.component_mask >> channel & 1) != 0) {
        texel[channel] = parameters.value(parameter++, slot);
      }
    }
    image.write(positions[slot], unselect_channels(surface, texel),
                context.instruction.channel_offset + slot);
  });
  return {};
}

MessageResult update_image(const MessageContext& context, const ImageMessage& message,
                           const ImageSurface& surface, std::uint32_t slots,
                           const LanePositions& positions, const MessageParameters& parameters,
                           unsigned first_data) {
  if (surface.format->bytes != sizeof(std::uint32_t) || surface.format->channels[0].width != 32) {
    return unsupported(context.send, "atomic on an image whose texels are not one 32-bit value");
  }
  ImageAccess image(context, surface);
  std::array<std::byte*, kMaxLanes> hosts{};
  const char* problem = nullptr;
  for_each_slot(slots, [&](unsigned slot) {
    if (image.inside(positions[slot]) && image.writable(positions[slot])) {
      hosts[slot] = image.lockable(positions[slot]);
      problem = hosts[slot] == nullptr ? "atomic in memory that the host cannot lock" : problem;
    }
  });
  if (image.fault().present) {
    return fault_of(image);
  }
  if (problem != nullptr) {
    return unsupported(context.send, problem);
  }
  const unsigned operands = operand_count(message.atomic);
  for_each_slot(slots, [&](unsigned slot) {
    std::uint32_t result = 0;  // beyond the image nothing happens
    if (hosts[slot] != nullptr) {
      image.notify_atomic(positions[slot], context.instruction.channel_offset + slot);
      result = update_dword(message.atomic, hosts[slot],
                            operands >= 1 ? parameters.value(first_data, slot) : 0,
                            operands == 2 ? parameters.value(first_data + 1, slot) : 0);
    }
    if (context.send.response_length() != 0) {
      write_component(context, message, 0, slot, result);
    }
  });
  return {};
}

unsigned data_parameters(const ImageMessage& message) {
  switch (message.operation) {
    case ImageOperation::Write:
      return static_cast<unsigned>(std::popcount(message.component_mask));
    case ImageOperation::Atomic:
      return operand_count(message.atomic);
    default:
      return 0;
  }
}

unsigned response_parameters(const MessageContext& context, const ImageMessage& message) {
  switch (message.operation) {
    case ImageOperation::Read:
      return static_cast<unsigned>(std::popcount(message.component_mask));
    case ImageOperation::Atomic:
      return context.send.response_length() != 0 ? 1 : 0;
    default:
      return 0;
  }
}

}  // namespace

MessageResult execute_image_message(const MessageContext& context) {
  const ImageMessage message = decode_image_message(context.platform, context.send);
  if (message.unsupported != nullptr) {
    return unsupported(context.send, message.unsupported);
  }
  const ImageSurface surface = context.environment.image_surface(message.surface);
  if (surface.unsupported != nullptr) {
    return unsupported(context.send, surface.unsupported);
  }
  if (message.operation == ImageOperation::BlockRead ||
      message.operation == ImageOperation::BlockWrite) {
    return execute_block_message(context, message, surface);
  }
  MessageParameters parameters(context, message.slots);
  if (message.has_header) {
    parameters.skip_header();
  }
  const unsigned data = data_parameters(message);
  if (parameters.count() < 1 + data || parameters.count() > kMostCoordinates + data) {
    return unsupported(context.send, "payload that is not coordinates and data");
  }
  if (response_parameters(context, message) * parameters.block_registers() >
      context.send.response_length()) {
    return unsupported(context.send, "register payload shorter than its data");
  }
  const unsigned coordinates = parameters.count() - data;
  const std::uint32_t slots =
      message.slots >= kMaxLanes ? context.slots : context.slots & ((1u << message.slots) - 1);
  LanePositions positions;
  for_each_slot(slots, [&](unsigned slot) {
    positions[slot] = texel_position(surface, parameters.coordinates(0, coordinates, slot));
  });
  const NearestRounding nearest;
  switch (message.operation) {
    case ImageOperation::Write:
      return write_image(context, message, surface, slots, positions, parameters, coordinates);
    case ImageOperation::Atomic:
      return update_image(context, message, surface, slots, positions, parameters, coordinates);
    default:
      return read_image(context, message, surface, slots, positions);
  }
}

}  // namespace xesim::eu
