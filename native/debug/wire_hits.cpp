#include "debug/wire_hits.hpp"

#include <cstddef>

#include "debug/register_access.hpp"

namespace xesim::debug {

namespace {

// The spaces of xesim_debug_range_t.
enum class WireSpace : std::uint32_t { Instruction, Global, Local, Grf, Register };

}  // namespace

std::optional<time::Range> range_of(eu::Platform platform, const wire::FindRange& range) {
  switch (static_cast<WireSpace>(range.space)) {
    case WireSpace::Instruction: return time::Range{time::Space::Instruction, range.begin, range.end};
    case WireSpace::Global: return time::Range{time::Space::Global, range.begin, range.end};
    case WireSpace::Local: return time::Range{time::Space::Local, range.begin, range.end};
    case WireSpace::Grf:
    case WireSpace::Register: break;
  }
  if (range.space > static_cast<std::uint32_t>(WireSpace::Register)) return std::nullopt;
  const bool grf = static_cast<WireSpace>(range.space) == WireSpace::Grf;
  const auto type = grf ? static_cast<std::uint32_t>(RegisterType::Grf)
                        : static_cast<std::uint32_t>(range.begin >> 32);
  const std::uint64_t begin = grf ? range.begin : range.begin & UINT32_MAX;
  const std::uint64_t end = grf ? range.end : range.end & UINT32_MAX;
  const RegisterSet* const set = find_register_set(platform, type);
  if (set == nullptr) return std::nullopt;
  const auto stored = stored_place(*set);
  if (stored.size == 0 || begin >= end || end > stored.size) return std::nullopt;
  return time::Range{time::Space::Registers, stored.position + begin, stored.position + end};
}

wire::FindHit wire_hit(const time::Hit& hit, const std::vector<wire::FindRange>& asked,
                       const std::vector<time::Range>& ranges, std::uint32_t launch) {
  wire::FindHit found{.time = hit.time,
                      .instruction = hit.instruction,
                      .thread = hit.thread,
                      .kinds = hit.kinds,
                      .lanes = hit.lanes,
                      .group_x = hit.group[0],
                      .group_y = hit.group[1],
                      .group_z = hit.group[2],
                      .launch = launch,
                      .address = hit.address,
                      .size = hit.size,
                      .lane = hit.lane,
                      .old_value = {hit.old_value.begin(), hit.old_value.begin() + hit.size},
                      .new_value = {hit.new_value.begin(), hit.new_value.begin() + hit.size}};
  if (hit.space == time::Space::Registers) {
    for (std::size_t index = 0; index < ranges.size(); ++index) {
      const time::Range& range = ranges[index];
      if (range.space == hit.space && hit.address >= range.begin && hit.address < range.end) {
        found.address = asked[index].begin + (hit.address - range.begin);
      }
    }
  }
  return found;
}

}  // namespace xesim::debug
