// What a debugger watches: stops threads after they have accessed it, and says what they did.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "device/memory_view.hpp"
#include "device/run_watch.hpp"
#include "device/topology.hpp"
#include "time/accesses.hpp"
#include "time/query.hpp"

namespace xesim::time {

// What is watched. `query`: kinds, ranges, threads, lanes and changes_only count. Lanes are those of
// accesses to memory. Of an instruction that is watched (kExecute, kEnd) the thread stops in front.
struct WatchQuery {
  static constexpr std::uint32_t kAnyGroup = UINT32_MAX;
  Query query;
  std::array<std::uint32_t, 3> group{kAnyGroup, kAnyGroup, kAnyGroup};   // whose threads; any member may be free
};

// One access of a lane, or one change of registers, to what a watch watches.
struct WatchHit {
  std::uint64_t watch = 0;
  Hit hit;
};

// Everything with the device locked.
class Watches final : public device::RunWatch {
 public:
  // Both must outlive it.
  Watches(const device::Topology& topology, const device::Memory& memory)
      : topology_(topology), memory_(memory), view_(memory) {}

  // Its number.
  std::uint64_t add(WatchQuery watch);
  // False: there is no such watch.
  bool remove(std::uint64_t number);
  void clear();
  [[nodiscard]] bool empty() const { return watches_.empty(); }

  // What the thread did with the instruction that it has stopped after; by watch, then by lane.
  [[nodiscard]] std::vector<WatchHit> hits(std::uint32_t thread) const;

  void begin_run(const device::HardwareThread& thread, std::uint64_t time) override;
  void memory(const eu::ThreadState& state, const eu::MemoryAccess& access) override;
  bool executed(const eu::ThreadState& state, std::uint64_t before) override;
  bool stepped(const eu::ThreadState& state, const Executed& executed) override;

 private:
  // One range of one watch.
  struct Interval {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t reach;      // the latest end of this one and those before it
    std::uint64_t watch;
  };
  struct Part {
    std::uint64_t watch;
    AccessPart access;
  };

  // A watch of more than memory that is meant for the thread, and the registers that it watches.
  struct Seen {
    std::uint64_t watch;
    std::vector<AccessPart> registers;
  };

  void index();
  [[nodiscard]] bool is_meant(const WatchQuery& watch) const;
  [[nodiscard]] bool is_meant(const WatchQuery& watch, std::uint32_t lane) const;
  void note(const Interval& interval, std::uint32_t kinds, const Place& place, std::uint32_t size,
            std::uint32_t lane);
  void note_registers(const WatchQuery& watch, Seen& seen);
  // What the instruction at `ip` did to memory; clears parts_.
  [[nodiscard]] std::vector<WatchHit> accesses(std::uint32_t ip, std::uint64_t before);
  [[nodiscard]] Hit hit_at(std::uint32_t ip, std::uint64_t time) const;
  // They are what the thread did; whether there are any.
  bool keep(std::vector<WatchHit> hits);

  const device::Topology& topology_;
  const device::Memory& memory_;
  device::PresentMemory view_;
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, WatchQuery> watches_;
  std::array<std::vector<Interval>, 2> intervals_;   // global, local; by begin
  std::vector<std::uint64_t> of_each_;               // watches of more than memory

  const device::HardwareThread* thread_ = nullptr;
  std::uint64_t time_ = 0;                           // when its run began
  std::vector<Part> parts_;                          // of the instruction that executes
  std::vector<Seen> seen_;                           // of the thread
  std::map<std::uint32_t, std::vector<WatchHit>> hits_;   // by thread
};

}  // namespace xesim::time
