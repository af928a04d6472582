#include "device/implicit_arguments.hpp"

#include <algorithm>
#include <cstring>

namespace xesim::device {

std::array<std::uint16_t, 3> local_id(const KernelLaunch& launch, std::uint32_t item) {
  std::array<std::uint16_t, 3> id{};
  for (const std::uint8_t dimension : launch.walk_order) {
    id[dimension] = static_cast<std::uint16_t>(item % launch.group_size[dimension]);
    item /= launch.group_size[dimension];
  }
  return id;
}

std::vector<std::byte> local_id_table(const KernelLaunch& launch) {
  constexpr std::uint32_t kLeastLanes = 16;
  const std::uint32_t row = std::max(launch.simd_width, kLeastLanes) * 2;  // bytes
  const std::uint32_t items = launch.group_size[0] * launch.group_size[1] * launch.group_size[2];
  const std::uint32_t threads = (items + launch.simd_width - 1) / launch.simd_width;
  std::vector<std::byte> table(std::size_t{threads} * 3 * row);
  for (std::uint32_t item = 0; item < items; ++item) {
    const auto id = local_id(launch, item);
    std::byte* const first = table.data() + std::size_t{item / launch.simd_width} * 3 * row +
                             item % launch.simd_width * sizeof(std::uint16_t);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      std::memcpy(first + dimension * row, &id[dimension], sizeof(std::uint16_t));
    }
  }
  return table;
}

}  // namespace xesim::device
