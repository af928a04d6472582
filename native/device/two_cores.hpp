// Runs turns of hardware threads on two cores of the host, with the bits of one core.
//
// Round robin gives every thread its turn in the order of the ordinals. Work-groups reach each other
// through global memory only, so turns of different groups may run in any order, or at the same
// time, as long as no group uses memory that the other one writes. Whether that is so shows when it
// is tried: a batch of turns that follow each other is shared out between two threads of the host,
// which claim what they access (eu/thread/memory_claims.hpp). Without a conflict the batch stays, and is
// what the turns would have done one after the other. At the first conflict, and whenever a thread
// faults, both stop, everything is taken back, and the same turns run on one core: so races,
// atomics that groups meet in, and loops that wait for another group give the bits and the faults
// of one core too.
//
// Groups go to whichever of the two is free. That decides nothing: each of them runs its share in
// the order of the ordinals, and the shares have no memory in common that is written.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/core_pacing.hpp"
#include "device/dispatcher.hpp"
#include "device/dispatcher_undo.hpp"
#include "device/helper_thread.hpp"
#include "device/host_cores.hpp"
#include "device/instruction_caches.hpp"
#include "eu/execution_unit.hpp"
#include "eu/thread/memory_claims.hpp"

namespace xesim::device {

class TwoCores {
 public:
  // All must outlive it.
  TwoCores(const Topology& topology, const Memory& memory, Dispatcher& dispatcher,
           InstructionCaches& code);

  // False: the host has no room for the table of claims.
  [[nodiscard]] bool usable() const { return claims_.usable(); }

  struct Done {
    std::uint32_t end = 0;             // ordinal before which the round's turns are over
    std::uint64_t turns = 0;
    std::uint64_t instructions = 0;
  };
  // Turns of `budget` instructions for the Runnable threads from ordinal `from` on, as far as it
  // pays. Nothing when it does not, or when it did not work: then nothing has changed.
  std::optional<Done> run_turns(std::uint32_t from, std::uint64_t budget);

  // A launch begins. `always`: as HostCores::TwoAlways says.
  void begin_launch(const KernelLaunch& launch, bool always);
  // A turn was run on one core.
  void executed_alone(std::uint64_t instructions) { pacing_.executed(instructions); }
  [[nodiscard]] BatchCounts batches() const { return batches_; }

 private:
  // What one thread of the host does of a batch.
  struct Share {
    Share(TwoCores& owner, unsigned number);
    unsigned core;
    eu::ExecutionUnit unit;
    eu::CodeCache& code;
    eu::MemoryClaims claims;
    DispatcherUndo undo;
    std::vector<HardwareThread*> ended;
    std::uint64_t turns = 0;
    std::uint64_t instructions = 0;
  };

  // The ranges of a batch from `from` on, in ranges_, and its end; nothing when it would not pay.
  std::optional<std::uint32_t> plan(std::uint32_t from);
  void work(Share& share, std::uint64_t budget);
  // The share's next range of the batch, its `taken`-th; a number beyond the last one: there is none.
  std::size_t take_range(const Share& share, std::size_t taken);
  void run_range(Share& share, OrdinalRange range, std::uint64_t budget);
  void take_back();
  Done keep(std::uint32_t end);

  const Topology& topology_;
  Dispatcher& dispatcher_;
  InstructionCaches& code_;
  CorePacing pacing_;
  bool always_ = false;
  BatchCounts batches_;
  eu::ClaimTable claims_;
  Share own_;
  Share helpers_;
  std::vector<OrdinalRange> ranges_;    // of the batch
  std::atomic<std::size_t> next_{0};    // of them, that nobody has taken
  std::atomic<bool> abandoned_{false};
  HelperThread helper_;                 // last: it ends first
};

}  // namespace xesim::device
