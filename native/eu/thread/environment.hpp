// What one hardware thread reaches outside itself: memory, barriers and its end.
//
// The device implements this; the execution unit and its messages know no more of the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "eu/images/image_surface.hpp"

namespace xesim::eu {

enum class MemorySpace : std::uint8_t {
  Global,   // 64-bit virtual addresses
  Slm,      // byte offset in the work-group's shared local memory, without the tag of pointers
  Scratch,  // byte offset in the thread's scratch space
};

// A contiguous stretch of a space that is backed by host memory. `size` 0 means: nothing is there.
struct MemoryWindow {
  std::uint64_t base = 0;   // first address in the space
  std::uint64_t size = 0;   // bytes
  std::byte* host = nullptr;
  bool writable = false;
};

// A buffer surface, read from its RENDER_SURFACE_STATE.
struct BufferSurface {
  bool valid = false;
  bool scratch = false;        // the thread's scratch space: `base` is unused, offsets are per thread
  std::uint64_t base = 0;      // global address
  std::uint64_t size = 0;      // bytes; an access beyond reads zero and writes nothing
};

// What a thread wanted of the memory that it faulted on.
enum class FaultAccess : std::uint8_t { Read, Write, Atomic, InstructionFetch };

enum class FaultReason : std::uint8_t {
  NotMapped,  // outside every allocation
  ReadOnly,   // inside one that threads must not write: code
};

// An access that no window backs.
struct PageFault {
  bool present = false;
  std::uint64_t address = 0;  // in `space`, the first byte that is not accessible
  FaultAccess access = FaultAccess::Read;
  FaultReason reason = FaultReason::NotMapped;
  MemorySpace space = MemorySpace::Global;
  std::uint8_t lane = 0;      // whose access it was; 0 for a block and an instruction fetch
};

// An access beyond a surface or the shared local memory: a read gives zero, a write is dropped.
struct OutsideAccess {
  MemorySpace space = MemorySpace::Global;  // of a surface: global memory
  std::uint64_t offset = 0;   // from the start of the surface or space
  std::uint32_t size = 0;     // bytes
  std::uint64_t limit = 0;    // bytes that the surface or space has
  bool write = false;
};

// "page fault writing global memory at 0x1000": for reports.
[[nodiscard]] std::string describe(const PageFault& fault);

// What a thread does at a barrier: producers are waited for, consumers wait.
enum class BarrierRole : std::uint8_t { ProducerConsumer, Producer, Consumer };

struct ThreadState;

// The thread that a thread is fused with.
struct FusedThread {
  ThreadState* state = nullptr;  // null: there is none
  bool comes_first = false;      // this other one is the first of the two
};

class ThreadEnvironment {
 public:
  virtual ~ThreadEnvironment() = default;

  // The window that holds `address`, or an empty one. It stays valid until the next call of
  // ExecutionUnit::run for any thread.
  virtual MemoryWindow window(MemorySpace space, std::uint64_t address) = 0;

  // Global address that instruction pointers are relative to.
  virtual std::uint64_t instruction_base() const = 0;

  // General state base: what stateless 32-bit (A32) messages and binding table 0xFD/0xFF add.
  virtual std::uint64_t general_state_base() const = 0;

  // Surface of a bindless (bss) or scratch (ss) message: byte offset from the surface heap.
  virtual BufferSurface bindless_surface(std::uint32_t offset) = 0;

  // Surface of a binding table index of the thread's kernel.
  virtual BufferSurface binding_table_surface(std::uint32_t index) = 0;

  // The image that a message to images or samplers names, and the sampler. Machines without
  // images keep these.
  virtual ImageSurface image_surface(const StateReference& /*reference*/) { return {}; }
  virtual Sampler sampler(const StateReference& /*reference*/) { return {}; }

  // Counts the thread in at barrier `id` (0 unless named) with the participants that the message
  // declares. Once all of them came the device clears the bit of each consumer in
  // ThreadState::barrier_pending, and sets the barrier's bit in its notification register n0.0.
  virtual void barrier_signal(std::uint32_t id, BarrierRole role, std::uint32_t producers,
                              std::uint32_t consumers) = 0;

  // A lane made an access that hardware drops. Machines that tell nobody keep this.
  virtual void accessed_outside(const OutsideAccess& /*access*/) {}

  // The other thread of the pair, which is waited for at dpasw; and lets it go on after that.
  // Machines that fuse no threads keep these.
  virtual FusedThread fused_thread() { return {}; }
  virtual void release_fused_thread() {}
};

}  // namespace xesim::eu
