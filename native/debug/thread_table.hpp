// What a session knows of the stopped threads: whether they were reported, and their registers.
//
// Holds stopped threads only, so nothing here grows with the threads that a device could have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "debug/register_sets.hpp"
#include "device/topology.hpp"

namespace xesim::debug {

// Not locked: the session does that.
class ThreadTable {
 public:
  explicit ThreadTable(const device::Topology& topology) : topology_(topology) {}

  // `reported`: at once, because an interrupt hit it; else when its event is read.
  void stop(std::uint32_t ordinal, bool reported);
  void report(std::uint32_t ordinal);   // no effect unless stopped
  void resume(std::uint32_t ordinal);
  void clear() { stopped_.clear(); }

  [[nodiscard]] bool is_reported(std::uint32_t ordinal) const;
  // Reported or not, in ordinal order.
  [[nodiscard]] std::vector<std::uint32_t> stopped() const;
  // In ordinal order; `selection` may have wildcards.
  [[nodiscard]] std::vector<std::uint32_t> reported(const device::ThreadId& selection) const;
  // Whether every thread that the device has in `selection` is reported.
  [[nodiscard]] bool all_reported(const device::ThreadId& selection) const;

  // Registers of a thread as they were read ahead or read before, from register 0 on; empty when
  // unknown. Gone when the thread is resumed.
  [[nodiscard]] std::span<const std::byte> registers(std::uint32_t ordinal, RegisterType type) const;
  // Changes whenever the thread stops, goes on or is written: shows whether a read is still true.
  [[nodiscard]] std::uint64_t version(std::uint32_t ordinal) const;
  void remember(std::uint32_t ordinal, std::uint64_t version, RegisterType type,
                std::span<const std::byte> registers);
  // After a write to `type`: also forgets what the hardware derives from it.
  void forget(std::uint32_t ordinal, RegisterType type);

 private:
  struct Thread {
    bool reported = false;
    std::uint64_t version = 0;
    std::array<std::vector<std::byte>, kRegisterTypes> registers;
  };

  const device::Topology& topology_;
  std::unordered_map<std::uint32_t, Thread> stopped_;
  std::uint64_t next_version_ = 1;
};

}  // namespace xesim::debug
