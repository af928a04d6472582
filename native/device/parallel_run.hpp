// Runs the work-groups of launches on several threads of the host, in no promised order, as hardware
// does.
//
// Subslices are what host threads take: to itself, for a time, with all groups on it. Groups reach each
// other through global memory only, so that nothing else is shared, and no lock is taken for a turn. Each
// host thread has subslices of its own, which it takes one after the other; when nothing is left to do
// on these, it takes those of others. Groups are placed when a subslice is taken, one by one as they end,
// so that neighbours go to all of them. Those that do not end, because they are long or wait for
// another group, stay, and more are placed beside them, up to what the subslice has room for: all
// groups that are on the device go on, as cooperative kernels need it.
//
// Threads that wait for other groups in a loop of atomics take the host's cores for nothing. When there
// are many such turns, the run ends and says so: in the order of one core most of them need not wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "device/dispatcher.hpp"
#include "device/fair_lock.hpp"
#include "device/helper_thread.hpp"
#include "device/host_cores.hpp"
#include "device/instruction_caches.hpp"
#include "eu/execution_unit.hpp"

namespace xesim::device {

class ParallelRun {
 public:
  // All must outlive it. `lock` is what the caller of run() holds.
  ParallelRun(const Topology& topology, Dispatcher& dispatcher, InstructionCaches& code,
              const FairLock& lock);

  // A thread that took an exception, before its instruction.
  struct Fault {
    HardwareThread* thread = nullptr;
    eu::RunResult result;
  };
  struct Done {
    std::uint64_t instructions = 0;
    std::optional<Fault> fault;
    bool waits = false;           // groups seem to wait for each other
  };
  // Runs the launches that the dispatcher has until every group of one has ended, somebody waits for the
  // lock, a thread took an exception (the first one is in the answer), groups wait for each other, or
  // none can go on. Then every thread is between two instructions, and no host thread but the caller's
  // executes. `alone`: instructions before others are woken.
  Done run(unsigned cores, std::uint64_t alone);

 private:
  // A subslice, on a cache line of its own.
  struct alignas(64) Place {
    std::atomic<bool> taken{false};
    std::atomic<bool> over{false};      // nothing can run on it any more
    std::vector<WorkGroup*> groups;     // of one pass; kept for its memory
    std::size_t next = 0;               // of these, in turn
  };
  // A thread of the host.
  struct alignas(64) Core {
    Core(eu::Platform platform, unsigned core) : number(core), unit(platform) {}
    unsigned number;
    eu::ExecutionUnit unit;
    std::uint32_t next = 0;             // of its own subslices
    std::uint64_t instructions = 0;
    HelperThread thread;                // but for the caller's
  };

  void work(Core& core);
  void wake_others();
  // A subslice that this core has now; nothing when there is none that something can run on, but for
  // those that others have.
  std::optional<std::uint32_t> take(Core& core);
  bool try_take(std::uint32_t subslice);
  // Whether the other cores do without this one.
  bool leave();
  void visit(Core& core, std::uint32_t subslice);
  // Turns for the threads of groups on the subslice, until the core has executed `end` instructions;
  // whether all of these groups ended.
  bool run_groups(Core& core, std::uint32_t subslice, std::uint64_t end);
  void run_group(Core& core, WorkGroup& group);
  void run_turn(Core& core, HardwareThread& thread);
  [[nodiscard]] bool any_runnable(std::uint32_t subslice) const;
  [[nodiscard]] bool stopping() const {
    return stop_.load(std::memory_order_relaxed) || lock_.contended();
  }

  const Topology& topology_;
  Dispatcher& dispatcher_;
  InstructionCaches& code_;
  const FairLock& lock_;
  std::deque<Core> cores_;              // all that were ever wanted
  std::deque<Place> places_;            // by position over all slices

  // Of the run.
  std::uint32_t first_ = 0;             // subslice
  std::uint32_t end_ = 0;
  unsigned wanted_ = 1;                 // cores
  std::uint64_t alone_ = 0;
  unsigned woken_ = 1;                  // of them; the caller's affair, like the next
  bool refused_ = false;                // the host gives no further thread
  std::atomic<std::uint32_t> live_{0};  // subslices that are not over
  std::atomic<std::uint32_t> active_{0};  // cores that work
  std::atomic<bool> stop_{false};
  std::atomic<unsigned> waiting_turns_{0};
  std::mutex fault_mutex_;
  std::optional<Fault> fault_;
};

}  // namespace xesim::device
