#include "debug/thread_control.hpp"

#include <algorithm>

#include "debug/register_access.hpp"
#include "debug/register_sets.hpp"

namespace xesim::debug {

namespace {

// Causes of an exception, in cr0.1, that are there for debuggers only.
constexpr std::uint32_t kCausesOfDebuggers =
    eu::cr0::kForceException | eu::cr0::kExternalHalt | eu::cr0::kBreakpoint;
constexpr std::uint32_t kFaults =
    eu::cr0::kPageFault | eu::cr0::kIllegalOpcode | eu::cr0::kSoftwareException;

}  // namespace

void ThreadControl::begin() {
  const auto pause = device_.pause();
  device_.set_exception_listener(this);
  const std::lock_guard lock(mutex_);
  tiles_ = device::kAllTiles;
}

void ThreadControl::attend(device::Tiles tiles) {
  {
    const auto pause = device_.pause();
    const std::lock_guard lock(mutex_);
    tiles_ = tiles;
    for (device::HardwareThread* thread : device_.resident_threads()) {
      if (thread->run != device::ThreadRun::Stopped || attends(thread->id)) continue;
      const std::uint32_t ordinal = device::ordinal(device_.topology(), thread->id);
      std::erase(arriving_, ordinal);
      std::erase(untaken_, ordinal);
      if (!pass(*thread)) untaken_.push_back(ordinal);
    }
  }
  wake_.signal();
}

bool ThreadControl::attends(const device::ThreadId& thread) const {
  const device::Topology& topology = device_.topology();
  return (tiles_ >> thread.slice / (topology.slices / topology.tiles) & 1) != 0;
}

bool ThreadControl::pass(device::HardwareThread& thread) {
  if ((thread.state.control[1] & kFaults) != 0) return false;
  device_.change(thread, [](device::HardwareThread& passing) {
    passing.state.control[0] |= eu::cr0::kBreakpointSuppress;
    passing.state.control[1] &= ~kCausesOfDebuggers;
  });
  device_.resume(thread);
  return true;
}

void ThreadControl::end() {
  const auto pause = device_.pause();
  device_.set_exception_listener(nullptr);
  const std::lock_guard lock(mutex_);
  arriving_.clear();
  untaken_.clear();
}

void ThreadControl::exception_taken(const device::HardwareThread& thread) {
  const std::lock_guard lock(mutex_);
  arriving_.push_back(device::ordinal(device_.topology(), thread.id));
}

void ThreadControl::stops_settled() {
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t ordinal : arriving_) {
      const device::ThreadId id = device::thread_id(device_.topology(), ordinal);
      device::HardwareThread* const thread = attends(id) ? nullptr : device_.find_thread(id);
      if (thread == nullptr || thread->run != device::ThreadRun::Stopped || !pass(*thread)) {
        untaken_.push_back(ordinal);
      }
    }
    arriving_.clear();
  }
  wake_.signal();
}

void ThreadControl::snapshot(const device::HardwareThread& thread, StoppedThreads& stopped) {
  const eu::Platform platform = device_.topology().platform;
  stopped.ordinals.push_back(device::ordinal(device_.topology(), thread.id));
  for (const ReadAhead& part : read_ahead_sets(platform)) {
    const RegisterSet* set = find_register_set(platform, static_cast<std::uint32_t>(part.type));
    const auto bytes = read_registers(device_, thread, *set, 0, part.count);
    stopped.registers.insert(stopped.registers.end(), bytes.begin(), bytes.end());
  }
}

StoppedThreads ThreadControl::take_stopped() {
  std::vector<std::uint32_t> ordinals;
  {
    const std::lock_guard lock(mutex_);
    const auto others = std::ranges::stable_partition(untaken_, [this](std::uint32_t ordinal) {
      return attends(device::thread_id(device_.topology(), ordinal));
    });
    ordinals.assign(untaken_.begin(), others.begin());
    untaken_.erase(untaken_.begin(), others.begin());
  }
  StoppedThreads stopped;
  if (ordinals.empty()) return stopped;
  const auto pause = device_.pause();
  for (const std::uint32_t ordinal : ordinals) {
    const auto* thread = device_.find_thread(device::thread_id(device_.topology(), ordinal));
    if (thread != nullptr && thread->run == device::ThreadRun::Stopped) snapshot(*thread, stopped);
  }
  return stopped;
}

StoppedThreads ThreadControl::interrupt(const device::ThreadId& threads) {
  StoppedThreads halted;
  const auto pause = device_.pause();
  for (device::HardwareThread* thread : device_.resident_threads()) {
    if (!threads.matches(thread->id) || thread->run == device::ThreadRun::Stopped) continue;
    device_.halt(*thread);
    snapshot(*thread, halted);
  }
  stops_settled();  // what stopped by itself before is reported before the answer
  return halted;
}

bool ThreadControl::resume(std::span<const std::uint32_t> ordinals) {
  bool resumed = false;
  const auto pause = device_.pause();
  for (const std::uint32_t ordinal : ordinals) {
    auto* thread = device_.find_thread(device::thread_id(device_.topology(), ordinal));
    if (thread == nullptr || thread->run != device::ThreadRun::Stopped) continue;
    device_.resume(*thread);
    resumed = true;
  }
  return resumed;
}

}  // namespace xesim::debug
