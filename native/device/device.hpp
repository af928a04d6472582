// The simulated GPU: hardware threads over a topology, the dispatcher that fills them with
// work-groups, and the control that a debugger has over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/address_space.hpp"
#include "device/exception_listener.hpp"
#include "device/hardware_thread.hpp"
#include "device/host_cores.hpp"
#include "device/launch.hpp"
#include "device/launch_recorder.hpp"
#include "device/launch_status.hpp"
#include "device/memory.hpp"
#include "device/run_watch.hpp"
#include "device/sampler_state.hpp"
#include "device/scheduling.hpp"
#include "device/surface_state.hpp"
#include "device/topology.hpp"
#include "eu/thread/observer.hpp"

namespace xesim::device {

class Device {
 public:
  // With memory of its own, or that of `space`. The topology must outlive the device.
  explicit Device(const Topology& topology, std::shared_ptr<AddressSpace> space = nullptr);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const Topology& topology() const;
  [[nodiscard]] Memory& memory();
  [[nodiscard]] SurfaceHeap& surfaces();
  [[nodiscard]] SamplerHeap& samplers();

  // Announces and withdraws a kernel's code; both lock the device.
  void add_code(std::uint64_t address, std::uint64_t size);
  void remove_code(std::uint64_t address);

  // Runs every work-group of `launch` to its end on the calling thread, and on others where
  // set_host_cores() allows it. Launches for different tiles run at once, unless there is an observer
  // or a checkpoint; others wait. Between slices of instructions the lock is open for debuggers.
  // On one thread of the host, the order in which the threads of a launch that is alone run depends on
  // the launch, the policy and its seed only. So does what a debugger finds at a stop, however late it
  // comes to look: when a thread has stopped, the others run until each had its turn without another
  // stop; then the device stands still until the debugger acts, for a limited time.
  // The reason of a loss is one line: kernel, thread, work-group, instruction pointer and cause.
  LaunchEnd launch(const KernelLaunch& launch);
  // The same from a state that save() gave: the rest of the launch, as it was then. A line instead
  // when the snapshot is damaged, or not one of this launch on this device with its memory where it
  // was.
  std::variant<LaunchEnd, std::string> launch_from(const KernelLaunch& launch,
                                                   std::span<const std::byte> snapshot);
  // Not while holding a Pause: returns when no stop is settling, in the sense above.
  void wait_until_settled();
  // Instructions that all threads executed since the device was made.
  [[nodiscard]] std::uint64_t instructions_executed() const;

  // Holds the whole device at an instruction boundary while it lives. Fair: a waiting Pause gets
  // the device after at most one slice of one thread (on each thread of the host).
  class Pause {
   public:
    ~Pause();
    Pause(Pause&&) noexcept;
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    Pause& operator=(Pause&&) = delete;
   private:
    friend class Device;
    explicit Pause(Device* device);
    Device* device_;
  };
  [[nodiscard]] Pause pause();

  // --- all of the following need a Pause of this device ---

  // Null switches debugging off: breakpoint bits are ignored, stopped threads go on; those that
  // stopped for a fault meet it again, which loses the launch.
  void set_exception_listener(ExceptionListener* listener);
  // Gets what drives launches that run alone, from the one that runs now on; null ends it. Whoever sets
  // one sets an exception listener as well: without, launches may run in no order.
  void set_recorder(LaunchRecorder* recorder);
  // Stops threads at what they access; null ends it. Whoever sets one sets an exception listener as well.
  void set_watch(RunWatch* watch);
  // While it is held no thread runs and no launch begins; what needs a Pause goes on.
  void hold(bool held);
  // The order of threads from the next launch on; round robin unless set.
  void set_scheduling(const Scheduling& scheduling);
  // Threads of the host that execute launches from the next one on: one unless set. With more, and as
  // long as there is no exception listener, observer or checkpoint and the order is round robin, the
  // order in which threads run is not promised.
  void set_host_cores(HostCores cores);
  // Gets the events of threads that it subscribes to, inside launch(); null ends it. One that
  // subscribes to nothing is as none.
  void set_observer(eu::Observer* observer);
  // Calls `reached` once, inside launch() with the device held, when `instructions_executed()` gets
  // to `at`, to the instruction; without an effect on the order of threads. Ends with the launch.
  void set_checkpoint(std::uint64_t at, std::function<void()> reached);
  // The launch that runs as bytes (see snapshot.hpp): threads, barriers, shared local memory, the
  // dispatcher's place, the scheduler's, all of global memory but the program's own. What it does from here on depends on
  // nothing else. Empty when none runs, or several do.
  [[nodiscard]] std::vector<std::byte> save();
  // Puts the launch that runs back into a state that save() gave, memory included (that of the host
  // and shared ones too; allocations made since stay as they are). A line instead, and nothing
  // changed, when the snapshot is damaged, not one of this launch, or memory of it was released.
  // The exception listener is not called; pointers to threads are void.
  std::optional<std::string> restore(std::span<const std::byte> snapshot);
  [[nodiscard]] HardwareThread* find_thread(const ThreadId& id);       // null: idle slot
  [[nodiscard]] std::vector<HardwareThread*> resident_threads();       // in ordinal order
  // Forces an exception on a Runnable or AtBarrier thread (no exception_taken call).
  void halt(HardwareThread& thread);
  // Lets a Stopped thread go on with its state as it is now; cr0 decides what happens first.
  void resume(HardwareThread& thread);
  // Makes a change to a Stopped thread, or to the shared local memory of its group.
  void change(HardwareThread& thread, const ThreadChange& change);
  // Global memory by address, through the allocation table, and the program's own if that is shared; false:
  // not (wholly) mapped. Writes to code invalidate what was decoded from it.
  bool read_memory(std::uint64_t address, void* data, std::uint64_t size);
  bool write_memory(std::uint64_t address, const void* data, std::uint64_t size);
  [[nodiscard]] bool is_mapped(std::uint64_t address, std::uint64_t size, MemoryUse use) const;
  // Surface heap base, general state base and so on of the running launch, in zet SBA order.
  [[nodiscard]] std::array<std::uint64_t, 9> state_base_addresses(const HardwareThread* thread);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xesim::device
