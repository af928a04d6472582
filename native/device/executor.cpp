#include "device/executor.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace xesim::device {

namespace {

// The longest turn after a stop, while others come to theirs; and how many rounds that takes at
// most.
constexpr std::uint64_t kSettlingInstructions = 256;
constexpr unsigned kSettlingRounds = 64;
// Instructions in the order of one core, first, when groups wait for each other.
constexpr std::uint64_t kFirstAlone = 1024 * 1024;
// A debugger that lets other threads run beside stopped ones does not act; they go on after this.
constexpr std::chrono::milliseconds kStandStill{1000};

}  // namespace

Executor::Executor(const Topology& topology, AddressSpace& space)
    : view(space.memory),
      code(topology.platform),
      dispatcher(topology, space.memory, view, space.surfaces, space.samplers),
      scheduler(dispatcher),
      topology_(topology),
      memory_(space.memory),
      surfaces_(space.surfaces),
      samplers_(space.samplers),
      unit_(topology.platform),
      parallel_run_(topology, dispatcher, code, lock) {}

void Executor::wake() {
  {
    const std::scoped_lock guard(wake_mutex_);
    ++wakes_;
  }
  wake_condition_.notify_all();
}

void Executor::hold(bool held) {
  held_ = held;
  wake();
}

std::uint64_t Executor::wakes() {
  const std::scoped_lock guard(wake_mutex_);
  return wakes_;
}

void Executor::wait_for_change(std::optional<std::chrono::milliseconds> limit) {
  wait_for_wake(limit);
  while (held_) {
    wait_for_wake(std::nullopt);
  }
}

void Executor::wait_for_wake(std::optional<std::chrono::milliseconds> limit) {
  std::unique_lock guard(wake_mutex_);
  const std::uint64_t seen = wakes_;
  const auto changed = [&] { return wakes_ != seen; };
  lock.unlock();
  if (limit) {
    wake_condition_.wait_for(guard, *limit, changed);
  } else {
    wake_condition_.wait(guard, changed);
  }
  guard.unlock();
  lock.lock();
}

void Executor::begin_settling() {
  const std::scoped_lock guard(settling_mutex_);
  settling_ = true;
}

void Executor::end_settling() {
  settling_rounds_ = 0;
  {
    const std::scoped_lock guard(settling_mutex_);
    if (!settling_) {
      return;
    }
    settling_ = false;
  }
  settled_.notify_all();
  if (listener != nullptr) {
    listener->stops_settled();
  }
}

void Executor::wait_until_settled() {
  std::unique_lock guard(settling_mutex_);
  settled_.wait(guard, [this] { return !settling_; });
}

void Executor::let_others_in() {
  if (lock.contended()) {
    lock.unlock();
    lock.lock();
  }
  while (held_) {
    wait_for_wake(std::nullopt);
  }
}

bool Executor::any_stopped() const {
  for (auto place = dispatcher.next_resident(0); place;
       place = dispatcher.next_resident(*place + 1)) {
    if (dispatcher.at(*place)->run == ThreadRun::Stopped) {
      return true;
    }
  }
  return false;
}

std::string Executor::describe(const HardwareThread& thread) const {
  const KernelLaunch& launch = dispatcher.launch_of(thread).launch;
  std::ostringstream out;
  out << "kernel " << launch.kernel_name << ", thread " << thread.id.slice << '.'
      << thread.id.subslice << '.' << thread.id.eu << '.' << thread.id.thread << ", work-group ("
      << thread.group[0] << ',' << thread.group[1] << ',' << thread.group[2] << "), ip 0x"
      << std::hex << thread.state.ip << " (kernel + 0x"
      << memory_.instruction_base() + thread.state.ip - launch.code_address << ')';
  return out.str();
}

void Executor::lose(DispatchedLaunch& launch, std::string reason, LaunchStatus status) {
  launch.outcome = {status, std::move(reason)};
  dispatcher.abandon(launch);
  in_round_ = false;
  turn_.reset();
}

bool Executor::take_turn() {
  if (!turn_) {
    turn_ = scheduler.next();
    if (turn_ && settling_) {
      turn_->budget = std::min(turn_->budget, kSettlingInstructions);
    }
  }
  return turn_.has_value();
}

void Executor::end_turn(TurnEnd end) {
  scheduler.turn_ended(*turn_, end);
  turn_.reset();
}

bool Executor::run_turn() {
  HardwareThread& thread = *dispatcher.at(turn_->ordinal);
  if (watch != nullptr) {
    watch->begin_run(thread, time());
  }
  const eu::RunOptions options{.budget = std::min(turn_->budget, checkpoint_ - instructions),
                               .debugging = listener != nullptr,
                               .until_synchronisation = turn_->until_synchronisation,
                               .goes_on = turn_->executed != 0,
                               .observer = observer,
                               .watch = watch};
  const eu::RunResult result =
      unit_.run(thread.state, dispatcher.environment(thread), code.of_core(0), options);
  instructions += result.instructions;
  turn_->budget -= result.instructions;
  turn_->executed += result.instructions;
  const std::uint32_t ordinal = turn_->ordinal;
  bool goes_on = true;
  switch (result.outcome) {
    case eu::Outcome::BudgetSpent:
      if (turn_->budget == 0) {
        end_turn(TurnEnd::BudgetSpent);
      }
      break;
    case eu::Outcome::SynchronisationAhead:
      end_turn(TurnEnd::SynchronisationAhead);
      break;
    case eu::Outcome::BarrierWait:
      thread.run = ThreadRun::AtBarrier;
      end_turn(TurnEnd::Waiting);
      break;
    case eu::Outcome::EndOfThread: {
      const ThreadId id = thread.id;
      dispatcher.retire(thread);
      end_turn(TurnEnd::Gone);
      if (listener != nullptr) {
        listener->thread_ended(id);
      }
      break;
    }
    case eu::Outcome::Exception:
      end_turn(TurnEnd::Waiting);
      goes_on = take_exception(thread, result);
      break;
  }
  if (recorder != nullptr && goes_on) {
    record(ordinal, result);
  }
  if (goes_on && instructions == checkpoint_) {
    meet_checkpoint();
  }
  return goes_on;
}

void Executor::record(std::uint32_t ordinal, const eu::RunResult& result) {
  if (!result.watched) {
    recorder->thread_ran(ordinal, result);
    return;
  }
  eu::RunResult ran = result;
  ran.outcome = eu::Outcome::BudgetSpent;
  recorder->thread_ran(ordinal, ran);
  recorder->thread_changed(ordinal, stop_after_watched);
}

// Everything that could see an order of turns other than the kernel itself, which is promised none:
bool Executor::may_run_in_parallel() const {
  return host_cores_.count > 1 && instructions >= alone_until_
         // an observer gets each instruction, in the order of execution;
         && observer == nullptr
         // a debugger stops the device where a thread meets a breakpoint or a fault, and finds the
         // others at the same places each time;
         && listener == nullptr && !settling_
         // a checkpoint is an exact number of instructions;
         && checkpoint_ == kNever
         // random and adversarial schedules interleave groups on purpose;
         && scheduler.policy() == SchedulingPolicy::RoundRobin
         // and a round that has begun goes on alone.
         && !in_round_;
}

bool Executor::run_in_parallel() {
  const ParallelRun::Done done = parallel_run_.run(host_cores_.count, host_cores_.alone);
  instructions += done.instructions;
  if (done.waits) {
    alone_until_ = instructions + next_alone_;
    next_alone_ *= 8;
  }
  if (done.fault && !take_exception(*done.fault->thread, done.fault->result)) {
    return true;
  }
  // A caller that comes in now finds the device as full as one core leaves it.
  refill();
  return done.instructions != 0;
}

void Executor::set_checkpoint(std::uint64_t at, std::function<void()> reached) {
  checkpoint_ = std::max(at, instructions + 1);
  checkpoint_reached_ = std::move(reached);
}

void Executor::meet_checkpoint() {
  checkpoint_ = kNever;
  // It may set the next one.
  const std::function<void()> reached = std::exchange(checkpoint_reached_, nullptr);
  reached();
}

bool Executor::take_exception(HardwareThread& thread, const eu::RunResult& result) {
  if (listener != nullptr) {
    stop(thread, result);
    stopped_in_round_ = true;
    begin_settling();
    listener->exception_taken(thread);
    return true;
  }
  std::ostringstream reason;
  reason << describe(thread) << ": ";
  if (result.fault.present) {
    reason << eu::describe(result.fault);
  } else if (!result.report.empty()) {
    reason << result.report;
  } else {
    reason << "exception, cr0.1 = 0x" << std::hex << thread.state.control[1];
  }
  lose(dispatcher.launch_of(thread), reason.str(),
       result.raised == eu::cr0::kIllegalOpcode ? LaunchStatus::Refused : LaunchStatus::Lost);
  return false;
}

bool Executor::may_begin(const KernelLaunch& launch) const {
  // An observer, and who counts instructions up to a checkpoint, want one launch.
  return dispatcher.launches().empty() ||
         (observer == nullptr && checkpoint_ == kNever && dispatcher.has_place_for(launch));
}

std::variant<DispatchedLaunch*, std::string> Executor::begin(const KernelLaunch& launch) {
  while (held_ || !may_begin(launch)) {
    wait_for_wake(std::nullopt);
  }
  memory_.forget_program_memory();
  const bool first = dispatcher.launches().empty();
  auto begun = dispatcher.begin(launch);
  if (std::holds_alternative<std::string>(begun)) {
    return begun;
  }
  if (first) {
    began_at_ = instructions;
    in_round_ = false;
    turn_.reset();
    alone_until_ = 0;
    next_alone_ = kFirstAlone;
    scheduler.begin();
  } else {
    if (recorder != nullptr) {
      recorder->another_launch_began();
    }
    wake();
  }
  return begun;
}

LaunchEnd Executor::run(DispatchedLaunch& launch) {
  if (recorder != nullptr && running() != nullptr) {
    recorder->launch_began(*this);
  }
  // A round that was restored is gone on with; one that another caller drives is not waited for.
  while (!dispatcher.finished(launch) || (in_round_ && !driven_)) {
    if (driven_ || held_) {
      wait_for_wake(std::nullopt);
      continue;
    }
    driven_ = true;
    try {
      run_rounds(launch);
    } catch (...) {
      lose(launch, {});
      driven_ = false;
      end(launch);
      throw;
    }
    driven_ = false;
  }
  LaunchEnd outcome = std::move(launch.outcome);
  end(launch);
  return outcome;
}

void Executor::end(DispatchedLaunch& launch) {
  if (dispatcher.alone() != nullptr) {
    end_settling();
    if (recorder != nullptr) {
      recorder->launch_ended();
    }
    checkpoint_ = kNever;
    checkpoint_reached_ = nullptr;
  }
  dispatcher.end(launch);
  if (listener != nullptr && dispatcher.launches().empty()) {
    listener->became_idle();
  }
  wake();
}

std::variant<LaunchEnd, std::string> Executor::run_from(DispatchedLaunch& launch,
                                                        const Snapshot& snapshot) {
  auto error = running() != nullptr ? restore(snapshot) : "another launch runs";
  if (error) {
    dispatcher.abandon(launch);
    end(launch);
    return std::move(*error);
  }
  return run(launch);
}

Snapshot Executor::save() {
  Snapshot snapshot;
  snapshot.device = topology_.key;
  snapshot.executor = {.launch = fingerprint(*running()),
                       .instructions = instructions,
                       .in_round = in_round_,
                       .progress = progress_,
                       .stopped = stopped_in_round_,
                       .turn = {}};
  if (turn_) {
    snapshot.executor.turn.push_back(*turn_);
  }
  snapshot.scheduler = scheduler.state();
  snapshot.dispatcher = dispatcher.state();
  for (const std::span<std::byte> part : dispatcher.contents()) {
    snapshot.contents.push_back(FrozenBytes::freeze(part));
  }
  snapshot.memory = capture(memory_, surfaces_);
  return snapshot;
}

std::optional<std::string> Executor::restore(const Snapshot& snapshot) {
  if (snapshot.device != topology_.key) {
    return "a snapshot of another device: " + snapshot.device;
  }
  if (snapshot.executor.launch != fingerprint(*running())) {
    return "a snapshot of another launch";
  }
  if (auto error = check(snapshot.memory, memory_)) {
    return error;
  }
  if (auto error = dispatcher.check(snapshot.dispatcher, snapshot.contents)) {
    return error;
  }
  const auto runs = [&](const Turn& turn) {
    return std::ranges::any_of(snapshot.dispatcher.threads, [&](const ResidentThreadState& thread) {
      return thread.ordinal == turn.ordinal && thread.run == ThreadRun::Runnable;
    });
  };
  if (!Scheduler::is_valid(snapshot.scheduler, topology_.thread_count()) ||
      snapshot.executor.turn.size() > 1 ||
      !std::ranges::all_of(snapshot.executor.turn,
                           [&](const Turn& turn) { return turn.budget != 0 && runs(turn); })) {
    return "a damaged snapshot: threads take turns that do not exist";
  }
  apply(snapshot.memory);
  code.invalidate(0, UINT32_MAX);
  dispatcher.restore(snapshot.dispatcher, snapshot.contents);
  scheduler.restore(snapshot.scheduler);
  instructions = snapshot.executor.instructions;
  in_round_ = snapshot.executor.in_round;
  progress_ = snapshot.executor.progress;
  stopped_in_round_ = snapshot.executor.stopped;
  turn_.reset();
  if (!snapshot.executor.turn.empty()) {
    turn_ = snapshot.executor.turn.front();
  }
  began_at_ = instructions;
  return std::nullopt;
}

bool Executor::refill() {
  const bool placed = dispatcher.refill();
  if (recorder != nullptr) {
    recorder->refilled();
  }
  return placed;
}

void Executor::begin_round() {
  refill();
  in_round_ = true;
  progress_ = false;
  stopped_in_round_ = false;
  scheduler.begin_round(settling_);
}

void Executor::tell_ended() {
  if (running() == nullptr && std::ranges::any_of(dispatcher.launches(), [this](const auto& each) {
        return dispatcher.finished(*each);
      })) {
    wake();
  }
}

void Executor::run_rounds(const DispatchedLaunch& launch) {
  while (in_round_ || !dispatcher.finished(launch)) {
    tell_ended();
    if (may_run_in_parallel() && run_in_parallel()) {
      let_others_in();
      continue;
    }
    if (!in_round_) {
      begin_round();
    }
    while (take_turn()) {
      progress_ = true;
      if (!run_turn()) {
        break;
      }
      let_others_in();
    }
    in_round_ = false;
    progress_ |= refill();
    const bool progress = progress_;  // others may restore() while this waits
    if (settling_ && (!progress || !stopped_in_round_ || ++settling_rounds_ == kSettlingRounds)) {
      const std::uint64_t seen = wakes();
      end_settling();
      if (wakes() != seen) {  // the listener let threads go on
        continue;
      }
      if (progress && listener != nullptr) {
        wait_for_change(kStandStill);
      }
    }
    if (progress) {
      continue;
    }
    // Under a debugger even a deadlock can be looked into, and ended; so wait for it.
    const auto place = dispatcher.next_resident(0);
    if (place && listener == nullptr && !any_stopped()) {
      const HardwareThread& thread = *dispatcher.at(*place);
      lose(dispatcher.launch_of(thread),
           describe(thread) +
               ": deadlock: every thread waits at a barrier that cannot complete");
      continue;
    }
    wait_for_change();
  }
}

}  // namespace xesim::device
