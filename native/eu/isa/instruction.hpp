// One decoded Xe instruction: plain data between the decoder and the execution unit.
//
// A value of this type says everything that the 8 or 16 bytes in memory say, with operand
// positions in bytes and regions in elements, so that nothing after the decoder looks at
// encodings or at the platform that they belong to.
#pragma once

#include <array>
#include <cstdint>

#include "eu/isa/execution_plan.hpp"
#include "eu/isa/names.hpp"

namespace xesim::eu {

enum class RegisterFile : std::uint8_t { Grf, Arf, Immediate };

// <vertical; width, horizontal>, strides in elements. `vertical_by_address` is the VxH form,
// <width, horizontal> with one address sub-register for each row.
struct Region {
  std::uint8_t vertical = 0;
  std::uint8_t width = 1;
  std::uint8_t horizontal = 0;
  bool vertical_by_address = false;
};

struct Operand {
  RegisterFile file = RegisterFile::Arf;
  Arf arf = Arf::Null;
  std::uint16_t register_number = 0;   // r5 → 5, acc1 → 1, f1 → 1
  std::uint16_t byte_offset = 0;       // sub-register, in bytes
  DataType type = DataType::Ud;
  bool negate = false;                 // bitwise not for logic operations
  bool absolute = false;
  bool indirect = false;               // r[a0.address_subregister + address_immediate]
  std::uint8_t address_subregister = 0;  // in 16-bit words of a0
  std::int16_t address_immediate = 0;    // bytes
  Region region;                       // destinations use `horizontal` only
  std::uint8_t math_macro_register = 8;  // mmeN of madm, math.invm, math.rsqtm; 8 is none
  std::uint64_t immediate = 0;         // raw bits, zero-extended

  [[nodiscard]] bool is_null() const {
    return file == RegisterFile::Arf && arf == Arf::Null;
  }
};

struct SendFields {
  SharedFunction function = SharedFunction::Null;
  std::uint32_t descriptor = 0;            // immediate bits; meaningless if from a0
  std::uint32_t extended_descriptor = 0;   // immediate bits; meaningless if from a0
  bool descriptor_in_register = false;     // always a0.0:ud
  bool extended_descriptor_in_register = false;
  std::uint8_t extended_descriptor_subregister = 0;  // a0.N:ud
  bool extended_bindless_offset = false;   // ExBSO: the whole a0 dword is a surface offset
  std::uint32_t extended_offset = 0;       // to add to what a0.N holds (since Xe2)
  std::uint8_t source0_length = 0;         // GRFs, from the descriptor
  std::uint8_t source1_length = 0;         // GRFs
  std::uint8_t response_length = 0;        // GRFs
  bool end_of_thread = false;
};

// What execution looks at stands first, with the plan after it: two of the host's cache lines.
struct Instruction {
  Opcode opcode = Opcode::Illegal;
  std::uint8_t length = 16;            // bytes: 16 native, 8 compacted
  std::uint8_t execution_size = 1;     // lanes: 1, 2, 4, 8, 16 or 32
  std::uint8_t channel_offset = 0;     // first lane, the N of M<N>
  bool no_mask = false;                // (W)
  Predicate predicate = Predicate::None;
  bool predicate_inverted = false;
  std::uint8_t flag_register = 0;      // f0, f1, ...
  std::uint8_t flag_subregister = 0;   // 16-bit half
  Condition condition = Condition::None;
  bool saturate = false;
  bool accumulator_write = false;      // AccWrEn
  bool atomic = false;
  bool breakpoint = false;             // DebugCtrl
  bool branch_control = false;         // goto.b
  MathFunction math = MathFunction::None;
  SyncFunction sync = SyncFunction::Nop;
  std::uint8_t boolean_function = 0;   // bfn truth table
  std::uint8_t dpas_depth = 0;         // systolic depth
  std::uint8_t dpas_repeat = 0;
  std::uint8_t dpas_source1_bits = 8;  // 8, 4 or 2 bits an element, where its type is ub or b
  std::uint8_t dpas_source2_bits = 8;
  std::uint8_t source_count = 0;
  // Made by the execution unit on first execution; no part of what the words say.
  mutable ExecutionPlan plan;
  Operand destination;
  std::array<Operand, 3> source;
  std::int32_t jip = 0;                // bytes from this instruction
  std::int32_t uip = 0;                // bytes from this instruction
  SendFields send;
  // Why the word could not be decoded; a string literal, or null for a valid instruction.
  const char* invalid_reason = nullptr;
};

}  // namespace xesim::eu
