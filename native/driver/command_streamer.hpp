// The command streamer of a device, or of a tile: one thread that executes the commands of its queues.
//
// A stream is in order. Among the streams whose first command is ready (its wait events are
// signalled), one of the highest priority goes on, and of those the one that was submitted first. So
// the order of execution depends only on the order of submission, and streams that wait for each
// other's events cannot block the thread.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "device/device_process.hpp"
#include "driver/command.hpp"
#include "driver/monitor.hpp"

namespace xesim::driver {

// The in-order commands of one queue or immediate list. Its state belongs to the Monitor's lock.
class CommandStream {
 public:
  explicit CommandStream(ze_command_queue_priority_t priority)
      : rank_(priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH  ? 2
              : priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW ? 0
                                                                   : 1) {}

 private:
  friend class CommandStreamer;
  struct Pending {
    std::uint64_t ticket = 0;  // order of submission over all streams
    std::shared_ptr<const Command> command;
    std::vector<std::uint64_t> wait_rounds;  // of each of its events
    std::uint64_t signal_round = 0;          // of the event that it signals

    [[nodiscard]] bool ready() const;
  };
  int rank_;
  std::deque<Pending> pending_;
  bool running_ = false;
  FailureToTell failure_;  // of one of its commands

  [[nodiscard]] bool idle() const { return pending_.empty() && !running_; }
};

class CommandStreamer {
 public:
  CommandStreamer() = default;
  CommandStreamer(const CommandStreamer&) = delete;
  CommandStreamer& operator=(const CommandStreamer&) = delete;

  // The first submission starts the thread, unless that was done before: to start one takes threads of
  // the program, which debuggers of the host may leave stopped for long.
  void start();

  // DEVICE_LOST when nothing can run any more.
  ze_result_t submit(const std::shared_ptr<CommandStream>& stream, const CommandSequence& commands);

  // Waits at most `timeout` nanoseconds until `stream` has nothing left to do.
  static ze_result_t synchronize(CommandStream& stream, std::uint64_t timeout);

  // Waits until nothing is submitted on any stream.
  ze_result_t drain();

 private:
  [[noreturn]] void work();
  void execute(const std::shared_ptr<CommandStream>& stream, const CommandStream::Pending& command);
  // These with the lock held. What `command` waits for has failed, or a command before it.
  [[nodiscard]] static std::shared_ptr<Failure> failure_before(const CommandStream& stream,
                                                               const CommandStream::Pending& command);
  // Fails what is left of `stream`, and of streams that wait for it.
  void fail(CommandStream& stream, const std::shared_ptr<Failure>& failure);
  // Fails its commands from number `position` on.
  void fail_from(CommandStream& stream, std::size_t position,
                 const std::shared_ptr<Failure>& failure);
  static void fail(const CommandStream::Pending& command, const std::shared_ptr<Failure>& failure);
  // The stream that goes on, or null; with the lock held.
  [[nodiscard]] std::shared_ptr<CommandStream> next_ready() const;

  std::vector<std::shared_ptr<CommandStream>> active_;  // with pending commands or running
  std::vector<CommandStream::Pending> done_;  // not yet freed
  std::uint64_t next_ticket_ = 0;
  FailureToTell failure_;  // of any command
  device::DeviceThread thread_;
};

}  // namespace xesim::driver
