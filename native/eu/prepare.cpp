#include "eu/prepare.hpp"

#include <algorithm>

#include "eu/data_type.hpp"
#include "eu/isa_tables.hpp"
#include "eu/operand_load.hpp"
#include "eu/operand_plan.hpp"
#include "eu/operand_store.hpp"
#include "eu/operations.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kFlagBits = 32;
constexpr unsigned kLinkBytes = 8;  // return address and mask of a call

Step illegal(ExecutionContext&, const Instruction&) { return Step::Illegal; }

// How the lanes of an instruction are computed.
struct Shape {
  Handler handler = nullptr;
  LaneType lanes = LaneType::Int32;
  bool raw_sources = false;       // bits instead of values
  LaneType stored_lanes = LaneType::Int32;
  DataType stored_type = DataType::Ud;
  bool saturate = false;
};

bool has_type(const Instruction& instruction, DataType type) {
  const auto first = instruction.source.begin();
  return instruction.destination.type == type ||
         std::any_of(first, first + instruction.source_count,
                     [&](const Operand& operand) { return operand.type == type; });
}

bool has_quadwords(const Instruction& instruction) {
  return has_type(instruction, DataType::Q) || has_type(instruction, DataType::Uq);
}

bool float_sources(const Instruction& instruction) {
  return instruction.source_count > 0 && is_float(instruction.source[0].type);
}

// Whether 32 signed bits hold the operand's value, with its modifiers.
bool fits_int32(const Operand& operand) {
  if (operand.type == DataType::Ud) {
    return operand.file == RegisterFile::Immediate && !operand.negate && !operand.absolute &&
           static_cast<std::uint32_t>(operand.immediate) <= 0x7FFFFFFFu;
  }
  if (operand.type == DataType::D) return !operand.negate && !operand.absolute;
  return true;
}

// Whether comparing the operands as 64-bit unsigned numbers compares their values.
bool all_unsigned(const Instruction& instruction) {
  const auto first = instruction.source.begin();
  return !instruction.saturate &&
         std::all_of(first, first + instruction.source_count, [](const Operand& operand) {
           const bool is_positive_immediate = operand.file == RegisterFile::Immediate &&
                                              is_signed_integer(operand.type) &&
                                              (operand.immediate >> (size_of(operand.type) * 8 - 1) &
                                               1) == 0;
           return (is_unsigned_integer(operand.type) || is_positive_immediate) &&
                  !operand.negate && !operand.absolute;
         });
}

// Arithmetic modulo 2^32 needs 32 bits, comparisons and saturation the values themselves.
LaneType integer_lanes(const Instruction& instruction, bool by_value) {
  if (has_quadwords(instruction) || instruction.saturate) return LaneType::Int64;
  const auto first = instruction.source.begin();
  if (by_value && !std::all_of(first, first + instruction.source_count, fits_int32)) {
    return LaneType::Int64;
  }
  return LaneType::Int32;
}

// A fused product of 16-bit numbers is rounded only once when it is kept in 64 bits.
LaneType float_lanes(const Instruction& instruction) {
  if (has_type(instruction, DataType::Df)) return LaneType::Float64;
  const bool fused = instruction.opcode == Opcode::Mad || instruction.opcode == Opcode::Mac;
  return fused && has_type(instruction, DataType::Hf) ? LaneType::Float64 : LaneType::Float32;
}

DataType unsigned_of_size(unsigned size) {
  switch (size) {
    case 1: return DataType::Ub;
    case 2: return DataType::Uw;
    case 4: return DataType::Ud;
    default: return DataType::Uq;
  }
}

// Values, computed and stored in one lane type.
Shape by_value(const Instruction& instruction, LaneType lanes, Handler handler) {
  return {handler, lanes, false, lanes, instruction.destination.type, instruction.saturate};
}

Shape shape_of_move(const Instruction& instruction) {
  const Operand& source = instruction.source[0];
  const DataType to = instruction.destination.type;
  const DataType from = source.type;
  const bool modified = source.negate || source.absolute;
  const bool plain = !modified && !instruction.saturate &&
                     instruction.condition == Condition::None && !is_packed_vector(from);
  const unsigned size = size_of(to);
  if (plain && (to == from || (!is_float(to) && !is_float(from) && size == size_of(from)))) {
    const LaneType lanes = size == 8 ? LaneType::Int64 : LaneType::Int32;
    // Accumulators keep the sign of what is moved there.
    const DataType stored = is_float(to) ? unsigned_of_size(size) : to;
    return {select_move(lanes), lanes, true, lanes, stored, false};
  }
  if (is_float(from)) {
    const LaneType lanes = float_lanes(instruction);
    return by_value(instruction, lanes, select_move(lanes));
  }
  const LaneType lanes = integer_lanes(instruction, is_float(to));
  if (is_float(to) && from == DataType::Uq) {
    // Through 64 signed bits half of the numbers would be negative, and 16-bit results round twice.
    if (modified || size_of(to) == 2) return {};
    const LaneType stored = to == DataType::Df ? LaneType::Float64 : LaneType::Float32;
    return {select_unsigned_to_float(stored), LaneType::Int64, false, stored, to,
            instruction.saturate};
  }
  return by_value(instruction, lanes, select_move(lanes));
}

Shape shape_of_comparison(const Instruction& instruction) {
  const bool as_unsigned = has_type(instruction, DataType::Uq);
  if (as_unsigned && !all_unsigned(instruction)) return {};
  const LaneType lanes = float_sources(instruction) ? float_lanes(instruction)
                                                    : integer_lanes(instruction, true);
  Shape shape = by_value(instruction, lanes,
                         as_unsigned ? select_unsigned_comparison(instruction)
                                     : select_comparison(instruction, lanes));
  if (instruction.opcode == Opcode::Cmp || instruction.opcode == Opcode::Cmpn) {
    // The result is a mask of the destination's size, whatever its type.
    const unsigned size = size_of(instruction.destination.type);
    shape.stored_lanes = LaneType::Int32;
    shape.stored_type = size == 8 ? DataType::Q : unsigned_of_size(size);
    shape.saturate = false;
  }
  return shape;
}

Shape shape_of_arithmetic(const Instruction& instruction, Platform platform) {
  if (float_sources(instruction)) {
    const LaneType lanes = float_lanes(instruction);
    return by_value(instruction, lanes, select_float(instruction, lanes));
  }
  if (is_float(instruction.destination.type)) return {};
  const bool to_accumulator = instruction.destination.file == RegisterFile::Arf &&
                              instruction.destination.arf == Arf::Accumulator;
  const bool accumulates =
      instruction.opcode == Opcode::Mac || instruction.opcode == Opcode::Mach ||
      instruction.opcode == Opcode::Macl ||
      (instruction.opcode == Opcode::Mul && (to_accumulator || instruction.accumulator_write));
  if (accumulates) {
    return by_value(instruction, LaneType::Int64, select_accumulating(instruction, platform));
  }
  const bool always_wide = instruction.opcode == Opcode::Addc ||
                           instruction.opcode == Opcode::Subb ||
                           instruction.opcode == Opcode::Avg || instruction.opcode == Opcode::Dp4a;
  const LaneType lanes = always_wide ? LaneType::Int64 : integer_lanes(instruction, false);
  if (instruction.saturate && has_quadwords(instruction)) return {};
  return by_value(instruction, lanes, select_integer(instruction, lanes));
}

Shape shape_of(const Instruction& instruction, Platform platform) {
  switch (instruction.opcode) {
    case Opcode::Mov:
      return shape_of_move(instruction);
    case Opcode::Movi:
      return {select_indexed_move(instruction), LaneType::Int32, true, LaneType::Int32,
              unsigned_of_size(size_of(instruction.destination.type)), false};
    case Opcode::Cmp: case Opcode::Cmpn: case Opcode::Sel: case Opcode::Csel:
      return shape_of_comparison(instruction);
    case Opcode::And: case Opcode::Or: case Opcode::Xor: case Opcode::Not: case Opcode::Bfn:
    case Opcode::Shl: case Opcode::Shr: case Opcode::Asr: case Opcode::Rol: case Opcode::Ror: {
      if (is_float(instruction.destination.type)) return {};
      const LaneType lanes = integer_lanes(instruction, false);
      return by_value(instruction, lanes, select_logic(instruction, lanes));
    }
    case Opcode::Bfrev: case Opcode::Bfe: case Opcode::Bfi1: case Opcode::Bfi2:
    case Opcode::Cbit: case Opcode::Fbh: case Opcode::Fbl: case Opcode::Lzd:
      return by_value(instruction, LaneType::Int32, select_bit_field(instruction));
    case Opcode::Math: {
      const LaneType lanes = float_lanes(instruction);
      return by_value(instruction, lanes, select_math(instruction, lanes));
    }
    default:
      return shape_of_arithmetic(instruction, platform);
  }
}

const char* plan_flags(const Instruction& instruction, Platform platform) {
  if (instruction.predicate == Predicate::None && instruction.condition == Condition::None) {
    return nullptr;
  }
  const unsigned shift = instruction.flag_subregister * 16u + instruction.channel_offset;
  if (instruction.flag_register >= (platform == Platform::XeHpg ? 2 : 4) ||
      shift + instruction.execution_size > kFlagBits) {
    return "flags beyond the end of a flag register";
  }
  instruction.plan.flag_shift = static_cast<std::uint8_t>(shift);
  return nullptr;
}

const char* check_condition(const Instruction& instruction) {
  if (instruction.condition == Condition::Eo && !is_math_macro(instruction.math)) {
    return "condition modifier eo on something else than a math macro";
  }
  if (instruction.condition == Condition::Ov && !float_sources(instruction)) {
    return "condition modifier ov on integers is not implemented";
  }
  if (instruction.condition == Condition::Un && !float_sources(instruction)) {
    return "condition modifier un on integers is not implemented";
  }
  const bool needs_one = instruction.opcode == Opcode::Cmp || instruction.opcode == Opcode::Cmpn ||
                         instruction.opcode == Opcode::Csel;
  if (needs_one && instruction.condition == Condition::None) return "a missing condition modifier";
  return nullptr;
}

const char* prepare_lanes(const Instruction& instruction, Platform platform) {
  ExecutionPlan& plan = instruction.plan;
  if (const char* problem = check_condition(instruction)) return problem;
  if (platform == Platform::XeHpg && has_type(instruction, DataType::Df)) {
    return "64-bit floating point does not exist on Xe-HPG";
  }
  const Shape shape = shape_of(instruction, platform);
  if (shape.handler == nullptr) return "the operation is not implemented for these operand types";
  for (unsigned index = 0; index < instruction.source_count; ++index) {
    if (const char* problem = plan_source(instruction, index, platform)) return problem;
    const DataType type = instruction.source[index].type;
    plan.source[index].load =
        shape.raw_sources ? select_raw_loader(type) : select_loader(shape.lanes, type);
    if (plan.source[index].load == nullptr) {
      return "the operation is not implemented for the type of a source";
    }
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
  return nullptr;
}

// Branches, messages and synchronisation: no lanes, at most a target or a link.
const char* prepare_control(const Instruction& instruction, Platform platform, Handler handler) {
  ExecutionPlan& plan = instruction.plan;
  plan.always_called = true;
  if (instruction.opcode == Opcode::Ret) {
    if (instruction.source_count == 0) return "a return without a link";
    const char* problem = plan_bytes(instruction, instruction.source[0], kLinkBytes, platform,
                                     plan.source[0].position);
    if (problem != nullptr) return problem;
  } else if (instruction.opcode != Opcode::Send && instruction.opcode != Opcode::Sendc &&
             instruction.opcode != Opcode::Sync && instruction.source_count > 0) {
    if (const char* problem = plan_source(instruction, 0, platform)) return problem;
    plan.source[0].load = select_loader(LaneType::Int32, instruction.source[0].type);
    if (plan.source[0].load == nullptr) return "a jump target that is no 32-bit integer";
  }
  if (instruction.opcode == Opcode::Call || instruction.opcode == Opcode::Calla) {
    const char* problem = plan_bytes(instruction, instruction.destination, kLinkBytes, platform,
                                     plan.destination.position);
    if (problem != nullptr) return problem;
  }
  plan.handler = handler;
  return nullptr;
}

const char* find_plan(const Instruction& instruction, Platform platform) {
  if (instruction.invalid_reason != nullptr) return instruction.invalid_reason;
  if (instruction.opcode == Opcode::Illegal) return "illegal instruction";
  if (const char* problem = plan_flags(instruction, platform)) return problem;
  Handler control = select_branch(instruction);
  if (control == nullptr) control = select_external(instruction);
  if (control != nullptr) return prepare_control(instruction, platform, control);
  return prepare_lanes(instruction, platform);
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
