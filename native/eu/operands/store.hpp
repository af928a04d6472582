// Writes destination operands: converts lanes to elements and puts them into registers.
#pragma once

#include "eu/isa/data_type.hpp"
#include "eu/isa/execution_plan.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

// The routine that writes lanes of `lane_type` as elements of `type`. Null if there is none.
[[nodiscard]] DestinationStorer select_storer(LaneType lane_type, DataType type, bool saturate);

// The routine for a destination that is null: writes nothing.
[[nodiscard]] DestinationStorer null_storer();

// Does what a write to an accumulator, control or state register entails.
void apply_effect(ExecutionContext& context, const Instruction& instruction);

// Replaces each lane by the value that an element of `type` would keep of it.
template <class T>
void narrow_lanes(const ExecutionContext& context, DataType type, bool saturate, T* values);

// Writes lanes to acc0 as elements of the destination's type, for AccWrEn.
template <class T>
void store_accumulator(ExecutionContext& context, const Instruction& instruction, const T* values);

}  // namespace xesim::eu
