// The whole state of a launch at one time, from which it can be run again. Keyframes share what is equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "device/dispatcher_state.hpp"
#include "device/executor.hpp"
#include "device/frozen_bytes.hpp"
#include "time/memory_blocks.hpp"

namespace xesim::time {

struct Keyframe {
  std::uint64_t time = 0;
  std::size_t entry = 0;                 // of the log: the first one that is not done in the state
  std::uint32_t executed = 0;            // instructions of that entry which are
  device::DispatcherState dispatcher;
  std::vector<device::FrozenBytes> contents;   // Dispatcher::contents()
  std::shared_ptr<const Allocations> allocations;
  Blocks blocks;                         // what the launch used, unless it was used later
  std::map<std::uint32_t, std::uint32_t> code;  // bytes of what is announced, by offset
};

// Copies of the registers and shared local memory that `keyframe.dispatcher` lists, which are in
// `contents`, into the keyframe. `earlier` may be null.
void freeze_contents(Keyframe& keyframe, const std::vector<std::span<std::byte>>& contents,
                     const Keyframe* earlier, const ByteCount& total);

// The state of the launch that `executor` runs, without memory; with its lock held. `earlier` may be null.
[[nodiscard]] Keyframe take_keyframe(device::Executor& executor, std::size_t entry,
                                     const Keyframe* earlier, const ByteCount& total);

}  // namespace xesim::time
