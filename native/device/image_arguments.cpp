#include "device/image_arguments.hpp"

namespace xesim::device {

namespace {

using zebin::ArgumentType;

// Values that compilers compare sampler arguments with (compute-runtime, sampler patch values).
constexpr std::uint32_t kNormalizedTrue = 8;
constexpr std::uint32_t kSnap = 0xFFFFFFFFu;

std::uint32_t address_value(SamplerAddress address) {
  switch (address) {
    case SamplerAddress::Clamp: return 1;
    case SamplerAddress::ClampToEdge: return 2;
    case SamplerAddress::Repeat: return 3;
    case SamplerAddress::MirroredRepeat: return 4;
    case SamplerAddress::None: break;
  }
  return 0;
}

SamplerAddress address_of(zebin::SamplerAddressMode mode) {
  switch (mode) {
    case zebin::SamplerAddressMode::Repeat: return SamplerAddress::Repeat;
    case zebin::SamplerAddressMode::ClampEdge: return SamplerAddress::ClampToEdge;
    case zebin::SamplerAddressMode::ClampBorder: return SamplerAddress::Clamp;
    case zebin::SamplerAddressMode::Mirror: return SamplerAddress::MirroredRepeat;
    case zebin::SamplerAddressMode::None: break;
  }
  return SamplerAddress::None;
}

}  // namespace

std::optional<std::uint32_t> image_query(ArgumentType query, const ImageDescription& image) {
  switch (query) {
    case ArgumentType::ImageWidth: return image.width;
    case ArgumentType::ImageHeight: return image.height;
    case ArgumentType::ImageDepth: return image.is_array ? 0 : image.depth;
    case ArgumentType::ImageArraySize: return image.is_array ? image.depth : 0;
    case ArgumentType::ImageMipLevels:
    case ArgumentType::ImageSamples:
    case ArgumentType::ImageSrgbChannelOrder: return 0;
    case ArgumentType::ImageChannelDataType: return image.channel_data_type;
    case ArgumentType::ImageChannelOrder: return image.channel_order;
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> sampler_query(ArgumentType query, const SamplerDescription& sampler) {
  switch (query) {
    case ArgumentType::SamplerAddress: return address_value(sampler.address);
    case ArgumentType::SamplerNormalized: return sampler.normalized ? kNormalizedTrue : 0;
    case ArgumentType::SamplerSnap: return sampler.needs_snapping() ? kSnap : 0;
    default: return std::nullopt;
  }
}

SamplerDescription inline_sampler(const zebin::InlineSampler& sampler) {
  return {.address = address_of(sampler.address),
          .linear = sampler.is_linear,
          .normalized = sampler.is_normalized};
}

void SamplerTable::set(std::uint32_t index, const SamplerDescription& sampler) {
  if (states_.size() <= index) {
    states_.resize(index + 1);
  }
  states_[index] = sampler_state(sampler);
}

}  // namespace xesim::device
