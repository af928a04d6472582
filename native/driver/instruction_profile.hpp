// How often each instruction was executed, and for how many lanes: for XESIM_PROFILE.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "eu/thread/observer.hpp"

namespace xesim::driver {

// A code section in memory. `start` is an instruction pointer, `size` bytes.
struct CodeSection {
  std::string name;
  std::uint32_t start = 0;
  std::uint32_t size = 0;
};

class InstructionProfile final : public eu::Observer {
 public:
  void add_section(const CodeSection& section);
  // What was counted stays; code that is placed there later is counted apart.
  void remove_section(std::uint32_t start);

  [[nodiscard]] eu::Subscriptions subscriptions() const override { return {.instructions = true}; }
  void instruction(const eu::ThreadState& thread, const eu::Instruction& instruction,
                   std::uint32_t lanes) override;

  // Lines "section NAME START SIZE", each followed by its "instruction OFFSET EXECUTIONS LANES
  // SLOTS"; fields are separated by tabs.
  void write(std::ostream& output) const;

 private:
  // Instructions that ignore the execution mask count as executions only.
  struct Count {
    std::uint64_t executions = 0;
    std::uint64_t lanes = 0;  // enabled ones
    std::uint64_t slots = 0;  // lanes that the instruction has
  };
  struct Counted {
    CodeSection section;
    bool placed = true;
    std::vector<Count> counts;  // by offset, in units of the shortest instruction
  };
  Counted* counted_at(std::uint32_t ip);

  std::vector<std::unique_ptr<Counted>> sections_;
  Counted* last_ = nullptr;
};

}  // namespace xesim::driver
