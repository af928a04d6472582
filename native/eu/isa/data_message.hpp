// A message to a data port in the terms that execution needs, whichever port it was encoded for.
//
// The load/store cache (LSC: ugm, slm, tgm) and the older data cache (HDC: dc0, dc1) encode the same
// few things in very different ways. Decoding (lsc_decode.cpp, hdc_decode.cpp)
// brings both to this form; execution (load_store.cpp, atomic.cpp) knows this
// form only.
#pragma once

#include <cstdint>

#include "eu/isa/messages.hpp"

namespace xesim::eu {

// Values per lane in the data payload of an atomic: the compare value, if any, comes first.
[[nodiscard]] constexpr unsigned operand_count(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::Increment:
    case AtomicOperation::Decrement:
    case AtomicOperation::PreDecrement:
    case AtomicOperation::Load:
      return 0;
    case AtomicOperation::CompareExchange:
    case AtomicOperation::FloatCompareExchange:
      return 2;
    default:
      return 1;
  }
}

// What the addresses of a message are relative to.
enum class AddressModel : std::uint8_t {
  Flat,          // 64-bit global addresses
  Stateless,     // 32-bit offsets from the general state base
  Slm,           // offsets in the work-group's shared local memory
  HeapSurface,   // `surface` is a byte offset in the surface heap (bindless and scratch surfaces)
  BindingTable,  // `surface` is a binding table index
  Scratch,       // offsets in the thread's scratch space
};

// Compilers set bit 28 in pointers to shared local memory, so that none is null; the port ignores
// what is beyond any size of that memory.
inline constexpr std::uint64_t kSlmOffsetMask = 0x0FFF'FFFF;

enum class AddressOrder : std::uint8_t {
  PerLane,  // one address a lane
  Strided,  // one base address and one pitch; lane n is at base + n * pitch
  Block,    // one address; elements follow each other in memory and in the registers
  Block2d,  // one rectangle of a matrix, or several beside each other, as the payload describes
};

// What a two-dimensional block message adds to its payload. Offsets are immediates, in elements.
struct Block2d {
  bool transposed = false;   // registers hold columns
  bool transformed = false;  // VNNI: dwords of elements from rows that follow each other
  std::int16_t x_offset = 0;
  std::int16_t y_offset = 0;
};

struct DataMessage {
  // Why this message cannot be executed; a string literal, or null.
  const char* unsupported = nullptr;
  // A message to an image: ImageMessage says the rest.
  bool typed = false;

  DataOperation operation = DataOperation::Load;
  AtomicOperation atomic = AtomicOperation::Add;
  AddressModel model = AddressModel::Flat;
  AddressOrder order = AddressOrder::PerLane;
  std::uint32_t surface = 0;

  std::uint8_t address_bytes = 8;   // 2, 4 or 8
  std::uint8_t address_shift = 0;   // addresses count units of 1 << address_shift bytes
  std::uint16_t address_start = 0;  // byte offset of the first address in the payload
  std::uint16_t address_registers = 1;  // GRFs of header and addresses; data follow them
  std::uint64_t offset_mask = ~std::uint64_t{0};  // bits of an address in bytes that count
  // Bytes, added to each address. The sum does not wrap around in the address's size: hardware finds
  // the negative address alone out of bounds (IGC: CodeGenPatternMatch::MatchImmOffsetLSC).
  std::int32_t immediate_offset = 0;
  // Bytes that every address of a load or store is a multiple of: a power of two. Intel's vISA
  // documents state it of the data cache's messages (docs/simulated-gpu.md names them).
  std::uint8_t alignment = 1;

  std::uint8_t memory_bytes = 4;    // of one element in memory: 1, 2, 4 or 8
  std::uint8_t register_bytes = 4;  // of one element in the registers
  bool high_half = false;           // d16u32h: the element is in the upper half of the dword

  // PerLane and Strided: lane n's component c is at
  //   memory:    address + 4 * c (bytes; memory_bytes * c in general)
  //   registers: block position(c) + n * register_bytes, a block being `slots` elements
  //              rounded up to whole GRFs; components outside `component_mask` have no block.
  std::uint8_t slots = 8;                  // lanes that the payload has room for
  std::uint64_t component_mask = 1;        // bit c: component c is transferred

  // Block: how many bytes, and where in the first data register they start.
  std::uint16_t block_bytes = 0;
  std::uint16_t block_register_start = 0;
  // Lanes enable its dwords, where there are as many of both. Blocks of load/store units are whole.
  bool block_is_masked = false;

  Block2d block2d;  // for Block2d

  bool returns_data = false;  // loads, and atomics that give the old value back
};

}  // namespace xesim::eu
