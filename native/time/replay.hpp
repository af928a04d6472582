// Runs a recorded launch once more, beside the present: its own threads, on a copy of memory as it was.
// Nothing of the device or the program is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "device/dispatcher.hpp"
#include "device/instruction_caches.hpp"
#include "eu/execution_unit.hpp"
#include "time/past_memory.hpp"
#include "time/recording.hpp"

namespace xesim::time {

// Asked between runs of threads; true ends what is under way.
using Cancelled = std::function<bool()>;

// Watches threads while they run again.
class ReplayObserver : public eu::Observer {
 public:
  // Before and after a thread runs, with the times. Where begin_run() is false the run has no observer.
  virtual bool begin_run(device::HardwareThread& thread, std::uint64_t time) = 0;
  virtual void end_run(std::uint64_t time) = 0;
  // Asked after that; false ends the replay.
  virtual bool goes_on() = 0;
};

class Replay {
 public:
  // Both must outlive it; the recording must not grow while it is replayed.
  Replay(device::Device& device, std::shared_ptr<Recording> recording);
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  enum class Outcome : std::uint8_t {
    Reached,
    Cancelled,   // somewhere on the way
    Diverged,    // the launch did something else: the host wrote memory meanwhile
  };

  // Into the state of `time`, from the nearest keyframe or from where it is. On a long way it adds
  // keyframes to the recording: most who come here go to places nearby next. The state is that before
  // the instruction of this time, after whatever a debugger did before it.
  Outcome go_to(std::uint64_t time, const Cancelled& cancelled);
  // Into the state of a keyframe.
  void restore(std::size_t keyframe);
  // On to a `time` that is not before now. `observer` may be null.
  Outcome run_to(std::uint64_t time, ReplayObserver* observer, const Cancelled& cancelled);

  [[nodiscard]] std::uint64_t time() const { return time_; }
  [[nodiscard]] Recording& recording() { return *recording_; }
  [[nodiscard]] device::Dispatcher& dispatcher() { return *dispatcher_; }
  [[nodiscard]] PastMemory& memory() { return memory_; }

 private:
  void show_code(const Keyframe& keyframe);
  // Comes to the state of a keyframe by itself: takes over what the host wrote meanwhile.
  void pass(std::size_t keyframe);
  // False: it did something else than it did then.
  bool run_thread(const LogEntry& entry, std::uint32_t count, bool to_end,
                  ReplayObserver* observer);
  // Adds a keyframe of the state to the recording, if there is room.
  void keep();
  void apply_change(const LogEntry& entry);

  device::Device& device_;
  std::shared_ptr<Recording> recording_;
  std::shared_ptr<const Keyframe> keyframe_;   // that the memory was taken from last
  PastMemory memory_;
  std::optional<device::SurfaceHeap> surfaces_;
  std::optional<device::SamplerHeap> samplers_;
  std::unique_ptr<device::Dispatcher> dispatcher_;
  std::unique_ptr<device::InstructionCaches> code_;
  eu::ExecutionUnit unit_;

  bool placed_ = false;             // it has a state
  std::uint64_t time_ = 0;
  std::size_t entry_ = 0;           // the log's next one
  std::uint32_t executed_ = 0;      // instructions of it
};

}  // namespace xesim::time
