// Time travel on a device: records its launches while a debugger is attached, shows the past of one, and
// looks for what happened in it. The present stays as it is; while the past is shown it stands still.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "time/recorder.hpp"
#include "time/replay.hpp"
#include "time/search.hpp"

namespace xesim::time {

enum class Status : std::uint8_t {
  Done,
  Cancelled,
  NothingRecorded,   // no such launch, or it was given up
  OutOfRange,        // a time that the recording does not have
  Diverged,          // see Replay::Outcome
  InThePast,         // not while the past is shown
};

// Used by one thread. Nothing needs a Pause: it is taken where it is needed.
class TimeMachine {
 public:
  // The device must outlive it.
  explicit TimeMachine(device::Device& device);
  ~TimeMachine();
  TimeMachine(const TimeMachine&) = delete;
  TimeMachine& operator=(const TimeMachine&) = delete;

  // Recording begins, with the launch that runs; a debugger is attached.
  void begin();
  // It ends, and what was recorded is dropped; the present is back.
  void end();

  Status configure(bool enabled, std::uint64_t budget);

  enum class State : std::uint32_t { Off, Records, InThePast, Finished, GaveUp, Unrecordable };
  struct Info {
    std::uint32_t launch = 0;            // 0: none was recorded
    std::uint32_t launches = 0;          // that were recorded
    std::uint32_t oldest = 0;            // that can be visited; 0: none
    State state = State::Off;
    std::uint64_t first = 0;             // times
    std::uint64_t now = 0;
    std::uint64_t end = 0;
    std::uint64_t bytes = 0;
    std::uint64_t budget = 0;
    std::uint32_t keyframes = 0;
    std::uint64_t host_write_first = 0;
    std::uint64_t host_write_end = 0;
    std::string text;                    // the kernel's name; why it was given up
  };
  // Of a launch; 0: the one that runs, or else the last one.
  Info info(std::uint32_t launch);

  static constexpr std::uint64_t kPresent = UINT64_MAX;
  // Shows the state of a time of a launch, or the present.
  Status go_to(std::uint32_t launch, std::uint64_t time, const Cancelled& cancelled);
  // `found` is valid with Done and Cancelled.
  Status find(std::uint32_t launch, const Query& query, const Cancelled& cancelled, Found& found);

  // --- what the past that is shown has; only while there is one ---
  [[nodiscard]] bool in_past() const { return shown_ != nullptr; }
  [[nodiscard]] device::HardwareThread* find_thread(std::uint32_t ordinal);  // null: idle slot
  [[nodiscard]] std::vector<std::uint32_t> threads();   // that have work, by ordinal
  [[nodiscard]] PastMemory& memory() { return shown_->memory(); }

 private:
  class Hold;
  [[nodiscard]] std::shared_ptr<Recording> recording(std::uint32_t launch) const;
  void show_present();

  device::Device& device_;
  Recorder recorder_;
  bool begun_ = false;
  std::unique_ptr<Replay> shown_;
  std::unique_ptr<Replay> searched_;     // kept for the next search in the same launch
};

}  // namespace xesim::time
