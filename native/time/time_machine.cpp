#include "time/time_machine.hpp"

#include <algorithm>
#include <utility>

namespace xesim::time {

namespace {

Status status_of(Replay::Outcome outcome) {
  switch (outcome) {
    case Replay::Outcome::Reached: return Status::Done;
    case Replay::Outcome::Cancelled: return Status::Cancelled;
    case Replay::Outcome::Diverged: break;
  }
  return Status::Diverged;
}

}  // namespace

// Keeps the device as it is, and what is recorded of it. The past that is shown does so for itself.
class TimeMachine::Hold {
 public:
  explicit Hold(TimeMachine& machine) : machine_(machine), device_(machine.device_) {
    const auto pause = device_.pause();
    machine_.recorder_.keep_present();
    device_.hold(true);
  }
  ~Hold() {
    if (!machine_.in_past()) {
      const auto pause = device_.pause();
      device_.hold(false);
    }
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  TimeMachine& machine_;
  device::Device& device_;
};

TimeMachine::TimeMachine(device::Device& device) : device_(device) {}

TimeMachine::~TimeMachine() { end(); }

void TimeMachine::begin() {
  const auto pause = device_.pause();
  recorder_ = Recorder();
  device_.set_recorder(&recorder_);
  begun_ = true;
}

void TimeMachine::end() {
  if (!begun_) {
    return;
  }
  begun_ = false;
  searched_.reset();
  const auto pause = device_.pause();
  device_.set_recorder(nullptr);
  recorder_.clear();
  show_present();
}

// With a Pause.
void TimeMachine::show_present() {
  shown_.reset();
  device_.hold(false);
}

Status TimeMachine::configure(bool enabled, std::uint64_t budget) {
  if (in_past()) {
    return Status::InThePast;
  }
  searched_.reset();
  const auto pause = device_.pause();
  recorder_.configure(enabled, budget);
  return Status::Done;
}

std::shared_ptr<Recording> TimeMachine::recording(std::uint32_t launch) const {
  const Recorder::Launches& kept = recorder_.kept();
  if (kept.empty()) {
    return nullptr;
  }
  if (launch == 0) {
    return kept.back();
  }
  const auto found = std::ranges::find(kept, launch, [](const auto& each) { return each->number; });
  return found == kept.end() ? nullptr : *found;
}

TimeMachine::Info TimeMachine::info(std::uint32_t launch) {
  const auto pause = device_.pause();
  Info info;
  info.launches = recorder_.launches();
  info.oldest = recorder_.kept().empty() ? 0 : recorder_.kept().front()->number;
  info.state = recorder_.enabled() ? State::Records : State::Off;
  info.bytes = recorder_.bytes();
  info.budget = recorder_.budget();
  const auto found = recording(launch);
  if (found == nullptr) {
    return info;
  }
  const bool shown = in_past() && &shown_->recording() == found.get();
  info.launch = found->number;
  info.state = found->unrecordable       ? State::Unrecordable
               : !found->given_up.empty() ? State::GaveUp
               : shown                  ? State::InThePast
               : found->finished        ? State::Finished
                                        : State::Records;
  info.first = found->first();
  info.end = found->end;
  info.now = shown ? shown_->time() : found->end;
  info.keyframes = static_cast<std::uint32_t>(found->keyframes.size());
  info.host_write_first = found->host_write_first;
  info.host_write_end = found->host_write_end;
  info.text = found->given_up.empty() ? found->launch.kernel_name : found->given_up;
  return info;
}

Status TimeMachine::go_to(std::uint32_t launch, std::uint64_t time, const Cancelled& cancelled) {
  if (time == kPresent) {
    const auto pause = device_.pause();
    show_present();
    return Status::Done;
  }
  const Hold hold(*this);
  const auto found = recording(launch);
  if (found == nullptr || found->keyframes.empty()) {
    return Status::NothingRecorded;
  }
  if (time < found->first() || time > found->end) {
    return Status::OutOfRange;
  }
  // What is shown stays if this does not come to its end.
  const bool same = in_past() && &shown_->recording() == found.get();
  const std::uint64_t before = same ? shown_->time() : 0;
  auto replay = same ? std::move(shown_) : std::make_unique<Replay>(device_, found);
  const Replay::Outcome outcome = replay->go_to(time, cancelled);
  if (outcome == Replay::Outcome::Reached) {
    shown_ = std::move(replay);
  } else if (same) {
    static_cast<void>(replay->go_to(before, nullptr));
    shown_ = std::move(replay);
  }
  return status_of(outcome);
}

Status TimeMachine::find(std::uint32_t launch, const Query& query, const Cancelled& cancelled,
                         Found& found) {
  const Hold hold(*this);
  const auto recorded = recording(launch);
  if (recorded == nullptr || recorded->keyframes.empty()) {
    return Status::NothingRecorded;
  }
  if (searched_ == nullptr || &searched_->recording() != recorded.get()) {
    searched_ = std::make_unique<Replay>(device_, recorded);
  }
  found = search(*searched_, device_, query, cancelled);
  return status_of(found.outcome);
}

device::HardwareThread* TimeMachine::find_thread(std::uint32_t ordinal) {
  return shown_->dispatcher().at(ordinal);
}

std::vector<std::uint32_t> TimeMachine::threads() {
  std::vector<std::uint32_t> ordinals;
  const device::Dispatcher& dispatcher = shown_->dispatcher();
  for (auto place = dispatcher.next_resident(0); place;
       place = dispatcher.next_resident(*place + 1)) {
    ordinals.push_back(*place);
  }
  return ordinals;
}

}  // namespace xesim::time
