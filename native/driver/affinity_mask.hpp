// ZE_AFFINITY_MASK: which devices and tiles a program sees.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace xesim::driver {

class AffinityMask {
 public:
  // Shows everything.
  AffinityMask() = default;

  // The mask that `text` says: numbers of devices separated by commas, "1.0" for a tile of one. Where
  // tiles are listed as devices (`flat`), numbers are theirs. `tiles`: of each root device. What names
  // nothing is left out, and an empty text shows everything: so Intel's driver.
  static AffinityMask parse(std::string_view text, std::span<const std::uint32_t> tiles, bool flat);

  [[nodiscard]] bool shows(std::uint32_t root, std::uint32_t tile) const {
    return !shown_ || shown_->contains({root, tile});
  }

 private:
  std::optional<std::set<std::pair<std::uint32_t, std::uint32_t>>> shown_;  // root, tile
};

}  // namespace xesim::driver
