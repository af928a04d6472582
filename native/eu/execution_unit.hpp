// Executes the instructions of one hardware thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "eu/decode/code_cache.hpp"
#include "eu/thread/access_watch.hpp"
#include "eu/thread/environment.hpp"
#include "eu/thread/observer.hpp"
#include "eu/thread/thread_state.hpp"

namespace xesim::eu {

enum class Outcome : std::uint8_t {
  BudgetSpent,     // still runnable
  BarrierWait,     // at a sync.bar whose barrier is not complete; run again after the release
  EndOfThread,     // executed a send with EOT
  SynchronisationAhead,  // still runnable, before what RunOptions::until_synchronisation names
  Exception,       // stopped with a cr0.1 status bit; cr0.2 holds the ip
};

// "budget", "barrier", ...: one word, for reports of tests.
[[nodiscard]] const char* outcome_name(Outcome outcome);

struct RunResult {
  Outcome outcome = Outcome::BudgetSpent;
  std::uint64_t instructions = 0;  // executed in this call
  std::uint64_t global_atomics = 0;  // messages of them that were atomics in global memory
  // The cr0.1 bit of the exception that ended the run. None if that was asked for in cr0.1: by the
  // caller that resumed the thread, or by an instruction that wrote the bit.
  std::uint32_t raised = 0;
  bool watched = false;            // raised kBreakpoint, for RunOptions::watch and nothing else
  PageFault fault;                 // raised kPageFault
  std::string report;              // raised kIllegalOpcode: names the instruction, and the reason
  std::size_t reason_start = 0;    // of the reason in `report`

  // Why the instruction is not executed.
  [[nodiscard]] std::string_view reason() const {
    return std::string_view(report).substr(reason_start);
  }
};

struct RunOptions {
  std::uint64_t budget = 4096;     // instructions; at least 1
  bool debugging = false;          // honour breakpoints, single step and exceptions as SIP would
  // End before a barrier's signal, an atomic or a fence, unless that is the first instruction. A run
  // that goes on where another one's budget ended says so: its first instruction is not exempt.
  bool until_synchronisation = false;
  bool goes_on = false;
  Observer* observer = nullptr;
  AccessWatch* watch = nullptr;    // with `debugging` only
};

class ExecutionUnit {
 public:
  explicit ExecutionUnit(Platform platform);

  // Runs `thread` from its ip until the budget is spent, it waits, ends, or takes an exception.
  //
  // With `debugging`, on entry (the resume protocol that Level Zero debuggers rely on):
  //   1. any of cr0.1 bits 16, 26, 28, 29, 30 still set: that exception is taken again at once;
  //   2. step = cr0.1 bit 31; if the instruction at ip carries the breakpoint bit and cr0.0 bit 15
  //      (suppress) is clear, the breakpoint exception is taken at once;
  //   3. otherwise suppress and bit 31 are cleared, the instruction executes, and with `step` a
  //      breakpoint exception (bit 31) is taken before the next one, wherever that is. EOT ends the
  //      thread without one.
  //   4. after a message that accessed what is watched, a breakpoint exception is taken in the same way.
  // Exceptions are taken before the instruction executes: cr0.2 = ip, status bit set in cr0.1.
  // A page fault or an illegal instruction leaves ip at the culprit with no lane written.
  // Without `debugging` breakpoint bits are ignored; faults and illegal opcodes still end the run.
  RunResult run(ThreadState& thread, ThreadEnvironment& environment, CodeCache& code,
                const RunOptions& options);

  // Takes the forced exception (external interrupt): sets cr0.1 bit 26 and cr0.2.
  static void force_exception(ThreadState& thread);
  // Takes the breakpoint exception, as after a step.
  static void take_breakpoint(ThreadState& thread);

  [[nodiscard]] Platform platform() const { return platform_; }

 private:
  Platform platform_;
};

}  // namespace xesim::eu
