// Images and samplers as arguments of test programs.
//
//   image:SHAPE:EXTENT:CODE:SELECT:TYPE:ORDER:FILE
//     SHAPE    1d, 1d_array, 1d_buffer, 2d, 2d_array or 3d
//     EXTENT   WxHxD; the elements of an array are D
//     CODE     SURFACE_FORMAT, hexadecimal
//     SELECT   what red, green, blue and alpha are: four of r, g, b, a, 0 and 1
//     TYPE     cl_channel_type and ORDER cl_channel_order, hexadecimal
//     FILE     its texels, without gaps; written back after the launch
//   sampler:ADDRESS:FILTER:COORDINATES
//     ADDRESS  none, clamp, edge, repeat or mirror; FILTER nearest or linear;
//     COORDINATES normalized or texels
#pragma once

#include <charconv>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/image_state.hpp"
#include "device/sampler_state.hpp"

namespace xesim::device::test {

struct ImageArgument {
  ImageDescription description;
  std::string path;
};

// The pieces of `text` between colons, `count` of them; the last one may contain more.
inline std::vector<std::string> split_fields(const std::string& text, std::size_t count,
                                             char separator = ':') {
  std::vector<std::string> fields;
  std::size_t from = 0;
  while (fields.size() + 1 < count && text.find(separator, from) != std::string::npos) {
    const std::size_t to = text.find(separator, from);
    fields.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  fields.push_back(text.substr(from));
  if (fields.size() != count) {
    throw std::runtime_error("too few fields: " + text);
  }
  return fields;
}

inline std::uint32_t parse_number(const std::string& text, int base) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::runtime_error("not a number: " + text);
  }
  return value;
}

template <typename Value>
Value parse_name(const std::map<std::string, Value>& names, const std::string& name) {
  const auto found = names.find(name);
  if (found == names.end()) {
    throw std::runtime_error("unknown: " + name);
  }
  return found->second;
}

// Without memory: `base` is 0.
inline ImageArgument parse_image(const std::string& text) {
  using eu::ChannelSelect;
  using eu::ImageShape;
  struct Shape {
    ImageShape shape;
    bool is_array;
  };
  static const std::map<std::string, Shape> shapes{
      {"1d", {ImageShape::Line, false}},   {"1d_array", {ImageShape::Line, true}},
      {"2d", {ImageShape::Plane, false}},  {"2d_array", {ImageShape::Plane, true}},
      {"3d", {ImageShape::Volume, false}}, {"1d_buffer", {ImageShape::Buffer, false}}};
  static const std::map<std::string, ChannelSelect> selects{
      {"r", ChannelSelect::Red},   {"g", ChannelSelect::Green}, {"b", ChannelSelect::Blue},
      {"a", ChannelSelect::Alpha}, {"0", ChannelSelect::Zero},  {"1", ChannelSelect::One}};
  const auto fields = split_fields(text, 8);
  const Shape shape = parse_name(shapes, fields[1]);
  const auto extent = split_fields(fields[2], 3, 'x');
  ImageDescription image;
  image.shape = shape.shape;
  image.is_array = shape.is_array;
  image.width = parse_number(extent[0], 10);
  image.height = parse_number(extent[1], 10);
  image.depth = parse_number(extent[2], 10);
  image.format = eu::find_image_format(parse_number(fields[3], 16));
  if (image.format == nullptr) {
    throw std::runtime_error("no such format: " + fields[3]);
  }
  for (std::size_t i = 0; i < image.select.size(); ++i) {
    image.select[i] = parse_name(selects, fields[4].substr(i, 1));
  }
  image.channel_data_type = parse_number(fields[5], 16);
  image.channel_order = parse_number(fields[6], 16);
  return {image, fields[7]};
}

inline SamplerDescription parse_sampler(const std::string& text) {
  static const std::map<std::string, SamplerAddress> addresses{
      {"none", SamplerAddress::None},
      {"clamp", SamplerAddress::Clamp},
      {"edge", SamplerAddress::ClampToEdge},
      {"repeat", SamplerAddress::Repeat},
      {"mirror", SamplerAddress::MirroredRepeat}};
  static const std::map<std::string, bool> filters{{"nearest", false}, {"linear", true}};
  static const std::map<std::string, bool> coordinates{{"texels", false}, {"normalized", true}};
  const auto fields = split_fields(text, 4);
  return {.address = parse_name(addresses, fields[1]),
          .linear = parse_name(filters, fields[2]),
          .normalized = parse_name(coordinates, fields[3])};
}

// Bytes of all texels without gaps, as a file has them.
inline std::size_t packed_size(const ImageDescription& image) {
  return std::size_t{image.width} * image.height * image.depth * image.format->bytes;
}

// Calls `copy(row in the image, row in the file, bytes)` for every row of texels.
template <typename Copy>
void for_each_row(const ImageDescription& image, std::byte* file, Copy copy) {
  const std::size_t bytes = std::size_t{image.width} * image.format->bytes;
  for (std::uint32_t z = 0; z < image.depth; ++z) {
    for (std::uint32_t y = 0; y < image.height; ++y, file += bytes) {
      copy(reinterpret_cast<std::byte*>(image.base + z * image.slice_pitch() +
                                        std::uint64_t{y} * image.row_pitch()),
           file, bytes);
    }
  }
}

}  // namespace xesim::device::test
