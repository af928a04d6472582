// Works out how to execute a decoded instruction.
#pragma once

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// Fills the instruction's plan. Afterwards it has a handler: if the instruction cannot be executed,
// one that gives Step::Illegal, with `problem` saying why.
void prepare(const Instruction& instruction, Platform platform);

}  // namespace xesim::eu
