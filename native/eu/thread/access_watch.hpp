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

  // memory() gets the accesses that no filter has ruled out, and maybe others.
  [[nodiscard]] Subscriptions subscriptions() const override { return {.memory = true}; }

  // After a message that was executed: whether the thread stops before its next instruction. `before`:
  // instructions of the run that came before it.
  virtual bool executed(const ThreadState& state, std::uint64_t before) = 0;

 protected:
  std::array<std::array<AccessFilter, 2>, 2> filters_;   // [space][writes]
};

}  // namespace xesim::eu
