// Runs launches: gives the hardware threads their turns, takes their exceptions to the listener,
// and lets debuggers in between turns. Launches on different tiles run at once: the caller of one drives
// all of them, in one round of turns, until its own ends; then the caller of another does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "device/address_space.hpp"
#include "device/dispatcher.hpp"
#include "device/exception_listener.hpp"
#include "device/fair_lock.hpp"
#include "device/hardware_thread.hpp"
#include "device/host_cores.hpp"
#include "device/instruction_caches.hpp"
#include "device/launch.hpp"
#include "device/launch_recorder.hpp"
#include "device/launch_status.hpp"
#include "device/memory.hpp"
#include "device/memory_view.hpp"
#include "device/parallel_run.hpp"
#include "device/run_watch.hpp"
#include "device/scheduler.hpp"
#include "device/snapshot.hpp"
#include "device/topology.hpp"
#include "eu/execution_unit.hpp"

namespace xesim::device {

class Executor {
 public:
  // Both must outlive it.
  Executor(const Topology& topology, AddressSpace& space);

  FairLock lock;                       // guards everything below
  PresentMemory view;
  InstructionCaches code;
  Dispatcher dispatcher;
  Scheduler scheduler;
  ExceptionListener* listener = nullptr;
  eu::Observer* observer = nullptr;
  LaunchRecorder* recorder = nullptr;
  RunWatch* watch = nullptr;
  std::uint64_t instructions = 0;      // of all threads, since the device was made

  // Instructions of the launch that runs.
  [[nodiscard]] std::uint64_t time() const { return instructions - began_at_; }
  // The launch that runs by itself; null when none does, or several.
  [[nodiscard]] const KernelLaunch* running() const {
    return dispatcher.alone() == nullptr ? nullptr : &dispatcher.alone()->launch;
  }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  [[nodiscard]] const SurfaceHeap& surfaces() const { return surfaces_; }
  [[nodiscard]] const SamplerHeap& samplers() const { return samplers_; }

  // While it is held no thread runs and no launch begins, but the lock is open.
  void hold(bool held);

  // From the next launch on.
  void set_host_cores(HostCores cores) { host_cores_ = cores; }

  // Takes `launch`, waiting until its subslices are free; one caller at a time. A line instead when the
  // device has no room for it, ever. This and the following with the lock held, which others get
  // between turns.
  std::variant<DispatchedLaunch*, std::string> begin(const KernelLaunch& launch);
  // Runs what has begun to its end, and drops it.
  LaunchEnd run(DispatchedLaunch& launch);
  // Likewise, from a state of it. A line instead when it is not one of the launch.
  std::variant<LaunchEnd, std::string> run_from(DispatchedLaunch& launch, const Snapshot& snapshot);

  // The state of the launch that runs alone, between two turns or in a checkpoint's call.
  [[nodiscard]] Snapshot save();
  // Puts the launch that runs alone into a state of its own, memory included. A line instead, and nothing
  // changed, when the snapshot is not one of it.
  std::optional<std::string> restore(const Snapshot& snapshot);

  // Calls `reached` once, with the lock held, when `instructions` of all threads are executed:
  // exactly then, without an effect on the order of threads.
  void set_checkpoint(std::uint64_t at, std::function<void()> reached);

  // To be called after a change of what can run.
  void wake();

  // Without the lock: returns when no stop is settling (see Device::launch()).
  void wait_until_settled();

 private:
  // Whether it runs beside what runs now.
  [[nodiscard]] bool may_begin(const KernelLaunch& launch) const;
  void end(DispatchedLaunch& launch);
  // Drives all launches until this one has ended.
  void run_rounds(const DispatchedLaunch& launch);
  // Calls the callers of launches that have ended.
  void tell_ended();
  void begin_round();
  bool refill();
  // Whether only the kernel could notice that groups ran side by side.
  [[nodiscard]] bool may_run_in_parallel() const;
  // The launches in no order, on several threads of the host, until others want the lock or none can go
  // on. Whether there was progress.
  bool run_in_parallel();
  // Takes the turn that is not finished, or the next one; false when the round is over.
  bool take_turn();
  // The taken turn, to its end or to the checkpoint.
  // False when a thread took an exception and has no listener: its launch is lost.
  bool run_turn();
  void end_turn(TurnEnd end);
  void meet_checkpoint();
  bool take_exception(HardwareThread& thread, const eu::RunResult& result);
  // Tells the recorder that a thread ran. One that a watch stopped would go on in a replay, which has
  // none: it is a run that goes on, and a change.
  void record(std::uint32_t ordinal, const eu::RunResult& result);
  [[nodiscard]] bool any_stopped() const;
  void lose(DispatchedLaunch& launch, std::string reason,
            LaunchStatus status = LaunchStatus::Lost);
  [[nodiscard]] std::string describe(const HardwareThread& thread) const;

  // Gives the lock away until wake(), or until `limit` is over, and as long as the executor is held;
  // called and returns with the lock.
  void wait_for_change(std::optional<std::chrono::milliseconds> limit = std::nullopt);
  void wait_for_wake(std::optional<std::chrono::milliseconds> limit);
  [[nodiscard]] std::uint64_t wakes();
  void let_others_in();
  void begin_settling();
  void end_settling();

  const Topology& topology_;
  const Memory& memory_;
  const SurfaceHeap& surfaces_;
  const SamplerHeap& samplers_;
  eu::ExecutionUnit unit_;
  HostCores host_cores_;
  std::uint64_t began_at_ = 0;         // instructions, when the launch that was alone began
  bool held_ = false;
  bool driven_ = false;                // a caller of run() is in run_rounds()
  std::uint64_t alone_until_ = 0;      // instructions: on one core before, for groups that wait
  std::uint64_t next_alone_ = 0;
  ParallelRun parallel_run_;

  bool in_round_ = false;
  bool progress_ = false;              // in the round: a thread ran, or was placed
  bool stopped_in_round_ = false;
  std::optional<Turn> turn_;           // taken and not finished

  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t checkpoint_ = kNever;
  std::function<void()> checkpoint_reached_;

  unsigned settling_rounds_ = 0;

  // What an executor without a runnable thread waits for.
  std::mutex wake_mutex_;
  std::condition_variable wake_condition_;
  std::uint64_t wakes_ = 0;

  // Whether others are coming to their stop after a first one; changed by the executor alone.
  std::mutex settling_mutex_;
  std::condition_variable settled_;
  bool settling_ = false;
};

}  // namespace xesim::device
