#include "device/device.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "device/dispatcher.hpp"
#include "device/fair_lock.hpp"

namespace xesim::device {

namespace {

// Instructions of one thread before the next one gets its turn.
constexpr std::uint64_t kSliceInstructions = 4096;
// The same after a stop, while others come to theirs; and how many rounds that takes at most.
constexpr std::uint64_t kSettlingSliceInstructions = 256;
constexpr unsigned kSettlingRounds = 64;
// A debugger that lets other threads run beside stopped ones does not act; they go on after this.
constexpr std::chrono::milliseconds kStandStill{1000};

// Every cause in cr0.1 that stops a thread.
constexpr std::uint32_t kExceptionCauses =
    eu::cr0::kPageFault | eu::cr0::kForceException | eu::cr0::kIllegalOpcode |
    eu::cr0::kSoftwareException | eu::cr0::kExternalHalt | eu::cr0::kBreakpoint;

}  // namespace

struct Device::Impl {
  explicit Impl(const Topology& shape)
      : topology(shape), memory(shape.memory_bytes), unit(shape.platform), code(shape.platform),
        dispatcher(shape, memory, surfaces) {}

  const Topology& topology;
  Memory memory;
  SurfaceHeap surfaces{memory};
  eu::ExecutionUnit unit;

  std::mutex launch_mutex;       // one launch at a time; taken before `lock`

  FairLock lock;                 // guards everything below
  eu::CodeCache code;
  Dispatcher dispatcher;
  const KernelLaunch* running = nullptr;
  ExceptionListener* listener = nullptr;
  eu::Observer* observer = nullptr;
  std::string lost_reason;
  std::uint64_t instructions = 0;

  bool stopped_in_round = false;
  unsigned settling_rounds = 0;

  // What an executor without a runnable thread waits for: somebody changed what can run.
  std::mutex wake_mutex;
  std::condition_variable wake_condition;
  std::uint64_t wakes = 0;

  // Whether others are coming to their stop after a first one; changed by the executor alone.
  std::mutex settling_mutex;
  std::condition_variable settled;
  bool settling = false;

  void wake() {
    {
      const std::scoped_lock guard(wake_mutex);
      ++wakes;
    }
    wake_condition.notify_all();
  }

  // Gives the lock away until wake(), or until `limit` is over; called and returns with the lock
  // held.
  void wait_for_change(std::optional<std::chrono::milliseconds> limit = std::nullopt) {
    std::unique_lock guard(wake_mutex);
    const std::uint64_t seen = wakes;
    const auto changed = [&] { return wakes != seen; };
    lock.unlock();
    if (limit) {
      wake_condition.wait_for(guard, *limit, changed);
    } else {
      wake_condition.wait(guard, changed);
    }
    guard.unlock();
    lock.lock();
  }

  void begin_settling() {
    const std::scoped_lock guard(settling_mutex);
    settling = true;
  }

  void end_settling() {
    settling_rounds = 0;
    {
      const std::scoped_lock guard(settling_mutex);
      if (!settling) {
        return;
      }
      settling = false;
    }
    settled.notify_all();
    if (listener != nullptr) {
      listener->stops_settled();
    }
  }

  void let_others_in() {
    if (lock.contended()) {
      lock.unlock();
      lock.lock();
    }
  }

  LaunchStatus run(const KernelLaunch& launch);
  bool run_slice(HardwareThread& thread);
  bool any_stopped() const;
  LaunchStatus lose(std::string reason);
  std::string describe(const HardwareThread& thread) const;
};

bool Device::Impl::any_stopped() const {
  for (HardwareThread* thread = dispatcher.next_resident(0); thread != nullptr;
       thread = dispatcher.next_resident(ordinal(topology, thread->id) + 1)) {
    if (thread->run == ThreadRun::Stopped) {
      return true;
    }
  }
  return false;
}

std::string Device::Impl::describe(const HardwareThread& thread) const {
  std::ostringstream out;
  out << "kernel " << running->kernel_name << ", thread " << thread.id.slice << '.'
      << thread.id.subslice << '.' << thread.id.eu << '.' << thread.id.thread << ", work-group ("
      << thread.group[0] << ',' << thread.group[1] << ',' << thread.group[2] << "), ip 0x"
      << std::hex << thread.state.ip << " (kernel + 0x"
      << memory.instruction_base() + thread.state.ip - running->code_address << ')';
  return out.str();
}

LaunchStatus Device::Impl::lose(std::string reason) {
  lost_reason = std::move(reason);
  dispatcher.abandon();
  return LaunchStatus::Lost;
}

// Runs one slice of `thread`; false when it took an exception and nobody listens: lost_reason says.
bool Device::Impl::run_slice(HardwareThread& thread) {
  const eu::RunOptions options{.budget = settling ? kSettlingSliceInstructions : kSliceInstructions,
                               .debugging = listener != nullptr,
                               .observer = observer};
  const eu::RunResult result =
      unit.run(thread.state, dispatcher.environment(thread), code, options);
  instructions += result.instructions;
  switch (result.outcome) {
    case eu::Outcome::BudgetSpent:
      return true;
    case eu::Outcome::BarrierWait:
      thread.run = ThreadRun::AtBarrier;
      return true;
    case eu::Outcome::EndOfThread: {
      const ThreadId id = thread.id;
      dispatcher.retire(thread);
      if (listener != nullptr) {
        listener->thread_ended(id);
      }
      return true;
    }
    case eu::Outcome::Exception:
      break;
  }
  if (listener != nullptr) {
    // An exception that is taken again at resume keeps what is known of it.
    if (result.fault.present || !result.report.empty()) {
      thread.fault = result.fault;
      thread.report = result.report;
    }
    thread.run = ThreadRun::Stopped;
    stopped_in_round = true;
    begin_settling();
    listener->exception_taken(thread);
    return true;
  }
  std::ostringstream reason;
  reason << describe(thread) << ": ";
  if (result.fault.present) {
    static constexpr const char* kSpaces[] = {"global memory", "shared local memory", "scratch"};
    reason << "page fault " << (result.fault.write ? "writing " : "reading ")
           << kSpaces[static_cast<std::size_t>(result.fault.space)] << " at 0x" << std::hex
           << result.fault.address;
  } else if (!result.report.empty()) {
    reason << result.report;
  } else {
    reason << "exception, cr0.1 = 0x" << std::hex << thread.state.control[1];
  }
  lose(reason.str());
  return false;
}

LaunchStatus Device::Impl::run(const KernelLaunch& launch) {
  running = &launch;
  if (auto error = dispatcher.begin(launch)) {
    return lose(std::move(*error));
  }
  while (!dispatcher.idle()) {
    bool progress = false;
    stopped_in_round = false;
    for (HardwareThread* thread = dispatcher.next_resident(0); thread != nullptr;) {
      const std::uint32_t place = ordinal(topology, thread->id);
      if (thread->run == ThreadRun::Runnable) {
        progress = true;
        if (!run_slice(*thread)) {
          return LaunchStatus::Lost;
        }
        let_others_in();
      }
      thread = dispatcher.next_resident(place + 1);
    }
    if (settling && (!progress || !stopped_in_round || ++settling_rounds == kSettlingRounds)) {
      end_settling();
      if (progress && listener != nullptr) {
        wait_for_change(kStandStill);
      }
    }
    if (progress) {
      continue;
    }
    // Under a debugger even a deadlock can be looked into, and ended; so wait for it.
    if (listener == nullptr && !any_stopped()) {
      return lose(describe(*dispatcher.next_resident(0)) +
                  ": deadlock: every thread waits at a barrier that cannot complete");
    }
    wait_for_change();
  }
  return LaunchStatus::Complete;
}

Device::Device(const Topology& topology) : impl_(std::make_unique<Impl>(topology)) {}
Device::~Device() = default;

const Topology& Device::topology() const { return impl_->topology; }
Memory& Device::memory() { return impl_->memory; }
SurfaceHeap& Device::surfaces() { return impl_->surfaces; }

void Device::add_code(std::uint64_t address, std::uint64_t size) {
  const Pause held = pause();
  impl_->code.add(static_cast<std::uint32_t>(address - impl_->memory.instruction_base()),
                  reinterpret_cast<const std::byte*>(address), static_cast<std::uint32_t>(size));
}

void Device::remove_code(std::uint64_t address) {
  const Pause held = pause();
  impl_->code.remove(static_cast<std::uint32_t>(address - impl_->memory.instruction_base()));
}

LaunchStatus Device::launch(const KernelLaunch& launch) {
  const std::scoped_lock one(impl_->launch_mutex);
  const Pause held = pause();
  const LaunchStatus status = impl_->run(launch);
  impl_->end_settling();
  impl_->dispatcher.abandon();
  impl_->running = nullptr;
  if (impl_->listener != nullptr) {
    impl_->listener->became_idle();
  }
  return status;
}

void Device::wait_until_settled() {
  std::unique_lock guard(impl_->settling_mutex);
  impl_->settled.wait(guard, [this] { return !impl_->settling; });
}

std::string Device::lost_reason() const {
  const std::scoped_lock guard(impl_->lock);
  return impl_->lost_reason;
}

std::uint64_t Device::instructions_executed() const {
  const std::scoped_lock guard(impl_->lock);
  return impl_->instructions;
}

Device::Pause::Pause(Device* device) : device_(device) { device_->impl_->lock.lock(); }
Device::Pause::Pause(Pause&& other) noexcept : device_(std::exchange(other.device_, nullptr)) {}
Device::Pause::~Pause() {
  if (device_ != nullptr) {
    device_->impl_->lock.unlock();
  }
}

Device::Pause Device::pause() { return Pause(this); }

void Device::set_exception_listener(ExceptionListener* listener) {
  impl_->listener = listener;
  if (listener == nullptr) {
    // Whatever stopped for the debugger goes on. What stopped for a real fault meets it again, and
    // with nobody listening that loses the launch.
    for (HardwareThread* thread : resident_threads()) {
      thread->state.control[0] &= ~eu::cr0::kBreakpointSuppress;
      thread->state.control[1] &= ~kExceptionCauses;
      if (thread->run == ThreadRun::Stopped) {
        thread->run = ThreadRun::Runnable;
      }
    }
  }
  impl_->wake();
}

void Device::set_observer(eu::Observer* observer) { impl_->observer = observer; }

HardwareThread* Device::find_thread(const ThreadId& id) {
  return contains(impl_->topology, id) ? impl_->dispatcher.at(ordinal(impl_->topology, id))
                                       : nullptr;
}

std::vector<HardwareThread*> Device::resident_threads() {
  std::vector<HardwareThread*> threads;
  for (HardwareThread* thread = impl_->dispatcher.next_resident(0); thread != nullptr;
       thread = impl_->dispatcher.next_resident(ordinal(impl_->topology, thread->id) + 1)) {
    threads.push_back(thread);
  }
  return threads;
}

void Device::halt(HardwareThread& thread) {
  if (thread.run != ThreadRun::Stopped) {
    eu::ExecutionUnit::force_exception(thread.state);
    thread.run = ThreadRun::Stopped;
  }
}

void Device::resume(HardwareThread& thread) {
  if (thread.run == ThreadRun::Stopped) {
    thread.run = ThreadRun::Runnable;
    impl_->wake();
  }
}

bool Device::read_memory(std::uint64_t address, void* data, std::uint64_t size) {
  if (!is_mapped(address, size)) {
    return false;
  }
  std::memcpy(data, reinterpret_cast<const void*>(address), size);
  return true;
}

bool Device::write_memory(std::uint64_t address, const void* data, std::uint64_t size) {
  if (!is_mapped(address, size)) {
    return false;
  }
  std::memcpy(reinterpret_cast<void*>(address), data, size);
  const auto allocation = impl_->memory.find(address);
  if (allocation && allocation->kind == AllocationKind::Code) {
    impl_->code.invalidate(static_cast<std::uint32_t>(address - impl_->memory.instruction_base()),
                           static_cast<std::uint32_t>(size));
  }
  return true;
}

bool Device::is_mapped(std::uint64_t address, std::uint64_t size) const {
  // Neighbouring allocations may be crossed, as on hardware.
  while (size != 0) {
    const auto allocation = impl_->memory.find(address);
    if (!allocation) {
      return false;
    }
    const std::uint64_t here = allocation->address + allocation->mapped - address;
    if (size <= here) {
      return true;
    }
    address += here;
    size -= here;
  }
  return true;
}

std::array<std::uint64_t, 9> Device::state_base_addresses(const HardwareThread* thread) {
  const Memory& memory = impl_->memory;
  std::uint32_t binding_table = 0;
  std::uint64_t scratch = 0;
  if (thread != nullptr) {
    std::memcpy(&binding_table, thread->state.grf.data() + 16, sizeof binding_table);  // r0.4
    scratch = reinterpret_cast<std::uintptr_t>(thread->scratch);
  }
  constexpr std::uint32_t kBindingTableMask = ~0x1Fu;
  return {memory.general_state_base(),
          memory.surface_state_base(),
          0,                             // dynamic state: no samplers yet
          memory.general_state_base(),   // indirect objects: the payloads
          memory.instruction_base(),
          memory.surface_state_base(),   // bindless surfaces
          0,                             // bindless samplers
          memory.surface_state_base() + (binding_table & kBindingTableMask),
          scratch};
}

}  // namespace xesim::device
