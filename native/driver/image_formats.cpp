#include "driver/image_formats.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace xesim::driver {

namespace {

using device::ImageDescription;
using eu::ChannelSelect;

// Surface format codes (eu/images/image_format.hpp) and cl_channel_type of a layout, in the order of
// ze_image_format_type_t: uint, sint, unorm, snorm, float; 0 where there is none. Code 0 is that
// of four floats, so what decides is the channel type.
struct Layout {
  ze_image_format_layout_t layout;
  std::uint32_t components;
  std::array<std::uint16_t, 5> codes;
  std::array<std::uint16_t, 5> channel_types;
};

constexpr std::array<std::uint16_t, 5> kBytes{0x10DA, 0x10D7, 0x10D2, 0x10D0, 0};
constexpr std::array<std::uint16_t, 5> kWords{0x10DB, 0x10D8, 0x10D3, 0x10D1, 0x10DD};
constexpr std::array<std::uint16_t, 5> kDwords{0x10DC, 0x10D9, 0, 0, 0x10DE};
constexpr std::uint16_t kUnormShort565 = 0x10D4;
constexpr std::uint16_t kUnormShort555 = 0x10D5;
constexpr std::uint16_t kUnormInt101010Two = 0x10E0;
constexpr std::uint16_t kUnsignedInt32 = 0x10DC;
constexpr std::uint16_t kFloat = 0x10DE;

constexpr Layout kLayouts[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_8, 1, {0x143, 0x142, 0x140, 0x141, 0}, kBytes},
    {ZE_IMAGE_FORMAT_LAYOUT_16, 1, {0x10D, 0x10C, 0x10A, 0x10B, 0x10E}, kWords},
    {ZE_IMAGE_FORMAT_LAYOUT_32, 1, {0x0D7, 0x0D6, 0, 0, 0x0D8}, kDwords},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, {0x109, 0x108, 0x106, 0x107, 0}, kBytes},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, {0x0CB, 0x0CA, 0x0C7, 0x0C9, 0}, kBytes},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16, 2, {0x0CF, 0x0CE, 0x0CC, 0x0CD, 0x0D0}, kWords},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 4, {0x083, 0x082, 0x080, 0x081, 0x084}, kWords},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, 2, {0x087, 0x086, 0, 0, 0x085}, kDwords},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 4, {0x002, 0x001, 0, 0, 0x000}, kDwords},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, 4, {0x0C4, 0, 0x0C2, 0, 0},
     {kUnsignedInt32, 0, kUnormInt101010Two, 0, 0}},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, 3, {0, 0, 0, 0, 0x0D3}, {0, 0, 0, 0, kFloat}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, 3, {0, 0, 0x100, 0, 0}, {0, 0, kUnormShort565, 0, 0}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, 4, {0, 0, 0x102, 0, 0}, {0, 0, kUnormShort555, 0, 0}},
    // OpenCL has no name for this one.
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, 4, {0, 0, 0x104, 0, 0}, {0, 0, kUnormShort555, 0, 0}},
};

using Swizzle = std::array<ze_image_format_swizzle_t, 4>;
constexpr auto kRed = ZE_IMAGE_FORMAT_SWIZZLE_R;
constexpr auto kGreen = ZE_IMAGE_FORMAT_SWIZZLE_G;
constexpr auto kBlue = ZE_IMAGE_FORMAT_SWIZZLE_B;
constexpr auto kAlpha = ZE_IMAGE_FORMAT_SWIZZLE_A;
constexpr auto kZero = ZE_IMAGE_FORMAT_SWIZZLE_0;
constexpr auto kOne = ZE_IMAGE_FORMAT_SWIZZLE_1;
constexpr auto kAny = ZE_IMAGE_FORMAT_SWIZZLE_X;

// cl_channel_order by what the channels are; the first that matches counts.
struct Order {
  Swizzle swizzle;
  std::uint32_t channel_order;
};
constexpr Order kOrders[] = {
    {{kRed, kGreen, kBlue, kAlpha}, 0x10B5},  // RGBA
    {{kBlue, kGreen, kRed, kAlpha}, 0x10B6},  // BGRA
    {{kAlpha, kRed, kGreen, kBlue}, 0x10B7},  // ARGB
    {{kAlpha, kBlue, kGreen, kRed}, 0x10C3},  // ABGR
    {{kRed, kRed, kRed, kRed}, 0x10B8},       // INTENSITY
    {{kRed, kRed, kRed, kOne}, 0x10B9},       // LUMINANCE
    {{kZero, kZero, kZero, kRed}, 0x10B1},    // A, of a format whose only component is red
    {{kZero, kZero, kZero, kAlpha}, 0x10B1},  // A
    {{kRed, kZero, kZero, kGreen}, 0x10B3},   // RA, of a format of two components
    {{kRed, kZero, kZero, kAlpha}, 0x10B3},   // RA
    {{kRed, kZero, kZero, kOne}, 0x10B0},     // R
    {{kRed, kGreen, kZero, kOne}, 0x10B2},    // RG
    {{kRed, kGreen, kBlue, kOne}, 0x10B4},    // RGB
};
constexpr std::uint32_t kOrdersOfComponents[] = {0x10B0, 0x10B2, 0x10B4, 0x10B5};

bool matches(const Swizzle& wanted, const Swizzle& given) {
  return std::ranges::equal(wanted, given, [](auto one, auto other) {
    return one == other || other == kAny;
  });
}

std::optional<ChannelSelect> select_of(ze_image_format_swizzle_t swizzle) {
  switch (swizzle) {
    case kRed: return ChannelSelect::Red;
    case kGreen: return ChannelSelect::Green;
    case kBlue: return ChannelSelect::Blue;
    case kAlpha: return ChannelSelect::Alpha;
    case kOne: return ChannelSelect::One;
    case kZero:
    case kAny: return ChannelSelect::Zero;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<ImageDescription> describe_format(const ze_image_format_t& format) {
  const auto* layout = std::ranges::find(kLayouts, format.layout, &Layout::layout);
  const auto type = static_cast<std::size_t>(format.type);
  if (layout == std::end(kLayouts) || type >= layout->codes.size() ||
      layout->channel_types[type] == 0) {
    return std::nullopt;
  }
  ImageDescription description;
  description.format = eu::find_image_format(layout->codes[type]);
  description.channel_data_type = layout->channel_types[type];
  const Swizzle swizzle{format.x, format.y, format.z, format.w};
  for (std::size_t i = 0; i < swizzle.size(); ++i) {
    const auto select = select_of(swizzle[i]);
    if (!select) {
      return std::nullopt;
    }
    description.select[i] = *select;
  }
  const auto* order = std::ranges::find_if(
      kOrders, [&](const Order& each) { return matches(each.swizzle, swizzle); });
  description.channel_order = order != std::end(kOrders)
                                  ? order->channel_order
                                  : kOrdersOfComponents[layout->components - 1];
  return description;
}

}  // namespace xesim::driver
