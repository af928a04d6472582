// Instructions that reach outside the thread or wait for something there.
#include <utility>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/messages/messages.hpp"

namespace xesim::eu {

namespace {

// Dependencies and fences are kept by executing in order; there is nothing to wait for.
Step nothing(ExecutionContext&, const Instruction&) { return Step::Next; }

// Bits of ThreadState::barrier_pending that a sync.bar waits for: of the barrier whose number is its
// immediate, or is in the lowest byte of its flag register; without an operand, barrier 0.
std::uint32_t awaited_barriers(const ExecutionContext& context, const Instruction& instruction) {
  const Operand& number = instruction.source[0];
  constexpr std::uint32_t kNumberMask = 0x1F;
  if (number.file == RegisterFile::Immediate) {
    return 1u << (static_cast<std::uint32_t>(number.immediate) & kNumberMask);
  }
  if (number.file == RegisterFile::Arf && number.arf == Arf::Flag) {
    return 1u << (context.thread.flag[number.register_number] >> 8 * number.byte_offset &
                  kNumberMask);
  }
  return 1u;
}

// Takes the notification that it waits for; code at -O0 on Xe-HPC polls n0.0 for that before.
Step wait_for_barrier(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t awaited = awaited_barriers(context, instruction);
  if ((context.thread.barrier_pending & awaited) != 0) return Step::Blocked;
  context.thread.notification[0] &= ~awaited;
  return Step::Next;
}

Step step_after(ExecutionContext& context, MessageResult&& result) {
  switch (result.outcome) {
    case MessageOutcome::Done: return Step::Next;
    case MessageOutcome::EndOfThread: return Step::EndOfThread;
    case MessageOutcome::PageFault:
      context.fault = result.fault;
      return Step::PageFault;
    case MessageOutcome::Unsupported:
      context.report = std::move(result.report);
      return Step::Illegal;
  }
  return Step::Illegal;
}

// Gives the events of a message to an observer, and the accesses to a watch as well.
class WatchedToo final : public Observer {
 public:
  WatchedToo(Observer& observer, AccessWatch& watch) : observer_(observer), watch_(watch) {}
  void memory(const ThreadState& state, const MemoryAccess& access) override {
    observer_.memory(state, access);
    watch_.memory(state, access);
  }
  void barrier(const ThreadState& state, std::uint32_t id) override { observer_.barrier(state, id); }

 private:
  Observer& observer_;
  AccessWatch& watch_;
};

Step send_watched(ExecutionContext& context, const Instruction& instruction) {
  AccessWatch& watch = *context.watch;
  const auto send = [&](Observer& observer, const AccessWatch* alone) {
    return execute_send(context.platform, context.thread, instruction,
                        context.lanes << instruction.channel_offset, context.environment,
                        context.windows, &observer, alone);
  };
  MessageResult result;
  if (context.message_observer == nullptr) {
    result = send(watch, &watch);
  } else {
    WatchedToo both(*context.message_observer, watch);
    result = send(both, nullptr);
  }
  const Step step = step_after(context, std::move(result));
  const bool stops = step == Step::Next && watch.executed(context.thread, context.instructions);
  return stops ? Step::Watched : step;
}

Step send_message(ExecutionContext& context, const Instruction& instruction) {
  const DirectTransfer direct = instruction.plan.message.direct;
  if (direct != nullptr && context.message_observer == nullptr && direct(context, instruction)) {
    return Step::Next;
  }
  if (context.until_synchronisation && (context.goes_on || context.instructions != 0) &&
      synchronises(context.platform, context.thread, instruction)) {
    return Step::Synchronises;
  }
  if (context.watch != nullptr) return send_watched(context, instruction);
  return step_after(context,
                    execute_send(context.platform, context.thread, instruction,
                                 context.lanes << instruction.channel_offset, context.environment,
                                 context.windows, context.message_observer));
}

}  // namespace

Handler select_external(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Send: case Opcode::Sendc: return send_message;
    case Opcode::Nop: return nothing;
    case Opcode::Sync:
      switch (instruction.sync) {
        case SyncFunction::Nop: case SyncFunction::Allrd: case SyncFunction::Allwr:
        case SyncFunction::Flush: case SyncFunction::Fence:
          return nothing;
        case SyncFunction::Bar: return wait_for_barrier;
        case SyncFunction::Host: return nullptr;
      }
      return nullptr;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
