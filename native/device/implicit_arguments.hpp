// What functions that are called through the stack know of the launch: get_local_size and the like
// reach them through a structure in memory.
//
// Layout: public facts in the sources of Intel's driver (compute-runtime, implicit arguments,
// version 0, followed by the fields of version 1) and in code that its compiler makes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/launch.hpp"

namespace xesim::device {

struct ImplicitArguments {
  std::uint8_t size = 112;       // bytes that count, of version 0
  std::uint8_t version = 0;
  std::uint8_t work_dimensions = 0;
  std::uint8_t simd_width = 0;   // lanes
  std::uint32_t local_size[3]{};
  std::uint64_t global_size[3]{};
  std::uint64_t printf_buffer = 0;
  std::uint64_t global_offset[3]{};
  std::uint64_t local_id_table = 0;  // address
  std::uint32_t group_count[3]{};
  std::uint32_t padding = 0;
  std::uint64_t ray_tracing_buffer = 0;
  std::uint64_t assert_buffer = 0;
  std::uint64_t reserved[2]{};
};
static_assert(sizeof(ImplicitArguments) == 128);
static_assert(offsetof(ImplicitArguments, local_id_table) == 72);
static_assert(offsetof(ImplicitArguments, assert_buffer) == 104);

// The table of local ids of one work-group: for each hardware thread three rows, of x, y and z, of
// 16-bit numbers for its lanes; a row has room for 16 lanes at least.
[[nodiscard]] std::vector<std::byte> local_id_table(const KernelLaunch& launch);

// Local ids of one work-item of a group, by its number in walk order.
[[nodiscard]] std::array<std::uint16_t, 3> local_id(const KernelLaunch& launch,
                                                    std::uint32_t item);

}  // namespace xesim::device
