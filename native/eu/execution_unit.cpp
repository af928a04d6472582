#include "eu/execution_unit.hpp"

#include <cfenv>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "eu/decode/decode.hpp"
#include "eu/execute/prepare.hpp"
#include "eu/operands/lane_block.hpp"
#include "eu/operands/predication.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

namespace {

constexpr std::uint32_t kRetakenExceptions = cr0::kPageFault | cr0::kForceException |
                                             cr0::kIllegalOpcode | cr0::kSoftwareException |
                                             cr0::kExternalHalt;

void take_exception(ThreadState& thread, std::uint32_t status) {
  thread.control[1] |= status;
  thread.control[2] = thread.ip;
}

// Leaves the host's floating-point environment as it was.
class HostRounding {
 public:
  HostRounding() : mode_(std::fegetround()) {}
  ~HostRounding() { std::fesetround(mode_); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  int mode_;
};

// What stands before the reason in a report.
std::string place(std::uint32_t ip, const Instruction* instruction) {
  char where[32];
  std::snprintf(where, sizeof where, "0x%08" PRIx32, ip);
  const std::string name = instruction == nullptr ? "no instruction" : mnemonic(*instruction);
  return "ip " + std::string(where) + ": " + name + ": ";
}

// What one call of run does, from its first instruction to its outcome.
template <bool kObserved, bool kDebugging>
class Run {
 public:
  Run(ExecutionContext& context, std::uint64_t budget) : context_(context), budget_(budget) {}

  RunResult execute() {
    if (kObserved && context_.thread.instructions_executed == 0) {
      context_.observer->thread_begin(context_.thread);
    }
    if (kDebugging && !resume()) return result(Outcome::Exception);
    if (kDebugging && context_.watch != nullptr && context_.watch->sees_each()) return execute_seen();
    while (context_.instructions < budget_) {
      if (!step()) return result(outcome_);
    }
    return result(Outcome::BudgetSpent);
  }

 private:
  // As execute(), with each instruction seen by the watch.
  RunResult execute_seen() {
    while (context_.instructions < budget_) {
      const std::uint64_t before = context_.instructions;
      const std::uint32_t ip = context_.thread.ip;
      const Instruction* instruction = context_.code.fetch(ip);
      const bool ended = !step();
      const bool goes_on = !ended || outcome_ == Outcome::Exception;
      const bool stops =
          goes_on && context_.instructions != before &&
          context_.watch->stepped(context_.thread,
                                  {.ip = ip,
                                   .lanes = context_.lanes << instruction->channel_offset,
                                   .before = before,
                                   .ends_next = ends_next()});
      if (ended) return result(outcome_);
      if (stops) return result(stop_for_watch());
    }
    return result(Outcome::BudgetSpent);
  }

  // Whether the next instruction is the thread's last.
  bool ends_next() {
    const Instruction* next = context_.code.fetch(context_.thread.ip);
    return next != nullptr && next->send.end_of_thread;
  }

  // The resume protocol; false if an exception is taken at once.
  bool resume() {
    ThreadState& thread = context_.thread;
    if ((thread.control[1] & kRetakenExceptions) != 0) {
      take_exception(thread, 0);
      return false;
    }
    stepping_ = (thread.control[1] & cr0::kBreakpoint) != 0;
    first_ = true;
    return true;
  }

  // One instruction. False if the run ends with it: `outcome_` says how.
  bool step() {
    ThreadState& thread = context_.thread;
    if (context_.may_wait_at(thread.ip)) context_.enable_arrived();
    const Instruction* instruction = context_.code.fetch(thread.ip);
    if (instruction == nullptr) return ends(nothing_to_execute());
    if (instruction->plan.handler == nullptr) prepare(*instruction, context_.platform);
    if constexpr (kDebugging) {
      if (stops_before(*instruction)) return ends(Outcome::Exception);
    }
    const Step done = dispatch(*instruction);
    if (done == Step::Next) thread.ip += instruction->length;
    else if (done != Step::Jumped) return ends(outcome_of(done, *instruction));
    ++context_.instructions;
    if constexpr (kDebugging) {
      const bool stepped = after_first();
      if (raised_exception(*instruction) || stepped) return ends(Outcome::Exception);
    }
    return true;
  }

  bool ends(Outcome outcome) {
    outcome_ = outcome;
    return false;
  }

  // What becomes of the run with an instruction after which it does not go on.
  Outcome outcome_of(Step done, const Instruction& instruction) {
    switch (done) {
      case Step::Watched: return watched(instruction);
      case Step::Blocked: return Outcome::BarrierWait;
      case Step::Synchronises: return Outcome::SynchronisationAhead;
      case Step::PageFault: return page_fault();
      case Step::Illegal: return illegal(&instruction, instruction.plan.problem);
      default:
        ++context_.instructions;
        return end_of_thread();
    }
  }

  Step dispatch(const Instruction& instruction) {
    const ExecutionPlan& plan = instruction.plan;
    if (plan.registers > context_.register_count) {
      context_.report = "a register number beyond the thread's registers";
      return Step::Illegal;
    }
    const std::uint32_t all = lane_mask(instruction.execution_size);
    std::uint32_t lanes =
        instruction.no_mask ? all : context_.enabled >> instruction.channel_offset & all;
    if (instruction.predicate != Predicate::None) {
      const std::uint32_t truth = predicate_lanes(context_.thread, instruction);
      if (plan.predicate_selects) context_.selected = truth;
      else lanes &= truth;
    }
    context_.lanes = lanes;
    if constexpr (kObserved) {
      context_.synchronise();
      context_.observer->instruction(context_.thread, instruction,
                                     lanes << instruction.channel_offset);
    }
    if (lanes == 0 && !plan.always_called) return Step::Next;
    unsigned count = instruction.execution_size;
    while (count > kLaneBlock && lanes >> count / 2 == 0) count /= 2;
    context_.lane_count = count;
    return plan.handler(context_, instruction);
  }

  bool stops_before(const Instruction& instruction) {
    ThreadState& thread = context_.thread;
    const bool suppressed = (thread.control[0] & cr0::kBreakpointSuppress) != 0;
    if (!instruction.breakpoint || (first_ && suppressed)) return false;
    raise(cr0::kBreakpoint);
    return true;
  }

  // Once the first instruction has executed, suppression and the request to step are used up. Up
  // to then they stay, so that a thread that waits for a barrier still has them when it goes on.
  bool after_first() {
    ThreadState& thread = context_.thread;
    if (!first_) return false;
    use_up_resume_bits();
    if (!stepping_) return false;
    if (context_.may_wait_at(thread.ip)) context_.enable_arrived();
    raise(cr0::kBreakpoint);
    return true;
  }

  // After a message that accessed what is watched.
  Outcome watched(const Instruction& instruction) {
    ThreadState& thread = context_.thread;
    thread.ip += instruction.length;
    ++context_.instructions;
    if (after_first()) return Outcome::Exception;
    return stop_for_watch();
  }

  Outcome stop_for_watch() {
    if (context_.may_wait_at(context_.thread.ip)) context_.enable_arrived();
    raise(cr0::kBreakpoint);
    watched_ = true;
    return Outcome::Exception;
  }

  // A failed assertion sets a bit of cr0.1 itself.
  bool raised_exception(const Instruction& instruction) {
    if (instruction.plan.destination.effect != DestinationEffect::Control) return false;
    if ((context_.thread.control[1] & kRetakenExceptions) == 0) return false;
    take_exception(context_.thread, 0);
    return true;
  }

  void use_up_resume_bits() {
    if (!first_) return;
    first_ = false;
    context_.thread.control[0] &= ~cr0::kBreakpointSuppress;
    context_.thread.control[1] &= ~cr0::kBreakpoint;
  }

  void raise(std::uint32_t status) {
    raised_ = status;
    take_exception(context_.thread, status);
  }

  Outcome end_of_thread() {
    context_.synchronise();
    if constexpr (kObserved) context_.observer->thread_end(context_.thread);
    return Outcome::EndOfThread;
  }

  // The ip is outside every kernel: in no memory at all, or in memory that holds no instruction.
  Outcome nothing_to_execute() {
    const std::uint64_t address = context_.environment.instruction_base() + context_.thread.ip;
    if (context_.environment.window(MemorySpace::Global, address).size != 0) {
      return illegal(nullptr, "there is no code here");
    }
    context_.fault = {.present = true,
                      .address = address,
                      .access = FaultAccess::InstructionFetch,
                      .reason = FaultReason::NotMapped,
                      .space = MemorySpace::Global,
                      .lane = 0};
    return page_fault();
  }

  Outcome page_fault() {
    use_up_resume_bits();
    raise(cr0::kPageFault);
    return Outcome::Exception;
  }

  Outcome illegal(const Instruction* instruction, const char* problem) {
    const std::string start = place(context_.thread.ip, instruction);
    reason_start_ = start.size();
    context_.report = start + (problem != nullptr ? problem : context_.report);
    use_up_resume_bits();
    raise(cr0::kIllegalOpcode);
    return Outcome::Exception;
  }

  RunResult result(Outcome outcome) {
    context_.synchronise();
    RunResult result;
    result.outcome = outcome;
    result.instructions = context_.instructions;
    result.global_atomics = context_.windows.global_atomics;
    result.fault = context_.fault;
    result.raised = raised_;
    result.watched = watched_;
    if (raised_ == cr0::kIllegalOpcode) {
      result.report = std::move(context_.report);
      result.reason_start = reason_start_;
    }
    return result;
  }

  ExecutionContext& context_;
  const std::uint64_t budget_;
  Outcome outcome_ = Outcome::BudgetSpent;
  bool stepping_ = false;
  bool first_ = false;
  std::uint32_t raised_ = 0;
  bool watched_ = false;
  std::size_t reason_start_ = 0;
};

}  // namespace

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::BudgetSpent: return "budget";
    case Outcome::BarrierWait: return "barrier";
    case Outcome::EndOfThread: return "end";
    case Outcome::SynchronisationAhead: return "synchronisation";
    case Outcome::Exception: return "exception";
  }
  return "unknown";
}

ExecutionUnit::ExecutionUnit(Platform platform) : platform_(platform) {}

RunResult ExecutionUnit::run(ThreadState& thread, ThreadEnvironment& environment, CodeCache& code,
                             const RunOptions& options) {
  const HostRounding keep;
  const Subscriptions wanted =
      options.observer != nullptr ? options.observer->subscriptions() : Subscriptions{};
  ExecutionContext context(platform_, thread, environment, code, options.observer);
  context.message_observer = wanted.memory || wanted.barriers ? options.observer : nullptr;
  context.until_synchronisation = options.until_synchronisation;
  context.goes_on = options.goes_on;
  context.watch = options.debugging ? options.watch : nullptr;
  if (wanted.threads || wanted.instructions) {
    return options.debugging ? Run<true, true>(context, options.budget).execute()
                             : Run<true, false>(context, options.budget).execute();
  }
  return options.debugging ? Run<false, true>(context, options.budget).execute()
                           : Run<false, false>(context, options.budget).execute();
}

void ExecutionUnit::take_breakpoint(ThreadState& thread) {
  take_exception(thread, cr0::kBreakpoint);
}

void ExecutionUnit::force_exception(ThreadState& thread) {
  take_exception(thread, cr0::kForceException);
}

}  // namespace xesim::eu
