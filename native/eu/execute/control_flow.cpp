// Branches. Every channel has an instruction pointer of its own; those whose pointer equals the
// thread's execute. A branch moves channels by setting their pointer, and the thread by setting
// its own. The run loop enables channels as soon as the thread gets to where they wait, so a join
// has nothing to do unless no channel arrives.
#include <algorithm>
#include <bit>
#include <cstring>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

// With NoMask a branch does not ask where a channel is. Those that were added to sr0.2, which wait
// nowhere, come along: oneDNN's assembler runs all 32 channels of threads that were dispatched with
// 16 so. Of channels that wait elsewhere no generator of code takes any.
void take_added_channels(ExecutionContext& context, const Instruction& instruction) {
  if (!instruction.no_mask) return;
  ThreadState& thread = context.thread;
  std::uint32_t rest = lane_mask(instruction.execution_size) << instruction.channel_offset &
                       context.waiting();
  for (; rest != 0; rest &= rest - 1) {
    const int channel = std::countr_zero(rest);
    if (thread.channel_ip[channel] != kNoInstruction) continue;
    thread.channel_ip[channel] = thread.ip;
    context.enabled |= 1u << channel;
  }
}

// Channels that the instruction may move: enabled, and within its execution size.
std::uint32_t affected_channels(const ExecutionContext& context, const Instruction& instruction) {
  return lane_mask(instruction.execution_size) << instruction.channel_offset & context.enabled;
}

// Of those, the ones for which the predicate is true.
std::uint32_t taking_channels(const ExecutionContext& context, const Instruction& instruction) {
  return context.lanes << instruction.channel_offset & context.enabled;
}

std::uint32_t next_ip(const ExecutionContext& context, const Instruction& instruction) {
  return context.thread.ip + instruction.length;
}

std::uint32_t target(const ExecutionContext& context, std::int32_t offset) {
  return context.thread.ip + static_cast<std::uint32_t>(offset);
}

Step jump(ExecutionContext& context, std::uint32_t ip) {
  context.thread.ip = ip;
  return Step::Jumped;
}

// The target in JIP, or in the first source, from this very instruction.
std::uint32_t jump_target(ExecutionContext& context, const Instruction& instruction) {
  if (instruction.source_count == 0) {
    return target(context, instruction.jip);
  }
  Lanes<std::int32_t> offset;
  const SourcePlan& plan = instruction.plan.source[0];
  plan.load(context, instruction.source[0], plan, 1, offset.value);
  return target(context, offset.value[0]);
}

// Past the instruction at `ip` if it is of that kind. A compiler may name the end of a block by the
// instruction that ends it or by the next one; channels that leave the block must skip it.
std::uint32_t past(ExecutionContext& context, std::uint32_t ip, Opcode opcode) {
  const Instruction* at = context.code.fetch(ip);
  return at != nullptr && at->opcode == opcode ? ip + at->length : ip;
}

// Moves the enabled channels to `ip` together with the thread, except those in `staying`,
// which wait at `waiting_ip`.
Step jump_without(ExecutionContext& context, std::uint32_t staying, std::uint32_t waiting_ip,
                  std::uint32_t ip) {
  context.send_channels_to(staying, waiting_ip);
  return jump(context, ip);
}

// Sends `channels` to `ip`; goes on with the others, or to `otherwise` if there are none.
Step send_away(ExecutionContext& context, std::uint32_t channels, std::uint32_t ip,
               std::uint32_t otherwise) {
  if (channels != 0) context.send_channels_to(channels, ip);
  return context.enabled == 0 ? jump(context, otherwise) : Step::Next;
}

// Scalar: one bit of the predicate decides for all channels, enabled or not.
Step jump_indexed(ExecutionContext& context, const Instruction& instruction) {
  if ((predicate_lanes(context.thread, instruction) & 1) == 0) return Step::Next;
  return jump(context, jump_target(context, instruction));
}

Step go_to(ExecutionContext& context, const Instruction& instruction) {
  take_added_channels(context, instruction);
  const std::uint32_t taking = taking_channels(context, instruction);
  const std::uint32_t jip = target(context, instruction.jip);
  const std::uint32_t uip = target(context, instruction.uip);
  if (!instruction.branch_control) return send_away(context, taking, uip, jip);
  if (taking == 0) return jump(context, jip);
  return jump_without(context, context.enabled & ~taking, jip, uip);
}

// join and endif.
Step join(ExecutionContext& context, const Instruction& instruction) {
  return context.enabled == 0 ? jump(context, target(context, instruction.jip)) : Step::Next;
}

Step begin_if(ExecutionContext& context, const Instruction& instruction) {
  take_added_channels(context, instruction);
  const std::uint32_t jip = target(context, instruction.jip);
  const std::uint32_t leaving =
      affected_channels(context, instruction) & ~taking_channels(context, instruction);
  return send_away(context, leaving, past(context, jip, Opcode::Else), jip);
}

Step begin_else(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t next = next_ip(context, instruction);
  context.send_channels_to(affected_channels(context, instruction),
                           target(context, instruction.uip));
  if (context.enabled != 0 || context.may_wait_at(next)) return Step::Next;
  return jump(context, target(context, instruction.jip));
}

Step end_while(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t jip = target(context, instruction.jip);
  if (instruction.no_mask) return context.lanes != 0 ? jump(context, jip) : Step::Next;
  const std::uint32_t looping = taking_channels(context, instruction);
  if (looping == 0) return Step::Next;
  return jump_without(context, context.enabled & ~looping, next_ip(context, instruction), jip);
}

Step leave_loop(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t uip = past(context, target(context, instruction.uip), Opcode::While);
  return send_away(context, taking_channels(context, instruction), uip,
                   target(context, instruction.jip));
}

// cont and halt: to UIP, where the loop or the program ends.
Step leave_block(ExecutionContext& context, const Instruction& instruction) {
  return send_away(context, taking_channels(context, instruction),
                   target(context, instruction.uip), target(context, instruction.jip));
}

// Jumps if any channel does; the others wait.
Step branch_diverging(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t taking = taking_channels(context, instruction);
  if (taking == 0) return Step::Next;
  const std::uint32_t ip = jump_target(context, instruction);
  return jump_without(context, context.enabled & ~taking, next_ip(context, instruction), ip);
}

// Jumps if all channels do.
Step branch_converging(ExecutionContext& context, const Instruction& instruction) {
  const std::uint32_t ip = jump_target(context, instruction);
  const std::uint32_t uip =
      instruction.source_count == 0 ? target(context, instruction.uip) : ip;
  return send_away(context, taking_channels(context, instruction), uip, ip);
}

// call and calla: the destination gets the return address and the mask of the channels that take
// part in the caller's execution. All others are parked until the return.
template <bool kAbsolute>
Step call(ExecutionContext& context, const Instruction& instruction) {
  ThreadState& thread = context.thread;
  const std::uint32_t calling = taking_channels(context, instruction);
  if (calling == 0) return Step::Next;
  std::uint32_t ip = jump_target(context, instruction);
  if (kAbsolute) ip -= thread.ip;
  const std::uint32_t back[] = {next_ip(context, instruction),
                                thread.state[2] & ~thread.parked_channels};
  std::memcpy(context.bytes() + instruction.plan.destination.position, back, sizeof back);
  context.send_channels_to(context.enabled & ~calling, back[0]);
  thread.parked_channels = thread.state[2] & ~calling;
  context.refresh_waiting_filter();
  return jump(context, ip);
}

// The last channel that returns brings the caller's channels back.
Step return_from_call(ExecutionContext& context, const Instruction& instruction) {
  ThreadState& thread = context.thread;
  const std::uint32_t returning = taking_channels(context, instruction);
  if (returning == 0) return Step::Next;
  std::uint32_t back[2];
  std::memcpy(back, context.bytes() + instruction.plan.source[0].position, sizeof back);
  const std::uint32_t staying = thread.state[2] & ~thread.parked_channels & ~returning;
  if (staying == 0) {
    thread.parked_channels = thread.state[2] & ~back[1] & ~returning;
    context.refresh_waiting_filter();
    return jump(context, back[0]);
  }
  context.send_channels_to(returning, back[0]);
  thread.parked_channels |= returning;
  context.refresh_waiting_filter();
  if (context.enabled != 0) return Step::Next;
  std::uint32_t nearest = kNoInstruction;
  for (std::uint32_t rest = staying; rest != 0; rest &= rest - 1) {
    nearest = std::min(nearest, thread.channel_ip[std::countr_zero(rest)]);
  }
  return jump(context, nearest);
}

}  // namespace

Handler select_branch(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Jmpi: return jump_indexed;
    case Opcode::Goto: return go_to;
    case Opcode::Join: case Opcode::Endif: return join;
    case Opcode::If: return begin_if;
    case Opcode::Else: return begin_else;
    case Opcode::While: return end_while;
    case Opcode::Break: return leave_loop;
    case Opcode::Cont: case Opcode::Halt: return leave_block;
    case Opcode::Brd: return branch_diverging;
    case Opcode::Brc: return branch_converging;
    case Opcode::Call: return call<false>;
    case Opcode::Calla: return call<true>;
    case Opcode::Ret: return return_from_call;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
