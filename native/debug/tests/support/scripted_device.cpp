#include "support/scripted_device.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace xesim::debug::scripted {

namespace {

struct State {
  explicit State(const device::Topology& shape) : topology(shape) {}

  const device::Topology& topology;
  device::Memory memory;
  std::mutex lock;
  device::ExceptionListener* listener = nullptr;
  std::map<std::uint32_t, device::HardwareThread> threads;
  std::array<std::byte, 1024> slm{};
};

std::map<const device::Device*, std::unique_ptr<State>> states;

State& state_of(const device::Device& device) { return *states.at(&device); }

void tell(const device::Device& device, const device::HardwareThread& thread,
          Settling settling = Settling::Whole) {
  device::ExceptionListener* listener = state_of(device).listener;
  if (listener == nullptr) return;
  listener->exception_taken(thread);
  if (settling == Settling::Whole) listener->stops_settled();
}

}  // namespace

}  // namespace xesim::debug::scripted

namespace xesim::device {

using debug::scripted::state_of;
using debug::scripted::states;

struct Device::Impl {};

Device::Device(const Topology& topology, std::shared_ptr<AddressSpace>) {
  states[this] = std::make_unique<debug::scripted::State>(topology);
}
Device::~Device() { states.erase(this); }

const Topology& Device::topology() const { return state_of(*this).topology; }
Memory& Device::memory() { return state_of(*this).memory; }

Device::Pause::Pause(Device* device) : device_(device) { state_of(*device_).lock.lock(); }
Device::Pause::Pause(Pause&& other) noexcept : device_(std::exchange(other.device_, nullptr)) {}
Device::Pause::~Pause() {
  if (device_ != nullptr) state_of(*device_).lock.unlock();
}
Device::Pause Device::pause() { return Pause(this); }

void Device::set_exception_listener(ExceptionListener* listener) {
  state_of(*this).listener = listener;
  if (listener != nullptr) return;
  for (auto& [ordinal, thread] : state_of(*this).threads) thread.run = ThreadRun::Runnable;
}

HardwareThread* Device::find_thread(const ThreadId& id) {
  const auto found = state_of(*this).threads.find(ordinal(state_of(*this).topology, id));
  return found == state_of(*this).threads.end() ? nullptr : &found->second;
}

std::vector<HardwareThread*> Device::resident_threads() {
  std::vector<HardwareThread*> threads;
  for (auto& [ordinal, thread] : state_of(*this).threads) threads.push_back(&thread);
  return threads;
}

void Device::halt(HardwareThread& thread) {
  thread.state.control[1] |= eu::cr0::kForceException;
  thread.state.control[2] = thread.state.ip;
  thread.run = ThreadRun::Stopped;
}

void Device::resume(HardwareThread& thread) {
  thread.run = ThreadRun::Runnable;
  if ((thread.state.control[1] & eu::cr0::kBreakpoint) == 0) return;
  thread.state.ip += debug::scripted::kInstructionBytes;
  thread.state.control[2] = thread.state.ip;
  thread.state.channel_ip.fill(thread.state.ip);
  thread.run = ThreadRun::Stopped;
  debug::scripted::tell(*this, thread);
}

void Device::wait_until_settled() {}

void Device::change(HardwareThread& thread, const ThreadChange& change) { change(thread); }

// Nothing is launched here, so there is nothing to record, to watch and to hold.
void Device::set_recorder(LaunchRecorder*) {}
void Device::set_watch(RunWatch*) {}
void Device::hold(bool) {}
SurfaceHeap& Device::surfaces() { std::abort(); }
SamplerHeap& Device::samplers() { std::abort(); }

bool Device::is_mapped(std::uint64_t address, std::uint64_t size, MemoryUse) const {
  while (size > 0) {
    const auto allocation = state_of(*this).memory.find(address);
    if (!allocation || allocation->address + allocation->mapped == address) return false;
    const std::uint64_t step = std::min(allocation->address + allocation->mapped - address, size);
    address += step;
    size -= step;
  }
  return true;
}

bool Device::read_memory(std::uint64_t address, void* data, std::uint64_t size) {
  const auto allocation = state_of(*this).memory.find(address);
  if (!allocation || size > allocation->address + allocation->mapped - address) return false;
  std::memcpy(data, reinterpret_cast<const void*>(address), size);
  return true;
}

bool Device::write_memory(std::uint64_t address, const void* data, std::uint64_t size) {
  const auto allocation = state_of(*this).memory.find(address);
  if (!allocation || size > allocation->address + allocation->mapped - address) return false;
  std::memcpy(reinterpret_cast<void*>(address), data, size);
  return true;
}

std::array<std::uint64_t, 9> Device::state_base_addresses(const HardwareThread*) {
  return {1, 2, 3, 4, state_of(*this).memory.instruction_base(), 6, 7, 8, 9};
}

}  // namespace xesim::device

namespace xesim::debug::scripted {

namespace {

device::HardwareThread& thread_at(device::Device& device, std::uint32_t ordinal) {
  return state_of(device).threads.at(ordinal);
}

}  // namespace

void place(device::Device& device, std::uint32_t ordinal) {
  const auto pause = device.pause();
  State& state = state_of(device);
  device::HardwareThread thread;
  thread.id = device::thread_id(device.topology(), ordinal);
  thread.state.ip = kStartIp;
  thread.state.channel_ip.fill(kStartIp);
  thread.state.state[2] = 0xFFFF;
  thread.slm = state.slm.data();
  thread.slm_size = static_cast<std::uint32_t>(state.slm.size());
  const std::uint32_t mark = ordinal;
  std::memcpy(thread.state.grf.data() + 4, &mark, sizeof mark);  // r0.1
  state.threads[ordinal] = thread;
}

void stop(device::Device& device, std::uint32_t ordinal, std::uint32_t cause,
          Settling settling) {
  const auto pause = device.pause();
  device::HardwareThread& thread = thread_at(device, ordinal);
  thread.state.control[1] |= cause;
  thread.state.control[2] = thread.state.ip;
  thread.run = device::ThreadRun::Stopped;
  tell(device, thread, settling);
}

void explain(device::Device& device, std::uint32_t ordinal, const std::string& report) {
  const auto pause = device.pause();
  thread_at(device, ordinal).report = report;
}

void finish(device::Device& device, std::uint32_t ordinal) {
  const auto pause = device.pause();
  State& state = state_of(device);
  const auto id = thread_at(device, ordinal).id;
  state.threads.erase(ordinal);
  if (state.listener != nullptr) state.listener->thread_ended(id);
}

device::HardwareThread look(device::Device& device, std::uint32_t ordinal) {
  const auto pause = device.pause();
  return thread_at(device, ordinal);
}

bool has_listener(device::Device& device) {
  const auto pause = device.pause();
  return state_of(device).listener != nullptr;
}

}  // namespace xesim::debug::scripted
