#include "driver/instruction_profile.hpp"

#include <bit>
#include <ostream>

namespace xesim::driver {

namespace {

constexpr std::uint32_t kShortestInstruction = 8;  // bytes: a compacted one

}  // namespace

void InstructionProfile::add_section(const CodeSection& section) {
  auto counted = std::make_unique<Counted>();
  counted->section = section;
  counted->counts.resize(section.size / kShortestInstruction + 1);
  sections_.push_back(std::move(counted));
}

void InstructionProfile::remove_section(std::uint32_t start) {
  for (const auto& counted : sections_) {
    if (counted->placed && counted->section.start == start) counted->placed = false;
  }
  last_ = nullptr;
}

InstructionProfile::Counted* InstructionProfile::counted_at(std::uint32_t ip) {
  const auto covers = [ip](const Counted& counted) {
    return counted.placed && ip - counted.section.start < counted.section.size;
  };
  if (last_ != nullptr && covers(*last_)) return last_;
  for (const auto& counted : sections_) {
    if (covers(*counted)) return last_ = counted.get();
  }
  return nullptr;
}

void InstructionProfile::instruction(const eu::ThreadState& thread,
                                     const eu::Instruction& instruction, std::uint32_t) {
  Counted* counted = counted_at(thread.ip);
  if (counted == nullptr) return;
  Count& count = counted->counts[(thread.ip - counted->section.start) / kShortestInstruction];
  ++count.executions;
  if (instruction.no_mask) return;
  const auto slots =
      static_cast<std::uint32_t>((std::uint64_t{1} << instruction.execution_size) - 1);
  count.lanes += static_cast<std::uint64_t>(
      std::popcount(thread.enabled_channels() >> instruction.channel_offset & slots));
  count.slots += instruction.execution_size;
}

void InstructionProfile::write(std::ostream& output) const {
  for (const auto& counted : sections_) {
    const CodeSection& section = counted->section;
    output << "section\t" << section.name << '\t' << section.start << '\t' << section.size << '\n';
    for (std::size_t i = 0; i < counted->counts.size(); ++i) {
      const Count& count = counted->counts[i];
      if (count.executions == 0) continue;
      output << "instruction\t" << i * kShortestInstruction << '\t' << count.executions << '\t'
             << count.lanes << '\t' << count.slots << '\n';
    }
  }
}

}  // namespace xesim::driver
