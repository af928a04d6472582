#include "eu/execute/lane_shape.hpp"

#include <algorithm>

#include "eu/execute/operations.hpp"

namespace xesim::eu {

bool has_type(const Instruction& instruction, DataType type) {
  const auto first = instruction.source.begin();
  return instruction.destination.type == type ||
         std::any_of(first, first + instruction.source_count,
                     [&](const Operand& operand) { return operand.type == type; });
}

namespace {

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

// A fused product of 16-bit numbers is rounded only once when it is kept in 64 bits. Where they meet
// 32-bit ones, it is computed as those are.
LaneType float_lanes(const Instruction& instruction) {
  if (has_type(instruction, DataType::Df)) return LaneType::Float64;
  const bool fused = instruction.opcode == Opcode::Mad || instruction.opcode == Opcode::Mac;
  const bool halves = has_type(instruction, DataType::Hf) && !has_type(instruction, DataType::F);
  return fused && halves ? LaneType::Float64 : LaneType::Float32;
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
LaneShape by_value(const Instruction& instruction, LaneType lanes, Handler handler) {
  return {handler, lanes, false, lanes, instruction.destination.type, instruction.saturate,
          false};
}

// Bits, as they are in 32-bit lanes.
LaneShape shape_of_bits(const Instruction& instruction, Handler handler) {
  return {handler, LaneType::Int32, true, LaneType::Int32,
          unsigned_of_size(size_of(instruction.destination.type)), false, false};
}

LaneShape shape_of_move(const Instruction& instruction) {
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
    return {select_move(lanes), lanes, true, lanes, stored, false, false};
  }
  if (is_float(from)) {
    const LaneType lanes = float_lanes(instruction);
    return by_value(instruction, lanes, select_move(lanes));
  }
  const LaneType lanes = integer_lanes(instruction, is_float(to));
  return by_value(instruction, lanes, select_move(lanes));
}

// Comparisons write all ones or zero, of the destination's size, whatever its type.
void store_as_mask(const Instruction& instruction, LaneShape& shape) {
  if (!gives_mask(instruction.opcode)) return;
  const unsigned size = size_of(instruction.destination.type);
  shape.stored_lanes = LaneType::Int32;
  shape.stored_type = size == 8 ? DataType::Q : unsigned_of_size(size);
  shape.saturate = false;
}

// Of the smallest signed quadword, neither the negation nor the absolute value has 64 bits.
bool has_modified_quadword(const Instruction& instruction) {
  const auto first = instruction.source.begin();
  return std::any_of(first, first + instruction.source_count, [](const Operand& operand) {
    return operand.type == DataType::Q && (operand.negate || operand.absolute);
  });
}

// Whether an operation on integers needs more than 64 bits to be right.
bool needs_exactness(const Instruction& instruction) {
  if (float_sources(instruction)) return false;
  const bool quadwords = has_quadwords(instruction);
  // Two roundings would be one too many; and half of the unsigned numbers have bit 63 set.
  if (instruction.opcode == Opcode::Mov && is_float(instruction.destination.type)) {
    return instruction.source[0].type == DataType::Uq || has_modified_quadword(instruction) ||
           (instruction.source[0].type == DataType::Q && size_of(instruction.destination.type) < 4);
  }
  if (may_need_exact_result(instruction.opcode)) {
    return instruction.condition == Condition::Ov || (quadwords && instruction.saturate) ||
           (instruction.opcode == Opcode::Avg && quadwords);
  }
  return may_need_exact_comparison(instruction.opcode) &&
         ((has_type(instruction, DataType::Uq) && !all_unsigned(instruction)) ||
          has_modified_quadword(instruction));
}

LaneShape shape_of_exact(const Instruction& instruction) {
  const DataType type = instruction.destination.type;
  LaneShape shape;
  shape.handler = select_exact(instruction);
  shape.lanes = LaneType::Int64;
  shape.stored_lanes = is_float(type) ? LaneType::Float64 : LaneType::Int64;
  shape.stored_type = type;
  shape.saturate = is_float(type) && instruction.saturate;
  shape.plain_sources = true;
  store_as_mask(instruction, shape);
  return shape;
}

LaneShape shape_of_comparison(const Instruction& instruction) {
  const bool as_unsigned = !float_sources(instruction) && has_type(instruction, DataType::Uq);
  const LaneType lanes = float_sources(instruction) ? float_lanes(instruction)
                                                    : integer_lanes(instruction, true);
  LaneShape shape = by_value(instruction, lanes,
                         as_unsigned ? select_unsigned_comparison(instruction)
                                     : select_comparison(instruction, lanes));
  store_as_mask(instruction, shape);
  return shape;
}

LaneShape shape_of_arithmetic(const Instruction& instruction, Platform platform) {
  if (float_sources(instruction)) {
    const LaneType lanes = float_lanes(instruction);
    return by_value(instruction, lanes, select_float(instruction, lanes));
  }
  if (is_float(instruction.destination.type)) return {};
  const bool to_accumulator = instruction.destination.file == RegisterFile::Arf &&
                              instruction.destination.arf == Arf::Accumulator;
  const bool accumulating =
      accumulates(instruction.opcode) ||
      (instruction.opcode == Opcode::Mul && (to_accumulator || instruction.accumulator_write));
  if (accumulating) {
    return by_value(instruction, LaneType::Int64, select_accumulating(instruction, platform));
  }
  const LaneType lanes = has_wide_lanes(instruction.opcode) ? LaneType::Int64
                                                            : integer_lanes(instruction, false);
  return by_value(instruction, lanes, select_integer(instruction, lanes));
}

}  // namespace

LaneShape lane_shape(const Instruction& instruction, Platform platform) {
  if (needs_exactness(instruction)) return shape_of_exact(instruction);
  switch (operation_of(instruction.opcode)) {
    case Operation::Move:
      return shape_of_move(instruction);
    case Operation::IndexedMove:
      return shape_of_bits(instruction, select_indexed_move(instruction));
    case Operation::Comparison:
      return shape_of_comparison(instruction);
    case Operation::Logic: {
      if (is_float(instruction.destination.type)) return {};
      const LaneType lanes = integer_lanes(instruction, false);
      return by_value(instruction, lanes, select_logic(instruction, lanes));
    }
    case Operation::BitField:
      return by_value(instruction, LaneType::Int32, select_bit_field(instruction));
    case Operation::Stochastic:
      return shape_of_bits(instruction, select_stochastic(instruction));
    case Operation::Math: {
      const LaneType lanes = float_lanes(instruction);
      return by_value(instruction, lanes, select_math(instruction, lanes));
    }
    case Operation::Arithmetic:
      return shape_of_arithmetic(instruction, platform);
    case Operation::Illegal: case Operation::Branch: case Operation::External:
    case Operation::Systolic:
      break;
  }
  return {};
}

}  // namespace xesim::eu
