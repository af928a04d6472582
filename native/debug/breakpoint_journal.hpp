// Remembers the breakpoints that a debugger writes into code, for the case that it dies with them.
//
// A breakpoint is one bit of an instruction: bit 30 of a native one, bit 7 of a compacted one. A
// debugger takes its own out before it detaches; one that is killed cannot, and the next debugger
// would find stops in the program that nobody asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "device/device.hpp"

namespace xesim::debug {

// Every call needs a Pause of the device.
class BreakpointJournal {
 public:
  // `data` is about to be written at `address`.
  void note(device::Device& device, std::uint64_t address, std::span<const std::byte> data);
  // Clears the breakpoint bits that were set in code that is still loaded; then forgets.
  void undo(device::Device& device);
  void forget() { bytes_.clear(); }

 private:
  struct Byte {
    std::uint64_t allocation = 0;   // id: an address may be used again by another module
    std::byte original{};
  };
  std::map<std::uint64_t, Byte> bytes_;   // by address
};

}  // namespace xesim::debug
