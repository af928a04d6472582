// The one observer interface of the execution unit: what breakpoints' users, tracers, profilers,
// coverage and checkers subscribe to. With no subscriber the unit does not look for one inside
// its loop (run is instantiated twice), so observing costs nothing without an observer. Nor does
// what an observer does not subscribe to: messages take their shorter ways without one for memory.
#pragma once

#include <cstdint>

#include "eu/isa/instruction.hpp"
#include "eu/thread/environment.hpp"
#include "eu/thread/thread_state.hpp"

namespace xesim::eu {

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

struct MemoryAccess {
  AccessKind kind;
  MemorySpace space;
  std::uint64_t address;   // of this lane's first byte, in `space`
  std::uint32_t size;      // bytes
  std::uint8_t lane;       // 0 for a transposed (whole thread) access
};

// The events that an observer gets.
struct Subscriptions {
  bool threads = false;       // thread_begin, thread_end
  bool instructions = false;
  bool memory = false;
  bool barriers = false;

  [[nodiscard]] bool any() const { return threads || instructions || memory || barriers; }
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Asked when the observer is set, and at each turn of a thread; the same each time. Calls that it
  // leaves out may come anyway.
  [[nodiscard]] virtual Subscriptions subscriptions() const { return {true, true, true, true}; }
  virtual void thread_begin(const ThreadState&) {}
  virtual void thread_end(const ThreadState&) {}
  // Before `instruction` executes; `lanes` are those that it will write.
  virtual void instruction(const ThreadState&, const Instruction&, std::uint32_t /*lanes*/) {}
  // A write is reported before it is made.
  virtual void memory(const ThreadState&, const MemoryAccess&) {}
  virtual void barrier(const ThreadState&, std::uint32_t /*id*/) {}
};

}  // namespace xesim::eu
