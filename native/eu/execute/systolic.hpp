// The operands of dpas, and the routine that multiplies them.
#pragma once

#include <array>

#include "eu/isa/data_type.hpp"
#include "eu/isa/execution_plan.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// What the types, depth and repeat count of an instruction make of its operands. A cell is what one
// stage takes at once: of src1 for one channel, of src2 for one row.
struct SystolicShape {
  unsigned depth = 0;
  unsigned rows = 0;
  unsigned elements = 0;                        // in a cell
  std::array<unsigned, 2> element_bits{};       // of src1 and src2
  std::array<unsigned, 2> cell_bytes{};
};

[[nodiscard]] SystolicShape systolic_shape(const Instruction& instruction);

// Bytes of src2 that the two threads of a fused pair provide for a dpasw, the first thread first:
// whole registers, the odd one too from the first (vISA's page of DPASW).
[[nodiscard]] std::array<unsigned, 2> fused_part_bytes(const SystolicShape& shape,
                                                       unsigned grf_bytes);

// The handler of dpas or dpasw; null where the types do not go together. Its plan holds the positions of
// destination and sources; channels are the execution size, at most 16. dpasw waits until the other
// thread of the pair gets to the same instruction.
[[nodiscard]] Handler select_systolic(const Instruction& instruction);

}  // namespace xesim::eu
