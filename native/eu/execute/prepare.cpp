#include "eu/execute/prepare.hpp"

#include <array>

#include "eu/execute/lane_shape.hpp"
#include "eu/execute/operations.hpp"
#include "eu/execute/systolic.hpp"
#include "eu/isa/data_type.hpp"
#include "eu/isa/tables.hpp"
#include "eu/operands/load.hpp"
#include "eu/operands/plan.hpp"
#include "eu/operands/register_place.hpp"
#include "eu/operands/store.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kFlagBits = 32;
constexpr unsigned kLinkBytes = 8;  // return address and mask of a call

Step illegal(ExecutionContext&, const Instruction&) { return Step::Illegal; }

const char* plan_flags(const Instruction& instruction, Platform platform) {
  if (instruction.predicate == Predicate::None && instruction.condition == Condition::None) {
    return nullptr;
  }
  const unsigned shift = instruction.flag_subregister * 16u + instruction.channel_offset;
  if (instruction.flag_register >= flag_registers(platform) ||
      shift + instruction.execution_size > kFlagBits) {
    return "flags beyond the end of a flag register";
  }
  instruction.plan.flag_shift = static_cast<std::uint8_t>(shift);
  return nullptr;
}

// Whether each lane reads from `source` what it writes to `destination`.
bool is_what_is_written(const Operand& source, const Operand& destination, unsigned lanes) {
  if (source.file != RegisterFile::Grf || source.indirect || source.negate || source.absolute ||
      source.type != destination.type || source.register_number != destination.register_number ||
      source.byte_offset != destination.byte_offset) {
    return false;
  }
  const Region& region = source.region;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned row = lane / region.width;
    const unsigned element = row * region.vertical + lane % region.width * region.horizontal;
    if (element != lane * destination.region.horizontal) return false;
  }
  return true;
}

// A csel of registers with themselves and no condition: Intel's compiler puts one between 64-bit
// float comparisons and other pipelines on Xe-HPC, and oneDNN's assembler one of each pipeline in
// front of others on Xe-HPG, for its timing. It changes nothing.
bool selects_itself(const Instruction& instruction) {
  const Operand& destination = instruction.destination;
  const unsigned lanes = instruction.execution_size;
  return destination.file == RegisterFile::Grf && !destination.indirect &&
         instruction.condition == Condition::None && !instruction.saturate &&
         is_what_is_written(instruction.source[0], destination, lanes) &&
         is_what_is_written(instruction.source[1], destination, lanes);
}

const char* check_condition(const Instruction& instruction) {
  if (instruction.condition == Condition::Eo && !is_math_macro(instruction.math)) {
    return "condition modifier eo on something else than a math macro";
  }
  if (instruction.condition == Condition::Ov && accumulates(instruction.opcode) &&
      !is_float(instruction.source[0].type)) {
    return "condition modifier ov on an integer accumulation";
  }
  if (needs_condition(instruction.opcode) && instruction.condition == Condition::None &&
      !(instruction.opcode == Opcode::Csel && selects_itself(instruction))) {
    return "a missing condition modifier";
  }
  return nullptr;
}

const char* prepare_lanes(const Instruction& instruction, Platform platform) {
  ExecutionPlan& plan = instruction.plan;
  if (const char* problem = check_condition(instruction)) return problem;
  if (platform == Platform::XeHpg && has_type(instruction, DataType::Df)) {
    return "64-bit floating point does not exist on Xe-HPG";
  }
  const LaneShape shape = lane_shape(instruction, platform);
  if (shape.handler == nullptr) return "the operation is not implemented for these operand types";
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    if (const char* problem = plan_source(instruction, index, platform)) return problem;
    const DataType type = instruction.source[index].type;
    plan.source[index].load =
        shape.raw_sources ? select_raw_loader(type) : select_loader(shape.lanes, type);
    if (plan.source[index].load == nullptr) {
      return "the operation is not implemented for the type of a source";
    }
    if (shape.plain_sources) plan.source[index].modifier = SourceModifier::None;
  }
  if (const char* problem = plan_destination(instruction, platform)) return problem;
  plan.destination.store =
      instruction.destination.is_null()
          ? null_storer()
          : select_storer(shape.stored_lanes, shape.stored_type, shape.saturate);
  if (plan.destination.store == nullptr) {
    return "the operation is not implemented for the type of the destination";
  }
  plan.predicate_selects =
      instruction.opcode == Opcode::Sel && instruction.condition == Condition::None;
  plan.handler = shape.handler;
  if (const Handler direct = select_on_registers(instruction, platform)) {
    plan.general = shape.handler;
    plan.handler = direct;
    // Narrow numbers among 32-bit elements are read as such.
    for (unsigned index = 0; index < instruction.source_count; ++index) {
      const DataType type = instruction.source[index].type;
      if (!is_float(type)) plan.source[index].load = select_loader(LaneType::Int32, type);
    }
  }
  return nullptr;
}

const char* prepare_systolic(const Instruction& instruction, Platform platform) {
  ExecutionPlan& plan = instruction.plan;
  if (instruction.execution_size != native_lanes(platform)) {
    return "an execution size that the systolic array does not have";
  }
  plan.handler = select_systolic(instruction);
  if (plan.handler == nullptr) return "the operation is not implemented for these operand types";
  const SystolicShape shape = systolic_shape(instruction);
  const bool is_fused = instruction.opcode == Opcode::Dpasw;
  plan.always_called = is_fused;  // the other thread waits for this one, whatever its channels do
  const unsigned sums = shape.rows * instruction.execution_size;
  const std::array<unsigned, 3> bytes = {
      sums * size_of(instruction.source[0].type),
      shape.depth * instruction.execution_size * shape.cell_bytes[0],
      is_fused ? fused_part_bytes(shape, grf_bytes(platform))[0]
               : shape.rows * shape.depth * shape.cell_bytes[1],
  };
  for (unsigned index = 0; index < bytes.size(); ++index) {
    const Operand& operand = instruction.source[index];
    if (operand.is_null()) continue;
    if (const char* problem = plan_bytes(instruction, operand, bytes[index], platform,
                                         plan.source[index].position)) {
      return problem;
    }
  }
  return plan_bytes(instruction, instruction.destination,
                    sums * size_of(instruction.destination.type), platform,
                    plan.destination.position);
}

// Branches, messages and synchronisation: no lanes, at most a target or a link.
const char* prepare_control(const Instruction& instruction, Platform platform, Handler handler) {
  if (handler == nullptr) return "the operation is not implemented";
  ExecutionPlan& plan = instruction.plan;
  plan.always_called = true;
  if (instruction.opcode == Opcode::Ret) {
    if (instruction.source_count == 0) return "a return without a link";
    const char* problem = plan_bytes(instruction, instruction.source[0], kLinkBytes, platform,
                                     plan.source[0].position);
    if (problem != nullptr) return problem;
  } else if (operation_of(instruction.opcode) == Operation::Branch &&
             instruction.source_count > 0) {
    if (const char* problem = plan_source(instruction, 0, platform)) return problem;
    plan.source[0].load = select_loader(LaneType::Int32, instruction.source[0].type);
    if (plan.source[0].load == nullptr) return "a jump target that is no 32-bit integer";
  }
  if (format_of(instruction.opcode) == Format::Call) {
    const char* problem = plan_bytes(instruction, instruction.destination, kLinkBytes, platform,
                                     plan.destination.position);
    if (problem != nullptr) return problem;
  }
  plan.handler = handler;
  return nullptr;
}

const char* find_plan(const Instruction& instruction, Platform platform) {
  if (instruction.invalid_reason != nullptr) return instruction.invalid_reason;
  const Operation operation = operation_of(instruction.opcode);
  if (operation == Operation::Illegal) return "illegal instruction";
  if (const char* problem = plan_flags(instruction, platform)) return problem;
  switch (operation) {
    case Operation::Branch:
      return prepare_control(instruction, platform, select_branch(instruction));
    case Operation::External:
      return prepare_control(instruction, platform, select_external(instruction));
    case Operation::Systolic:
      return prepare_systolic(instruction, platform);
    default:
      return prepare_lanes(instruction, platform);
  }
}

}  // namespace

void prepare(const Instruction& instruction, Platform platform) {
  instruction.plan = ExecutionPlan{};
  const char* problem = find_plan(instruction, platform);
  if (problem == nullptr) return;
  instruction.plan = ExecutionPlan{};
  instruction.plan.handler = illegal;
  instruction.plan.always_called = true;
  instruction.plan.problem = problem;
}

}  // namespace xesim::eu
