// What searches and watches look for, and their hits, as the wire has them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "debug/wire.hpp"
#include "eu/isa/names.hpp"
#include "time/query.hpp"

namespace xesim::debug {

// Nothing: there is no such space, or the registers are none of a stored set.
[[nodiscard]] std::optional<time::Range> range_of(eu::Platform platform, const wire::FindRange& range);

// `asked`: the ranges of the request, `ranges` what they are. Registers are counted as in the request.
[[nodiscard]] wire::FindHit wire_hit(const time::Hit& hit, const std::vector<wire::FindRange>& asked,
                                     const std::vector<time::Range>& ranges, std::uint32_t launch);

}  // namespace xesim::debug
