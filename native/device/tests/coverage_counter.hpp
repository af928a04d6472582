// Counts what launches execute, by what it is: an opcode (with its function: math.sqt) or a message.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "eu/decode/decode.hpp"
#include "eu/messages/messages.hpp"
#include "eu/thread/observer.hpp"

namespace xesim::device::test {

class CoverageCounter : public eu::Observer {
 public:
  [[nodiscard]] eu::Subscriptions subscriptions() const override { return {.instructions = true}; }
  void instruction(const eu::ThreadState& thread, const eu::Instruction& instruction,
                   std::uint32_t) override {
    auto [entry, added] = names_.try_emplace(&instruction);
    // A descriptor in a0 may be another each time.
    if (added || instruction.send.descriptor_in_register) {
      entry->second = &counts_[name(thread, instruction)];
    }
    ++*entry->second;
  }
  // The lines of all that was executed, under the names of module and kernel.
  void write(const std::string& directory, const std::string& module,
             const std::string& kernel) const {
    std::string path = directory + "/XXXXXX";
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) {
      throw std::runtime_error("cannot make a file in " + directory);
    }
    close(descriptor);
    std::ofstream output(path);
    output << module << '\n' << kernel << '\n';
    for (const auto& [name, count] : counts_) output << count << '\t' << name << '\n';
  }

 private:
  static std::string name(const eu::ThreadState& thread, const eu::Instruction& instruction) {
    if (instruction.opcode == eu::Opcode::Send || instruction.opcode == eu::Opcode::Sendc) {
      return "message\t" + eu::describe_send(thread, instruction);
    }
    return "opcode\t" + eu::mnemonic(instruction);
  }
  std::map<std::string, std::uint64_t> counts_;
  // Decoded instructions stay where they are for as long as the code is not written.
  std::unordered_map<const eu::Instruction*, std::uint64_t*> names_;
};

}  // namespace xesim::device::test
