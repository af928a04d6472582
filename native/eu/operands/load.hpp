// Reads source operands: from registers, immediates and through address registers, lane by lane.
#pragma once

#include "eu/isa/data_type.hpp"
#include "eu/isa/execution_plan.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

// The routine that reads elements of `type` into lanes of `lane_type` (int32_t, int64_t, float or
// double), with the plan's source modifier applied. Null if the combination makes no sense: an
// integer is not read into a floating-point lane, nor a float into an integer one.
[[nodiscard]] SourceLoader select_loader(LaneType lane_type, DataType type);

// The routine that reads the bits of elements of that size, for moves that copy them: lanes are
// int32_t up to four bytes, else int64_t.
[[nodiscard]] SourceLoader select_raw_loader(DataType type);

// Bytes of row `row`'s address: a0 plus the immediate. Not yet checked against the register file.
[[nodiscard]] std::int32_t indirect_address(const ThreadState& thread, const Operand& operand,
                                            unsigned row);

}  // namespace xesim::eu
