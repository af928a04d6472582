// Which handler executes an operation, by topic. Each function gives null where the operation does
// not exist for the lane type or operand types of the instruction; nothing is guessed.
#pragma once

#include "eu/isa/data_type.hpp"
#include "eu/isa/execution_plan.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// mov, as a copy or a conversion from lane to element.
[[nodiscard]] Handler select_move(LaneType lanes);
// movi: each lane takes its own element of one register.
[[nodiscard]] Handler select_indexed_move(const Instruction& instruction);

// add avg add3 mul mad addc subb dp4a on integers.
[[nodiscard]] Handler select_integer(const Instruction& instruction, LaneType lanes);
// mul into an accumulator, mac, mach, macl on integers.
[[nodiscard]] Handler select_accumulating(const Instruction& instruction, Platform platform);
// mul into an accumulator and macl on whole registers of 32-bit elements, whose sources are read as
// 32-bit lanes; null for any other form. Operands are planned.
[[nodiscard]] Handler select_product_on_registers(const Instruction& instruction,
                                                  Platform platform);
// and or xor not bfn shl shr asr rol ror.
[[nodiscard]] Handler select_logic(const Instruction& instruction, LaneType lanes);
// bfrev bfe bfi1 bfi2 cbit fbh fbl lzd.
[[nodiscard]] Handler select_bit_field(const Instruction& instruction);
// cmp cmpn sel csel.
[[nodiscard]] Handler select_comparison(const Instruction& instruction, LaneType lanes);
// The same on lanes of 64 bits that hold unsigned numbers.
[[nodiscard]] Handler select_unsigned_comparison(const Instruction& instruction);
// mov add add3 mul mad avg shl cmp cmpn sel on integers whose results need more than 64 bits to be
// right. Lanes hold 64 bits, to which the loaders apply no modifiers; converted numbers are doubles.
[[nodiscard]] Handler select_exact(const Instruction& instruction);
// mov add add3 mul mad and or xor bfn shl shr asr rol ror addc cmp sel on whole registers of 32-bit
// elements and on numbers; null for any other form, which the general handlers execute. Operands are planned.
[[nodiscard]] Handler select_on_registers(const Instruction& instruction, Platform platform);
// srnd.
[[nodiscard]] Handler select_stochastic(const Instruction& instruction);
// add mul mac mad frc rndd rnde rndu rndz on floating-point lanes.
[[nodiscard]] Handler select_float(const Instruction& instruction, LaneType lanes);
// math.*. The macros of IEEE division and square root deliver their final result.
[[nodiscard]] Handler select_math(const Instruction& instruction, LaneType lanes);
// jmpi goto join if else endif while break cont halt brd brc call calla ret.
[[nodiscard]] Handler select_branch(const Instruction& instruction);
// send sendc sync wait nop.
[[nodiscard]] Handler select_external(const Instruction& instruction);

}  // namespace xesim::eu
