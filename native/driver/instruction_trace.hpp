// The stream of executed instructions, as lines of a file: for XESIM_TRACE.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <unordered_map>

#include "driver/instruction_profile.hpp"
#include "eu/thread/observer.hpp"

namespace xesim::driver {

// What a trace takes. Unset filters let everything through.
struct TraceOptions {
  std::uint64_t limit = 100'000;                       // instructions; more are only counted
  std::optional<std::array<std::uint32_t, 3>> group;   // of this work-group only
  std::optional<std::uint32_t> thread;                 // of this thread of each work-group only
};

class InstructionTrace final : public eu::Observer {
 public:
  InstructionTrace(std::ostream& output, const TraceOptions& options);

  // A line "section NAME START SIZE", with tabs between fields.
  void add_section(const CodeSection& section);
  [[nodiscard]] eu::Subscriptions subscriptions() const override {
    return {.threads = true, .instructions = true};
  }
  // A line "instruction IP LANES GROUP_X GROUP_Y GROUP_Z THREAD": lanes are a hexadecimal mask of
  // those that it acts for, THREAD is the number of the thread in its work-group.
  void instruction(const eu::ThreadState& thread, const eu::Instruction& instruction,
                   std::uint32_t lanes) override;
  void thread_begin(const eu::ThreadState& thread) override;
  void thread_end(const eu::ThreadState& thread) override;
  // A line "omitted N": instructions beyond the limit so far.
  void finish_launch();

 private:
  struct Place {
    std::array<std::uint32_t, 3> group{};
    std::uint32_t thread = 0;
    bool wanted = true;
  };

  std::ostream& output_;
  TraceOptions options_;
  std::uint64_t written_ = 0;
  std::uint64_t omitted_ = 0;
  // Read from r0 as dispatched: kernels may use that register for something else later.
  std::unordered_map<const eu::ThreadState*, Place> running_;
};

}  // namespace xesim::driver
