// What drove a launch from its first state on, in order: the runs of its threads, the dispatcher's
// refills, what a debugger did, and what the host allocated. Whoever does the same from the same state comes to the same states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "device/launch_recorder.hpp"
#include "time/memory_blocks.hpp"

namespace xesim::time {

enum class Step : std::uint8_t {
  RanOn,     // a thread executed `count` instructions, and could go on
  RanToEnd,  // it executed `count`, then waits, ended, or took an exception
  Refilled,  // the dispatcher placed what there was room for
  Halted,    // a debugger forced an exception on the thread
  Resumed,   // and let it go on
  Changed,   // and changed something, or the host did: change number `count`
};

struct LogEntry {
  std::uint32_t ordinal : 28;   // of the thread; 0 where there is none
  std::uint32_t step_bits : 4;
  std::uint32_t count = 0;

  LogEntry(Step step, std::uint32_t of_thread, std::uint32_t number)
      : ordinal(of_thread & 0x0FFF'FFFF), step_bits(static_cast<std::uint32_t>(step) & 0xF),
        count(number) {}
  [[nodiscard]] Step step() const { return static_cast<Step>(step_bits); }
  [[nodiscard]] bool ran() const { return step() == Step::RanOn || step() == Step::RanToEnd; }
};
static_assert(sizeof(LogEntry) == 8);

struct MemoryWrite {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
};

struct LaunchLog {
  std::vector<LogEntry> entries;
  // What a debugger changed: a thread (of the entry), or memory. What the host allocated and freed.
  using Change = std::variant<device::ThreadChange, MemoryWrite, AllocationChange>;
  std::vector<Change> changes;
  std::uint64_t change_bytes = 0;

  void add(Step step, std::uint32_t ordinal, std::uint32_t count) {
    entries.emplace_back(step, ordinal, count);
  }
  void add_change(std::uint32_t ordinal, Change change) {
    add(Step::Changed, ordinal, static_cast<std::uint32_t>(changes.size()));
    change_bytes += size_of(change);
    changes.push_back(std::move(change));
  }

  // About, in bytes of the host.
  [[nodiscard]] std::uint64_t size() const {
    return entries.capacity() * sizeof(LogEntry) + change_bytes;
  }

 private:
  static std::uint64_t size_of(const Change& change) {
    constexpr std::uint64_t kChange = 256;
    if (const auto* write = std::get_if<MemoryWrite>(&change)) {
      return kChange + write->bytes.size();
    }
    if (const auto* memory = std::get_if<AllocationChange>(&change)) {
      return kChange + (memory->came.size() + memory->went.size()) * sizeof(device::Allocation);
    }
    return kChange;
  }
};

}  // namespace xesim::time
