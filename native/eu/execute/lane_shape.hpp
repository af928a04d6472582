// How the lanes of an instruction are computed: in which type, and by which routine.
#pragma once

#include "eu/isa/data_type.hpp"
#include "eu/isa/execution_plan.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

struct LaneShape {
  Handler handler = nullptr;            // null where the operation does not exist for these types
  LaneType lanes = LaneType::Int32;
  bool raw_sources = false;             // bits instead of values
  LaneType stored_lanes = LaneType::Int32;
  DataType stored_type = DataType::Ud;
  bool saturate = false;                // when a lane is stored
  bool plain_sources = false;           // the handler applies source modifiers, not the loaders
};

// For instructions that compute lanes: no branches, messages or systolic ones.
[[nodiscard]] LaneShape lane_shape(const Instruction& instruction, Platform platform);

// Whether the destination or a source has elements of that type.
[[nodiscard]] bool has_type(const Instruction& instruction, DataType type);

}  // namespace xesim::eu
