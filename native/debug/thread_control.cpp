#include "debug/thread_control.hpp"

#include "debug/register_access.hpp"
#include "debug/register_sets.hpp"

namespace xesim::debug {

void ThreadControl::begin() {
  const auto pause = device_.pause();
  device_.set_exception_listener(this);
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
    untaken_.insert(untaken_.end(), arriving_.begin(), arriving_.end());
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
    ordinals.swap(untaken_);
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
