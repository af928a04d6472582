// One kernel launch as the dispatcher takes it: payload and resources, already patched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/outside_accesses.hpp"

namespace xesim::device {

struct KernelLaunch {
  std::string kernel_name;
  std::uint64_t code_address = 0;            // global address of the kernel's first instruction
  std::uint32_t skip_per_thread_load = 0;    // bytes; where it enters with local ids in registers
  std::uint32_t simd_width = 8;
  std::uint32_t grf_count = 128;
  std::array<std::uint32_t, 3> group_count{1, 1, 1};
  std::array<std::uint32_t, 3> group_size{1, 1, 1};   // work-items
  std::array<std::uint32_t, 3> first_group{0, 0, 0};
  std::uint32_t first_slice = 0;             // the slices that it may run on: those of a tile
  std::uint32_t slice_count = 0;             // 0 = all from the first on
  std::array<std::uint8_t, 3> walk_order{0, 1, 2};    // dimensions, that of neighbouring lanes first
  std::vector<std::byte> cross_thread_data;  // whole block; the first inline_data_size bytes go in r1
  // Implicit arguments of functions, in front of the cross-thread data; empty without stack calls.
  // The address of the table of local ids is put in when the launch gets its payload.
  std::vector<std::byte> implicit_arguments;
  std::uint64_t printf_buffer = 0;           // global address, see printf_output.hpp; 0: none
  std::uint64_t assert_buffer = 0;           // global address, see assert_output.hpp; 0: none
  std::uint32_t inline_data_size = 0;        // bytes
  std::uint32_t local_id_size = 0;           // bytes of local ids per hardware thread; 0 = kernel uses none
  bool packed_local_ids = false;             // of a SIMD1 kernel: x, y, z for each thread
  bool local_ids_in_registers = false;       // when a thread begins, as hardware makes them
  std::uint32_t slm_size = 0;                // bytes per work-group
  std::uint32_t barrier_count = 0;
  std::uint32_t scratch_size = 0;            // bytes per hardware thread
  std::uint64_t private_base = 0;            // patched in the payload already; for introspection
  std::vector<std::uint32_t> binding_table;  // byte offsets of surface states in the surface heap
  std::uint32_t binding_table_offset = 0;    // of the same in the surface heap; 0 when it is empty
  std::uint32_t sampler_table = 0;           // byte offset of the kernel's samplers in their heap
  std::uint32_t sampler_count = 0;
  std::uint32_t scratch_surface = 0;         // byte offset of its state in the surface heap; 0 = none
  std::uint64_t scratch_base = 0;            // global address; thread N's share is scratch_size * N on
  std::shared_ptr<OutsideAccesses> outside;  // of all its threads; may be null
  std::shared_ptr<void> resources;           // memory and surface states that live with the launch
};

}  // namespace xesim::device
