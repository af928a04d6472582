// Instructions that reach outside the thread or wait for something there.
#include <utility>

#include "eu/lane_operation.hpp"
#include "eu/messages.hpp"
#include "eu/operations.hpp"

namespace xesim::eu {

namespace {

// Dependencies and fences are kept by executing in order; there is nothing to wait for.
Step nothing(ExecutionContext&, const Instruction&) { return Step::Next; }

// Takes the notification that it waits for; code at -O0 on Xe-HPC polls n0.0 for that before.
Step wait_for_barrier(ExecutionContext& context, const Instruction&) {
  constexpr std::uint32_t kNotificationBarrier = 1;
  if (context.thread.barrier_pending != 0) return Step::Blocked;
  context.thread.notification[0] &= ~kNotificationBarrier;
  return Step::Next;
}

Step send_message(ExecutionContext& context, const Instruction& instruction) {
  MessageResult result = execute_send(
      context.platform, context.thread, instruction, context.lanes << instruction.channel_offset,
      context.environment, context.windows, context.observer);
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
