// What one hardware thread reaches outside itself: memory, barriers and its end.
//
// The device implements this; the execution unit and its messages know no more of the device.
#pragma once

#include <cstddef>
#include <cstdint>

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

// An access that no window backs.
struct PageFault {
  bool present = false;
  std::uint64_t address = 0;
  bool write = false;
  MemorySpace space = MemorySpace::Global;
};

class ThreadEnvironment {
 public:
  virtual ~ThreadEnvironment() = default;

  // The window that holds `address`, or an empty one. It stays valid until the next call of
  // ExecutionUnit::run for any thread.
  virtual MemoryWindow window(MemorySpace space, std::uint64_t address) = 0;

  // General state base: what stateless 32-bit (A32) messages and binding table 0xFD/0xFF add.
  virtual std::uint64_t general_state_base() const = 0;

  // Surface of a bindless (bss) or scratch (ss) message: byte offset from the surface heap.
  virtual BufferSurface bindless_surface(std::uint32_t offset) = 0;

  // Surface of a binding table index of the thread's kernel.
  virtual BufferSurface binding_table_surface(std::uint32_t index) = 0;

  // Counts the thread in at barrier `id` (0 unless named) with the participants that the message
  // declares. The device clears the thread's bit in ThreadState::barrier_pending on release,
  // and sets notification n0.0 bit 0.
  virtual void barrier_signal(std::uint32_t id, std::uint32_t producers,
                              std::uint32_t consumers) = 0;
};

}  // namespace xesim::eu
