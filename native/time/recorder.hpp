// Records the launches of a device while a debugger is attached: the log, and keyframes as often as their
// cost allows, within a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "device/launch_recorder.hpp"
#include "time/recording.hpp"
#include "time/used_memory.hpp"

namespace xesim::time {

inline constexpr std::uint64_t kDefaultBudget = 1ull << 30;  // bytes

// What the host's thread has worked, in seconds.
double thread_seconds();

// Everything with the device locked.
class Recorder final : public device::LaunchRecorder {
 public:
  using Launches = std::deque<std::shared_ptr<Recording>>;
  using Clock = double (*)();  // seconds

  // The clock says when another keyframe is worth its cost.
  explicit Recorder(Clock clock = thread_seconds) : clock_(clock) {}

  // From the next launch on. Switching off drops what there is.
  void configure(bool enabled, std::uint64_t budget);
  void clear();

  [[nodiscard]] bool enabled() const { return enabled_; }
  [[nodiscard]] std::uint64_t budget() const { return budget_; }
  // Of all that is kept; about.
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint32_t launches() const { return next_number_ - 1; }
  // Those that can be visited, by number.
  [[nodiscard]] const Launches& kept() const { return kept_; }
  // The one that runs, or null.
  [[nodiscard]] const std::shared_ptr<Recording>& current() const { return current_; }
  // Makes a keyframe of the present, unless there is one: shows what the host wrote until now.
  void keep_present();

  void launch_began(device::Executor& executor) override;
  void another_launch_began() override;
  void launch_ended() override;
  void thread_ran(std::uint32_t ordinal, const eu::RunResult& result) override;
  void refilled() override;
  void thread_halted(std::uint32_t ordinal) override;
  void thread_resumed(std::uint32_t ordinal) override;
  void thread_changed(std::uint32_t ordinal, const device::ThreadChange& change) override;
  void memory_written(std::uint64_t address, std::span<const std::byte> bytes) override;

 private:
  [[nodiscard]] bool records() const { return current_ != nullptr && current_->given_up.empty(); }
  // Whether the work since the last keyframe is worth another one.
  [[nodiscard]] bool is_due();
  void take();
  // Drops keyframes and launches until what is kept is within the budget.
  void thin();
  void give_up(Recording& launch, std::string reason);

  Clock clock_;
  bool enabled_ = true;
  std::uint64_t budget_ = kDefaultBudget;
  ByteCount page_bytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::uint32_t next_number_ = 1;
  Launches kept_;
  std::shared_ptr<Recording> current_;
  std::shared_ptr<const Keyframe> last_;   // the newest one of the launch
  UsedMemory used_{page_bytes_};
  std::uint64_t ended_bytes_ = 0;          // Recording::ended_bytes of those that ended
  device::Executor* executor_ = nullptr;

  std::uint64_t looked_at_time_ = 0;     // when is_due() last asked for the host's time
  std::size_t looked_at_entry_ = 0;
  double taken_at_ = 0;                  // seconds of the clock
  double cost_ = 0;                      // likewise, of the last keyframe but for launches' first ones
};

}  // namespace xesim::time
