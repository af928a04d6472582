#include "eu/operands/predication.hpp"

namespace xesim::eu {

namespace {

// Bits of a power-of-two group that are all alike: those of its lowest bit, if `any` or `all` of
// the group is set.
std::uint32_t spread_groups(std::uint32_t flags, unsigned group, bool all) {
  for (unsigned distance = 1; distance < group; distance *= 2) {
    flags = all ? flags & flags >> distance : flags | flags >> distance;
  }
  std::uint32_t spread = 0;
  const std::uint32_t ones = lane_mask(group);
  for (unsigned first = 0; first < 32; first += group) {
    if ((flags >> first & 1) != 0) spread |= ones << first;
  }
  return spread;
}

std::uint32_t evaluate(const ThreadState& thread, const Instruction& instruction) {
  const std::uint32_t flags = thread.flag[instruction.flag_register];
  switch (instruction.predicate) {
    case Predicate::None: return 0xFFFFFFFFu;
    case Predicate::Normal: return flags;
    // Vertical: the same bit of both flag registers.
    case Predicate::AnyV: return thread.flag[0] | thread.flag[1];
    case Predicate::AllV: return thread.flag[0] & thread.flag[1];
    case Predicate::Any2h: return spread_groups(flags, 2, false);
    case Predicate::All2h: return spread_groups(flags, 2, true);
    case Predicate::Any4h: return spread_groups(flags, 4, false);
    case Predicate::All4h: return spread_groups(flags, 4, true);
    case Predicate::Any8h: return spread_groups(flags, 8, false);
    case Predicate::All8h: return spread_groups(flags, 8, true);
    case Predicate::Any16h: return spread_groups(flags, 16, false);
    case Predicate::All16h: return spread_groups(flags, 16, true);
    case Predicate::Any32h: return spread_groups(flags, 32, false);
    case Predicate::All32h: return spread_groups(flags, 32, true);
    // The channels of the instruction.
    case Predicate::Any: return spread_groups(flags, instruction.execution_size, false);
    case Predicate::All: return spread_groups(flags, instruction.execution_size, true);
  }
  return 0;
}

}  // namespace

std::uint32_t predicate_lanes(const ThreadState& thread, const Instruction& instruction) {
  std::uint32_t truth = evaluate(thread, instruction);
  if (instruction.predicate_inverted) truth = ~truth;
  return truth >> instruction.plan.flag_shift & lane_mask(instruction.execution_size);
}

void write_flags(ExecutionContext& context, const Instruction& instruction, std::uint32_t truth) {
  std::uint32_t& flags = context.thread.flag[instruction.flag_register];
  const std::uint32_t mask = context.lanes << instruction.plan.flag_shift;
  flags = (flags & ~mask) | (truth << instruction.plan.flag_shift & mask);
}

}  // namespace xesim::eu
