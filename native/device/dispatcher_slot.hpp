// A hardware thread's slot in the dispatcher: its state and its view of the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/hardware_thread.hpp"
#include "device/image_state.hpp"
#include "device/launch.hpp"
#include "device/memory.hpp"
#include "device/memory_view.hpp"
#include "device/sampler_state.hpp"
#include "device/surface_state.hpp"
#include "device/work_group.hpp"
#include "eu/thread/environment.hpp"

namespace xesim::device {

// Compilers tag addresses of local variables (0x1000'0000 and up, as debuggers do too); only the
// offset below the tag counts.
inline constexpr std::uint64_t kSlmOffsetMask = 0x0FFF'FFFF;

struct DispatcherSlot final : eu::ThreadEnvironment {
  DispatcherSlot(const Memory& memory_of_device, MemoryView& view_of_memory,
                 const SurfaceHeap& surfaces_of_device, const SamplerHeap& samplers_of_device)
      : memory(memory_of_device),
        view(view_of_memory),
        surfaces(surfaces_of_device),
        samplers(samplers_of_device) {}

  eu::MemoryWindow window(eu::MemorySpace space, std::uint64_t address) override {
    switch (space) {
      case eu::MemorySpace::Slm:
        return {address & ~kSlmOffsetMask, thread.slm_size, thread.slm, true};
      case eu::MemorySpace::Scratch: return scratch();
      case eu::MemorySpace::Global: break;
    }
    return view.window(address);
  }

  // The thread's share of the scratch space, which is in global memory.
  [[nodiscard]] eu::MemoryWindow scratch() const {
    if (thread.scratch_size == 0) {
      return {};
    }
    const auto address = reinterpret_cast<std::uintptr_t>(thread.scratch);
    const eu::MemoryWindow whole = view.window(address);
    if (whole.size == 0) {
      return {};
    }
    return {0, thread.scratch_size, whole.host + (address - whole.base), true};
  }

  std::uint64_t instruction_base() const override { return memory.instruction_base(); }
  std::uint64_t general_state_base() const override { return memory.general_state_base(); }

  eu::BufferSurface bindless_surface(std::uint32_t offset) override {
    return decode_surface_state(surfaces.read(offset));
  }

  // The offset of the state that the binding table has at `index`, as it is in memory now.
  std::uint32_t bound_state(std::uint32_t index) const {
    return surfaces.table_entry(launch->binding_table_offset, index);
  }

  eu::BufferSurface binding_table_surface(std::uint32_t index) override {
    return index < launch->binding_table.size()
               ? decode_surface_state(surfaces.read(bound_state(index)))
               : eu::BufferSurface{};
  }

  eu::ImageSurface image_surface(const eu::StateReference& reference) override {
    std::uint32_t offset = reference.position;
    if (!reference.bindless) {
      if (offset >= launch->binding_table.size()) {
        return {.unsupported = "the binding table has no such index"};
      }
      offset = bound_state(offset);
    } else if (!surfaces.contains(offset)) {
      return {.unsupported = "the surface state's offset is outside the heap"};
    }
    return decode_image_state(surfaces.read(offset));
  }

  eu::Sampler sampler(const eu::StateReference& reference) override {
    if (reference.bindless) {
      return samplers.read(reference.position);
    }
    if (reference.position >= launch->sampler_count) {
      return {.unsupported = "the kernel has no sampler of this index"};
    }
    return samplers.read(launch->sampler_table + reference.position * kSamplerStateBytes);
  }

  void barrier_signal(std::uint32_t id, eu::BarrierRole role, std::uint32_t producers,
                      std::uint32_t consumers) override {
    id %= kBarriersPerGroup;
    BarrierArrivals& arrived = group->arrived[id];
    arrived.producers += role != eu::BarrierRole::Consumer;
    arrived.consumers += role != eu::BarrierRole::Producer;
    const auto all = static_cast<std::uint32_t>(group->threads.size());
    const std::uint32_t awaited_producers = producers != 0 ? producers : all;
    const std::uint32_t awaited_consumers = consumers != 0 ? consumers : awaited_producers;
    while (arrived.producers >= awaited_producers && arrived.consumers >= awaited_consumers) {
      arrived = release(1u << id);
    }
  }

  void accessed_outside(const eu::OutsideAccess& access) override {
    if (launch->outside != nullptr) {
      launch->outside->add(access, thread.group,
                           memory.instruction_base() + thread.state.ip - launch->code_address);
    }
  }

  // Threads of a work-group are fused two by two.
  HardwareThread* other_of_pair() const {
    const std::uint32_t other = thread.index_in_group ^ 1;
    return other < group->threads.size() ? group->threads[other] : nullptr;
  }

  eu::FusedThread fused_thread() override {
    HardwareThread* const other = other_of_pair();
    return {other == nullptr ? nullptr : &other->state, (thread.index_in_group & 1) != 0};
  }

  void release_fused_thread() override {
    HardwareThread* const other = other_of_pair();
    if (other != nullptr && other->run == ThreadRun::AtBarrier) {
      other->run = ThreadRun::Runnable;
    }
  }

  // Ends the round of a barrier for the threads that wait for it. Returns which threads have come
  // to the next one already.
  BarrierArrivals release(std::uint32_t bit) const {
    BarrierArrivals next;
    for (HardwareThread* waiting : group->threads) {
      if (waiting == nullptr || (waiting->state.barrier_pending & bit) == 0) {
        continue;
      }
      waiting->state.notification[0] |= bit;  // n0.0: a bit for each barrier
      if ((waiting->state.barrier_ahead & bit) != 0) {
        waiting->state.barrier_ahead &= ~bit;
        ++next.producers;
        ++next.consumers;
        continue;
      }
      waiting->state.barrier_pending &= ~bit;
      if (waiting->run == ThreadRun::AtBarrier) {
        waiting->run = ThreadRun::Runnable;
      }
    }
    return next;
  }

  const Memory& memory;
  MemoryView& view;
  const SurfaceHeap& surfaces;
  const SamplerHeap& samplers;
  HardwareThread thread;
  bool entered = false;  // the thread's state is that of its work, not yet what another one left
  WorkGroup* group = nullptr;
  const KernelLaunch* launch = nullptr;
};

}  // namespace xesim::device
