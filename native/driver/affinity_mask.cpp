#include "driver/affinity_mask.hpp"

#include <algorithm>
#include <charconv>

namespace xesim::driver {

namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

}  // namespace

AffinityMask AffinityMask::parse(std::string_view text, std::span<const std::uint32_t> tiles,
                                 bool flat) {
  AffinityMask mask;
  if (text.empty()) {
    return mask;
  }
  auto& shown = mask.shown_.emplace();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view entry = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t dot = entry.find('.');
    const auto first = number(entry.substr(0, dot));
    const auto second =
        dot == std::string_view::npos ? std::nullopt : number(entry.substr(dot + 1));
    if (!first || (dot != std::string_view::npos && !second)) {
      continue;
    }
    std::uint32_t listed = 0;  // devices before, where tiles are listed
    for (std::uint32_t root = 0; root < tiles.size(); ++root) {
      for (std::uint32_t tile = 0; tile < tiles[root]; ++tile, ++listed) {
        const bool is_meant = flat ? *first == listed && !second
                                   : *first == root && (!second || *second == tile);
        if (is_meant) shown.emplace(root, tile);
      }
    }
  }
  return mask;
}

}  // namespace xesim::driver
