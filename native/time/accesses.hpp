// What a thread is about to access: where it is, what of it is looked for, and the bytes that are there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/hardware_thread.hpp"
#include "device/memory_view.hpp"
#include "eu/thread/observer.hpp"
#include "time/query.hpp"

namespace xesim::time {

using Value = std::array<std::byte, Hit::kValueBytes>;

// A part of an access, or of a register, before the instruction executes.
struct AccessPart {
  std::uint32_t kinds = 0;
  Space space = Space::Global;
  std::uint64_t address = 0;
  std::uint32_t size = 0;      // bytes, at most Hit::kValueBytes
  std::uint32_t lane = 0;
  std::uint32_t lanes = 0;     // those that act, as a mask
  Value old_value{};
};

// The kinds that an access is of.
[[nodiscard]] std::uint32_t kinds_of(const eu::MemoryAccess& access);

// Where an access of `thread` begins, as ranges count.
struct Place {
  Space space;
  std::uint64_t address;
};
[[nodiscard]] Place place_of(const eu::MemoryAccess& access, const device::HardwareThread& thread);

// The bytes that are at a part now; zeros where there are none.
[[nodiscard]] Value value_of(const AccessPart& part, const device::HardwareThread& thread,
                             device::MemoryView& memory);

// The kinds of `part` that hold now that its instruction has executed, and `now` is there. `must_differ`:
// a write that has changed nothing is none.
[[nodiscard]] std::uint32_t kinds_after(const AccessPart& part, const Value& now, bool must_differ);

}  // namespace xesim::time
