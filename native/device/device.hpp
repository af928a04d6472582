// The simulated GPU: hardware threads over a topology, the dispatcher that fills them with
// work-groups, and the control that a debugger has over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/launch.hpp"
#include "device/memory.hpp"
#include "device/surface_state.hpp"
#include "device/topology.hpp"
#include "eu/execution_unit.hpp"

namespace xesim::device {

enum class ThreadRun : std::uint8_t {
  Runnable,
  AtBarrier,
  Stopped,   // took an exception; waits for resume()
};

// A hardware thread that holds a piece of work. Valid while a Pause is held.
struct HardwareThread {
  ThreadId id;
  ThreadRun run = ThreadRun::Runnable;
  eu::ThreadState state;
  std::array<std::uint32_t, 3> group{};      // work-group id
  std::uint32_t index_in_group = 0;
  std::byte* slm = nullptr;                  // the group's shared local memory
  std::uint32_t slm_size = 0;
  std::byte* scratch = nullptr;
  std::uint32_t scratch_size = 0;
  eu::PageFault fault;                       // of the last exception
  std::string report;                        // of the last exception
};

// Told about exceptions while the device is locked; must not block and must not call back.
class ExceptionListener {
 public:
  virtual ~ExceptionListener() = default;
  virtual void exception_taken(const HardwareThread& thread) = 0;
  // Exceptions were taken, and now the device stands still: see Device::launch().
  virtual void stops_settled() = 0;
  // The thread ended (EOT), also one that was asked to step.
  virtual void thread_ended(const ThreadId& id) = 0;
  // Nothing runs any more: every launch is complete.
  virtual void became_idle() = 0;
};

enum class LaunchStatus : std::uint8_t {
  Complete,
  Lost,       // a thread cannot go on and no debugger is attached; see lost_reason()
};

class Device {
 public:
  explicit Device(const Topology& topology);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const Topology& topology() const;
  [[nodiscard]] Memory& memory();
  [[nodiscard]] SurfaceHeap& surfaces();

  // Announces and withdraws a kernel's code; both lock the device.
  void add_code(std::uint64_t address, std::uint64_t size);
  void remove_code(std::uint64_t address);

  // Runs every work-group of `launch` to its end on the calling thread. One launch at a time: a
  // second caller waits. Between slices of instructions the lock is open for debuggers.
  // The order in which threads run depends on the launch and the seed only. So does what a debugger
  // finds at a stop, however late it comes to look: when a thread has stopped, the others run until
  // each had its turn without another stop; then the device stands still until the debugger acts,
  // for a limited time.
  LaunchStatus launch(const KernelLaunch& launch);
  // Not while holding a Pause: returns when no stop is settling, in the sense above.
  void wait_until_settled();
  // Not while holding a Pause. One line: kernel, thread, work-group, instruction pointer and cause of the last loss.
  [[nodiscard]] std::string lost_reason() const;
  // Instructions that all threads executed since the device was made.
  [[nodiscard]] std::uint64_t instructions_executed() const;

  // Holds the whole device at an instruction boundary while it lives. Fair: a waiting Pause gets
  // the device after at most one slice of one thread.
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
  // Told about everything that threads execute, inside launch(); null ends it.
  void set_observer(eu::Observer* observer);
  [[nodiscard]] HardwareThread* find_thread(const ThreadId& id);       // null: idle slot
  [[nodiscard]] std::vector<HardwareThread*> resident_threads();       // in ordinal order
  // Forces an exception on a Runnable or AtBarrier thread (no exception_taken call).
  void halt(HardwareThread& thread);
  // Lets a Stopped thread go on with its state as it is now; cr0 decides what happens first.
  void resume(HardwareThread& thread);
  // Global memory by address, through the allocation table; false: not (wholly) mapped. Writes to
  // code invalidate what was decoded from it.
  bool read_memory(std::uint64_t address, void* data, std::uint64_t size);
  bool write_memory(std::uint64_t address, const void* data, std::uint64_t size);
  // Surface heap base, general state base and so on of the running launch, in zet SBA order.
  [[nodiscard]] std::array<std::uint64_t, 9> state_base_addresses(const HardwareThread* thread);

 private:
  [[nodiscard]] bool is_mapped(std::uint64_t address, std::uint64_t size) const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xesim::device
