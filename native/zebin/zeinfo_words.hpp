// The words of .ze_info whose choice the specification fixes, as tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zebin/kernel.hpp"

namespace xesim::zebin {

// A word and what it stands for.
template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

inline constexpr Named<ArgumentType> kArgumentTypes[] = {
    {"arg_bypointer", ArgumentType::ByPointer},
    {"arg_byvalue", ArgumentType::ByValue},
    {"buffer_offset", ArgumentType::BufferOffset},
    {"buffer_address", ArgumentType::BufferAddress},
    {"buffer_size", ArgumentType::BufferSize},
    {"global_id_offset", ArgumentType::GlobalIdOffset},
    {"global_size", ArgumentType::GlobalSize},
    {"local_size", ArgumentType::LocalSize},
    {"enqueued_local_size", ArgumentType::EnqueuedLocalSize},
    {"group_count", ArgumentType::GroupCount},
    {"work_dimensions", ArgumentType::WorkDimensions},
    {"private_base_stateless", ArgumentType::PrivateBase},
    {"printf_buffer", ArgumentType::PrintfBuffer},
    {"const_base", ArgumentType::ConstantBase},
    {"global_base", ArgumentType::GlobalBase},
    {"sync_buffer", ArgumentType::SyncBuffer},
    {"assert_buffer", ArgumentType::AssertBuffer},
    {"implicit_arg_buffer", ArgumentType::ImplicitArgBuffer},
    {"indirect_data_pointer", ArgumentType::IndirectDataPointer},
    {"scratch_pointer", ArgumentType::ScratchPointer},
    {"image_width", ArgumentType::ImageWidth},
    {"image_height", ArgumentType::ImageHeight},
    {"image_depth", ArgumentType::ImageDepth},
    {"image_array_size", ArgumentType::ImageArraySize},
    {"image_num_mip_levels", ArgumentType::ImageMipLevels},
    {"image_num_samples", ArgumentType::ImageSamples},
    {"image_channel_data_type", ArgumentType::ImageChannelDataType},
    {"image_channel_order", ArgumentType::ImageChannelOrder},
    {"image_srgb_channel_order", ArgumentType::ImageSrgbChannelOrder},
    {"sampler_address", ArgumentType::SamplerAddress},
    {"sampler_normalized", ArgumentType::SamplerNormalized},
    {"sampler_snap_wa", ArgumentType::SamplerSnap},
    {"inline_sampler", ArgumentType::InlineSampler},
};

inline constexpr Named<AddressMode> kAddressModes[] = {
    {"stateless", AddressMode::Stateless},
    {"stateful", AddressMode::Stateful},
    {"bindless", AddressMode::Bindless},
    {"slm", AddressMode::Slm},
};

inline constexpr Named<AddressSpace> kAddressSpaces[] = {
    {"global", AddressSpace::Global},
    {"local", AddressSpace::Local},
    {"constant", AddressSpace::Constant},
    {"image", AddressSpace::Image},
    {"sampler", AddressSpace::Sampler},
};

inline constexpr Named<SamplerAddressMode> kSamplerAddressModes[] = {
    {"none", SamplerAddressMode::None},
    {"repeat", SamplerAddressMode::Repeat},
    {"clamp_edge", SamplerAddressMode::ClampEdge},
    {"clamp_border", SamplerAddressMode::ClampBorder},
    {"mirror", SamplerAddressMode::Mirror},
};

enum class Filter : std::uint8_t { Nearest, Linear };
inline constexpr Named<Filter> kFilters[] = {{"nearest", Filter::Nearest}, {"linear", Filter::Linear}};

// The value that `name` stands for in `table`.
template <typename Value>
std::optional<Value> look_up(std::span<const Named<Value>> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Named<Value>::name);
  return found == table.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace xesim::zebin
