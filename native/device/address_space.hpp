// The global memory that the devices of a process share: what one of them can address, all can.
#pragma once

#include <cstdint>

#include "device/memory.hpp"
#include "device/sampler_state.hpp"
#include "device/surface_state.hpp"

namespace xesim::device {

struct AddressSpace {
  // `device_bytes`: of all its devices together.
  explicit AddressSpace(std::uint64_t device_bytes, bool shares_program_memory = false)
      : memory(device_bytes, shares_program_memory) {}

  Memory memory;
  SurfaceHeap surfaces{memory};
  SamplerHeap samplers{memory};
};

}  // namespace xesim::device
