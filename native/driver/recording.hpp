// What a program's user asks to be recorded, by the environment: XESIM_PROFILE and XESIM_TRACE name
// files. docs/simulated-gpu.md describes them.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "driver/instruction_profile.hpp"
#include "driver/instruction_trace.hpp"
#include "eu/thread/observer.hpp"

namespace xesim::driver {

// Passes what happens on to those that were asked for. Everything is called while the device is
// locked: by a launch, or under a Pause.
class Recording final : public eu::Observer {
 public:
  // Null when the environment asks for nothing. What cannot be recorded is said on stderr.
  // Device 0 of the process writes the files that are named, device N those with ".N" appended.
  static std::unique_ptr<Recording> from_environment(std::uint32_t device);

  void add_section(const CodeSection& section);
  void remove_section(std::uint32_t start);
  // Held from before a launch until finish_launch() is over: tiles run launches at once.
  [[nodiscard]] std::unique_lock<std::mutex> one_launch() { return std::unique_lock(one_launch_); }
  // Brings the files up to date.
  void finish_launch();

  [[nodiscard]] eu::Subscriptions subscriptions() const override {
    return {.threads = trace_.has_value(), .instructions = true};
  }
  void thread_begin(const eu::ThreadState& thread) override;
  void thread_end(const eu::ThreadState& thread) override;
  void instruction(const eu::ThreadState& thread, const eu::Instruction& instruction,
                   std::uint32_t lanes) override;

 private:
  std::mutex one_launch_;
  std::string profile_path_;
  std::optional<InstructionProfile> profile_;
  std::ofstream trace_file_;
  std::optional<InstructionTrace> trace_;
};

}  // namespace xesim::driver
