#include "driver/command_streamer.hpp"

#include <algorithm>

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
    return ZE_RESULT_ERROR_DEVICE_LOST;
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

ze_result_t CommandStreamer::synchronize(const CommandStream& stream, std::uint64_t timeout) {
  return Monitor::instance().wait(timeout, [&] { return stream.idle(); });
}

ze_result_t CommandStreamer::drain() {
  return Monitor::instance().wait(UINT64_MAX, [&] { return active_.empty(); });
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
    const std::shared_ptr<CommandStream> stream = next_ready();
    if (stream == nullptr || monitor.device_lost()) {
      monitor.sleep(lock);
      continue;
    }
    CommandStream::Pending next = std::move(stream->pending_.front());
    stream->pending_.pop_front();
    stream->running_ = true;
    lock.unlock();
    execute(*next.command, next.signal_round);
    next.command.reset();  // may free what only this command kept: not under the lock
    lock.lock();
    stream->running_ = false;
    if (stream->pending_.empty()) {
      std::erase(active_, stream);
    }
    monitor.notify();
  }
}

void CommandStreamer::execute(const Command& command, std::uint64_t signal_round) {
  const std::uint64_t start = device_timestamp();
  Loss loss;
  if (command.run) {
    try {
      loss = command.run();
    } catch (const std::exception& error) {
      loss = std::string("a command failed: ") + error.what();
    }
  }
  if (loss.has_value()) {
    report("the device is lost: " + *loss);
  }
  Monitor& monitor = Monitor::instance();
  const Monitor::Lock lock = monitor.lock();
  if (loss.has_value()) {
    monitor.lose_device();
  } else if (command.signal_event != nullptr) {
    command.signal_event->signal({start, device_timestamp()}, signal_round);
  }
}

}  // namespace xesim::driver
