// Stops threads after they have accessed memory that is watched. Beside an observer: what no filter lets
// through costs a look at that only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "eu/thread/access_filter.hpp"
#include "eu/thread/observer.hpp"

namespace xesim::eu {

class AccessWatch : public Observer {
 public:
  // Of global memory by address, and of shared local memory by offset.
  [[nodiscard]] const AccessFilter& filter(MemorySpace space, bool write) const {
    return filters_[space == MemorySpace::Slm ? 1 : 0][write ? 1 : 0];
  }

  // Whether an access of at most AccessFilter::kReach bytes from `address` on may be of what is watched.
  [[nodiscard]] bool may_touch(MemorySpace space, bool write, std::uint64_t address) const {
    const AccessFilter& filter = this->filter(space, write);
    switch (space) {
      case MemorySpace::Global: return filter.may_touch(address);
      case MemorySpace::Scratch: return filter.may_touch(scratch_ + address);
      case MemorySpace::Slm: break;  // the address may have a tag
    }
    return !filter.empty();
  }

  // memory() gets the accesses that no filter has ruled out, and maybe others.
  [[nodiscard]] Subscriptions subscriptions() const override { return {.memory = true}; }

  // After a message that was executed: whether the thread stops before its next instruction. `before`:
  // instructions of the run that came before it.
  virtual bool executed(const ThreadState& state, std::uint64_t before) = 0;

  // Whether it sees every instruction of the run that begins, not only messages: what is watched is not
  // only memory.
  [[nodiscard]] bool sees_each() const { return sees_each_; }

  struct Executed {
    std::uint32_t ip;
    std::uint32_t lanes;      // that it executed for
    std::uint64_t before;     // instructions of the run that came before it
    bool ends_next;           // the next one is the thread's last
  };
  // After an instruction, where it sees each: whether the thread stops before its next one. Of a message,
  // executed() was called before.
  virtual bool stepped(const ThreadState& state, const Executed& executed) = 0;

 protected:
  std::array<std::array<AccessFilter, 2>, 2> filters_;   // [space][writes]
  bool sees_each_ = false;
  std::uint64_t scratch_ = 0;                            // address of the thread's scratch space
};

}  // namespace xesim::eu
