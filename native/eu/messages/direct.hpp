// The shortest way through the commonest messages: lanes that load or store a few elements each, at
// 64-bit addresses or in shared local memory, where the thread has been before.
#pragma once

#include "eu/isa/execution_plan.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// The routine for the message that `instruction` has been planned for (plan.message.decoded), or
// null: its descriptors come from registers, its payload is too short, or it is of another kind.
[[nodiscard]] DirectTransfer select_direct_transfer(const Instruction& instruction,
                                                    Platform platform);

}  // namespace xesim::eu
