// What the driver says of a module that it has loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/topology.hpp"

namespace xesim::debug {

struct ModuleDescription {
  std::uint64_t id = 0;                      // the driver's, unique
  std::vector<std::byte> debug_image;        // relocated ELF; may be empty
  std::uint64_t load_address = 0;            // lowest address of its segments
  device::Tiles tiles = device::kAllTiles;   // that it was made for
};

}  // namespace xesim::debug
