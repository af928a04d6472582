// The windows of memory that a run of one thread used last, so that most lanes cost no call of the
// environment.
#pragma once

#include "eu/thread/environment.hpp"

namespace xesim::eu {

// Lives for one ExecutionUnit::run.
struct WindowCache {
  MemoryWindow global[4];
  MemoryWindow slm;
  MemoryWindow scratch;
  unsigned next = 0;
  std::uint64_t global_atomics = 0;  // messages of the run
};

}  // namespace xesim::eu
