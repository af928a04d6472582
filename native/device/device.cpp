#include "device/device.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "device/executor.hpp"
#include "device/memory_view.hpp"

namespace xesim::device {

namespace {

// Every cause in cr0.1 that stops a thread.
constexpr std::uint32_t kExceptionCauses =
    eu::cr0::kPageFault | eu::cr0::kForceException | eu::cr0::kIllegalOpcode |
    eu::cr0::kSoftwareException | eu::cr0::kExternalHalt | eu::cr0::kBreakpoint;

}  // namespace

struct Device::Impl {
  Impl(const Topology& shape, std::shared_ptr<AddressSpace> shared)
      : topology(shape), space(std::move(shared)), executor(shape, *space) {}

  const Topology& topology;
  std::shared_ptr<AddressSpace> space;
  Memory& memory = space->memory;
  std::mutex begin_mutex;        // one launch begins at a time; taken before the executor's lock
  Executor executor;
};

Device::Device(const Topology& topology, std::shared_ptr<AddressSpace> space) {
  if (space == nullptr) {
    space = std::make_shared<AddressSpace>(topology.memory_bytes);
  }
  impl_ = std::make_unique<Impl>(topology, std::move(space));
}
Device::~Device() = default;

const Topology& Device::topology() const { return impl_->topology; }
Memory& Device::memory() { return impl_->memory; }
SurfaceHeap& Device::surfaces() { return impl_->space->surfaces; }
SamplerHeap& Device::samplers() { return impl_->space->samplers; }

void Device::add_code(std::uint64_t address, std::uint64_t size) {
  const Pause held = pause();
  impl_->executor.code.add(static_cast<std::uint32_t>(address - impl_->memory.instruction_base()),
                  reinterpret_cast<const std::byte*>(address), static_cast<std::uint32_t>(size));
}

void Device::remove_code(std::uint64_t address) {
  const Pause held = pause();
  impl_->executor.code.remove(
      static_cast<std::uint32_t>(address - impl_->memory.instruction_base()));
}

LaunchEnd Device::launch(const KernelLaunch& launch) {
  std::unique_lock one(impl_->begin_mutex);
  const Pause held = pause();
  auto begun = impl_->executor.begin(launch);
  one.unlock();
  if (auto* problem = std::get_if<std::string>(&begun)) {
    return {LaunchStatus::Refused, std::move(*problem)};
  }
  return impl_->executor.run(*std::get<DispatchedLaunch*>(begun));
}

std::variant<LaunchEnd, std::string> Device::launch_from(const KernelLaunch& launch,
                                                            std::span<const std::byte> snapshot) {
  std::unique_lock one(impl_->begin_mutex);
  const Pause held = pause();
  auto decoded = decode(snapshot);
  if (auto* problem = std::get_if<std::string>(&decoded)) {
    return std::move(*problem);
  }
  auto begun = impl_->executor.begin(launch);
  one.unlock();
  if (auto* problem = std::get_if<std::string>(&begun)) {
    return std::move(*problem);
  }
  return impl_->executor.run_from(*std::get<DispatchedLaunch*>(begun), std::get<Snapshot>(decoded));
}

void Device::set_checkpoint(std::uint64_t at, std::function<void()> reached) {
  impl_->executor.set_checkpoint(at, std::move(reached));
}

std::vector<std::byte> Device::save() {
  return impl_->executor.running() == nullptr ? std::vector<std::byte>{}
                                            : encode(impl_->executor.save());
}

std::optional<std::string> Device::restore(std::span<const std::byte> snapshot) {
  if (impl_->executor.running() == nullptr) {
    return "no launch is running";
  }
  auto decoded = decode(snapshot);
  if (auto* problem = std::get_if<std::string>(&decoded)) {
    return std::move(*problem);
  }
  auto error = impl_->executor.restore(std::get<Snapshot>(decoded));
  if (!error) {
    if (impl_->executor.recorder != nullptr) {
      impl_->executor.recorder->launch_began(impl_->executor);
    }
    impl_->executor.wake();
  }
  return error;
}

void Device::wait_until_settled() {
  impl_->executor.wait_until_settled();
}

std::uint64_t Device::instructions_executed() const {
  const std::scoped_lock guard(impl_->executor.lock);
  return impl_->executor.instructions;
}

Device::Pause::Pause(Device* device) : device_(device) { device_->impl_->executor.lock.lock(); }
Device::Pause::Pause(Pause&& other) noexcept : device_(std::exchange(other.device_, nullptr)) {}
Device::Pause::~Pause() {
  if (device_ != nullptr) {
    device_->impl_->executor.lock.unlock();
  }
}

Device::Pause Device::pause() { return Pause(this); }

void Device::set_exception_listener(ExceptionListener* listener) {
  impl_->executor.listener = listener;
  if (listener == nullptr) {
    // Whatever stopped for the debugger goes on. What stopped for a real fault meets it again, and
    // without a listener that loses the launch.
    for (HardwareThread* thread : resident_threads()) {
      thread->state.control[0] &= ~eu::cr0::kBreakpointSuppress;
      thread->state.control[1] &= ~kExceptionCauses;
      if (thread->run == ThreadRun::Stopped) {
        thread->run = ThreadRun::Runnable;
      }
    }
  }
  impl_->executor.wake();
}

void Device::set_recorder(LaunchRecorder* recorder) {
  LaunchRecorder*& current = impl_->executor.recorder;
  if (current != nullptr && !impl_->executor.dispatcher.launches().empty()) {
    current->launch_ended();
  }
  current = recorder;
  if (current != nullptr && impl_->executor.running() != nullptr) {
    current->launch_began(impl_->executor);
  }
}

void Device::set_watch(RunWatch* watch) { impl_->executor.watch = watch; }

void Device::hold(bool held) { impl_->executor.hold(held); }

void Device::set_scheduling(const Scheduling& scheduling) {
  impl_->executor.scheduler.configure(scheduling);
}

void Device::set_host_cores(HostCores cores) { impl_->executor.set_host_cores(cores); }

void Device::set_observer(eu::Observer* observer) {
  const bool subscribes = observer != nullptr && observer->subscriptions().any();
  impl_->executor.observer = subscribes ? observer : nullptr;
}

HardwareThread* Device::find_thread(const ThreadId& id) {
  return contains(impl_->topology, id) ? impl_->executor.dispatcher.at(ordinal(impl_->topology, id))
                                       : nullptr;
}

std::vector<HardwareThread*> Device::resident_threads() {
  std::vector<HardwareThread*> threads;
  const Dispatcher& dispatcher = impl_->executor.dispatcher;
  for (auto place = dispatcher.next_resident(0); place;
       place = dispatcher.next_resident(*place + 1)) {
    threads.push_back(dispatcher.at(*place));
  }
  return threads;
}

void Device::halt(HardwareThread& thread) {
  if (thread.run != ThreadRun::Stopped) {
    device::halt(thread);
    if (impl_->executor.recorder != nullptr) {
      impl_->executor.recorder->thread_halted(ordinal(impl_->topology, thread.id));
    }
  }
}

void Device::resume(HardwareThread& thread) {
  if (thread.run == ThreadRun::Stopped) {
    device::resume(thread);
    if (impl_->executor.recorder != nullptr) {
      impl_->executor.recorder->thread_resumed(ordinal(impl_->topology, thread.id));
    }
    impl_->executor.wake();
  }
}

void Device::change(HardwareThread& thread, const ThreadChange& change) {
  change(thread);
  if (impl_->executor.recorder != nullptr) {
    impl_->executor.recorder->thread_changed(ordinal(impl_->topology, thread.id), change);
  }
}

bool Device::read_memory(std::uint64_t address, void* data, std::uint64_t size) {
  if (!is_mapped(address, size, MemoryUse::Read)) {
    return false;
  }
  std::memcpy(data, reinterpret_cast<const void*>(address), size);
  return true;
}

bool Device::write_memory(std::uint64_t address, const void* data, std::uint64_t size) {
  if (!is_mapped(address, size, MemoryUse::Write)) {
    return false;
  }
  const auto allocation = impl_->memory.find(address);
  // A launch that uses the program's own memory is not recorded.
  if (impl_->executor.recorder != nullptr && allocation) {
    impl_->executor.recorder->memory_written(
        address, std::span(static_cast<const std::byte*>(data), size));
  }
  std::memcpy(reinterpret_cast<void*>(address), data, size);
  if (allocation && allocation->kind == AllocationKind::Code) {
    impl_->executor.code.invalidate(
        static_cast<std::uint32_t>(address - impl_->memory.instruction_base()),
        static_cast<std::uint32_t>(size));
  }
  return true;
}

bool Device::is_mapped(std::uint64_t address, std::uint64_t size, MemoryUse use) const {
  // Neighbouring allocations may be crossed, as on hardware.
  while (size != 0) {
    std::uint64_t here = 0;
    if (const auto allocation = impl_->memory.find(address)) {
      here = allocation->address + allocation->mapped - address;
    } else {
      const eu::MemoryWindow window = program_window(impl_->memory, address);
      here = window.base + window.size - address;
      if (window.size == 0 || first_unusable(address, std::min(here, size), use)) {
        return false;
      }
    }
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
          impl_->space->samplers.base(),        // dynamic state
          memory.general_state_base(),   // indirect objects: the payloads
          memory.instruction_base(),
          memory.surface_state_base(),   // bindless surfaces
          impl_->space->samplers.base(),        // bindless samplers
          memory.surface_state_base() + (binding_table & kBindingTableMask),
          scratch};
}

}  // namespace xesim::device
