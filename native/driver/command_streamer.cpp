#include "driver/command_streamer.hpp"

#include <algorithm>
#include <utility>

#include "driver/device_timing.hpp"
#include "driver/report.hpp"

namespace xesim::driver {

namespace {

std::vector<std::uint64_t> rounds_of(const std::vector<std::shared_ptr<Event>>& events) {
  std::vector<std::uint64_t> rounds;
  for (const auto& event : events) {
    rounds.push_back(event->round());
  }
  return rounds;
}

}  // namespace

bool CommandStream::Pending::ready() const {
  for (std::size_t index = 0; index < wait_rounds.size(); ++index) {
    if (!command->wait_events[index]->signalled(wait_rounds[index])) {
      return false;
    }
  }
  return true;
}

void CommandStreamer::start() {
  if (!thread_.joinable()) {
    thread_ = device::DeviceThread([this] { work(); });
  }
}

ze_result_t CommandStreamer::submit(const std::shared_ptr<CommandStream>& stream,
                                    const CommandSequence& commands) {
  Monitor& monitor = Monitor::instance();
  const Monitor::Lock lock = monitor.lock();
  if (monitor.device_lost()) {
    return monitor.refuse_lost();
  }
  start();
  if (stream->idle() && !commands.empty()) {
    active_.push_back(stream);
  }
  for (const auto& command : commands) {
    // It waits for what was submitted before, also if it signals the same event.
    auto wait_rounds = rounds_of(command->wait_events);
    const std::uint64_t round =
        command->signal_event != nullptr ? command->signal_event->begin_round() : 0;
    stream->pending_.push_back({next_ticket_++, command, std::move(wait_rounds), round});
  }
  monitor.notify();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CommandStreamer::synchronize(CommandStream& stream, std::uint64_t timeout) {
  return Monitor::instance().wait(timeout, [&] { return stream.idle(); },
                                  [&]() -> FailureToTell& { return stream.failure_; });
}

ze_result_t CommandStreamer::drain() {
  return Monitor::instance().wait(UINT64_MAX, [&] { return active_.empty(); },
                                  [&]() -> FailureToTell& { return failure_; });
}

std::shared_ptr<CommandStream> CommandStreamer::next_ready() const {
  std::shared_ptr<CommandStream> next;
  for (const auto& stream : active_) {
    const auto& head = stream->pending_.front();
    const bool comes_first =
        next == nullptr || stream->rank_ > next->rank_ ||
        (stream->rank_ == next->rank_ && head.ticket < next->pending_.front().ticket);
    if (comes_first && head.ready()) {
      next = stream;
    }
  }
  return next;
}

void CommandStreamer::work() {
  Monitor& monitor = Monitor::instance();
  Monitor::Lock lock = monitor.lock();
  while (true) {
    const std::shared_ptr<CommandStream> stream =
        monitor.device_lost() ? nullptr : next_ready();
    if (stream == nullptr) {
      monitor.sleep(lock);
      continue;
    }
    CommandStream::Pending next = std::move(stream->pending_.front());
    stream->pending_.pop_front();
    if (const auto failure = failure_before(*stream, next)) {
      fail(next, failure);
      fail(*stream, failure);
    } else {
      stream->running_ = true;
      lock.unlock();
      execute(stream, next);
      lock.lock();
      // What lost the device has not ended: a wait that comes late must not find the stream idle.
      stream->running_ = monitor.device_lost();
    }
    std::erase_if(active_, [](const auto& each) { return each->idle(); });
    monitor.notify();
    // May free what only these commands kept: not under the lock.
    auto done = std::exchange(done_, {});
    done.push_back(std::move(next));
    lock.unlock();
    done.clear();
    lock.lock();
  }
}

std::shared_ptr<Failure> CommandStreamer::failure_before(const CommandStream& stream,
                                                         const CommandStream::Pending& command) {
  if (auto failure = stream.failure_.spreading()) {
    return failure;
  }
  for (const auto& event : command.command->wait_events) {
    if (auto failure = event->failure().spreading()) {
      return failure;
    }
  }
  return nullptr;
}

void CommandStreamer::fail(const CommandStream::Pending& command,
                           const std::shared_ptr<Failure>& failure) {
  if (const auto& event = command.command->signal_event; event != nullptr) {
    const std::uint64_t now = device_timestamp();
    event->signal({now, now}, command.signal_round, failure);
  }
  if (const auto& fence = command.command->signal_fence; fence != nullptr) {
    fence->signal(failure);
  }
}

void CommandStreamer::fail(CommandStream& stream, const std::shared_ptr<Failure>& failure) {
  failure_.set(failure);
  fail_from(stream, 0, failure);
  const auto fails = [&](const CommandStream::Pending& command) {
    return std::ranges::any_of(command.command->wait_events, [&](const auto& event) {
      return event->failure().spreading() == failure;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& other : active_) {
      const auto first = std::ranges::find_if(other->pending_, fails);
      if (first != other->pending_.end()) {
        fail_from(*other, static_cast<std::size_t>(first - other->pending_.begin()), failure);
        changed = true;
      }
    }
  }
}

void CommandStreamer::fail_from(CommandStream& stream, std::size_t position,
                                const std::shared_ptr<Failure>& failure) {
  stream.failure_.set(failure);
  while (stream.pending_.size() > position) {
    fail(stream.pending_[position], failure);
    done_.push_back(std::move(stream.pending_[position]));
    stream.pending_.erase(stream.pending_.begin() + static_cast<std::ptrdiff_t>(position));
  }
}

void CommandStreamer::execute(const std::shared_ptr<CommandStream>& stream,
                              const CommandStream::Pending& pending) {
  const Command& command = *pending.command;
  const std::uint64_t start = device_timestamp();
  Loss loss;
  if (command.run) {
    try {
      loss = command.run();
    } catch (const std::exception& error) {
      loss = std::string("a command failed: ") + error.what();
      loss->loses_device = false;
    }
  }
  if (loss.has_value()) {
    report((loss->loses_device ? "the device is lost: " : "a launch failed, and what waits for it: ") +
           loss->reason);
  }
  Monitor& monitor = Monitor::instance();
  const Monitor::Lock lock = monitor.lock();
  if (!loss.has_value()) {
    if (command.signal_event != nullptr) {
      command.signal_event->signal({start, device_timestamp()}, pending.signal_round);
    }
    if (command.signal_fence != nullptr) {
      command.signal_fence->signal();
    }
  } else if (loss->loses_device) {
    monitor.lose_device(std::move(loss->reason));
  } else {
    const auto failure = std::make_shared<Failure>(std::move(loss->reason));
    fail(pending, failure);
    fail(*stream, failure);
  }
}

}  // namespace xesim::driver
