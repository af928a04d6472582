#include "driver/instruction_trace.hpp"

#include <cstring>
#include <ostream>

namespace xesim::driver {

namespace {

constexpr std::uint32_t kThreadInGroup = 0xFF;  // of r0.2

}  // namespace

InstructionTrace::InstructionTrace(std::ostream& output, const TraceOptions& options)
    : output_(output), options_(options) {}

void InstructionTrace::add_section(const CodeSection& section) {
  output_ << "section\t" << section.name << '\t' << section.start << '\t' << section.size << '\n';
}

void InstructionTrace::thread_begin(const eu::ThreadState& thread) {
  std::array<std::uint32_t, 8> r0{};
  std::memcpy(r0.data(), thread.grf.data(), sizeof r0);
  Place place{{r0[1], r0[6], r0[7]}, r0[2] & kThreadInGroup, true};
  place.wanted = (!options_.group || *options_.group == place.group) &&
                 (!options_.thread || *options_.thread == place.thread);
  running_[&thread] = place;
}

void InstructionTrace::thread_end(const eu::ThreadState& thread) { running_.erase(&thread); }

void InstructionTrace::instruction(const eu::ThreadState& thread, const eu::Instruction&,
                                   std::uint32_t lanes) {
  const auto found = running_.find(&thread);
  if (found == running_.end() || !found->second.wanted) return;
  if (written_ == options_.limit) {
    ++omitted_;
    return;
  }
  ++written_;
  const Place& place = found->second;
  output_ << "instruction\t" << thread.ip << '\t' << std::hex << lanes << std::dec << '\t'
          << place.group[0] << '\t' << place.group[1] << '\t' << place.group[2] << '\t'
          << place.thread << '\n';
}

void InstructionTrace::finish_launch() {
  if (omitted_ != 0) output_ << "omitted\t" << omitted_ << '\n';
  output_.flush();
}

}  // namespace xesim::driver
