// Encodings of messages to the data cache (send.dc0, send.dc1) as data: the older data port that
// compilers up to about 2023 use on Xe-HPG, and that thread prologs use to read their payload.
//
// Descriptor fields: public facts in Intel's disassembler (visa/iga of the graphics compiler) and
// in the programmer's reference manuals of Gen9 to Gen12, volume "Memory Data Formats".
#pragma once

#include <array>
#include <cstdint>

#include "eu/isa/data_message.hpp"
#include "eu/messages/field.hpp"

namespace xesim::eu::hdc {

inline constexpr DescriptorField kBindingTableIndex{0, 8};
inline constexpr DescriptorField kType{14, 5};
inline constexpr DescriptorField kHeaderPresent{19, 1};
inline constexpr DescriptorField kScratchBlock{18, 1};     // dc0: type 16 and above
inline constexpr DescriptorField kScratchWrite{17, 1};
inline constexpr DescriptorField kScratchBlockCount{12, 2};  // log2 of the number of 32-byte blocks
inline constexpr DescriptorField kScratchOffset{0, 12};      // 32-byte units
inline constexpr DescriptorField kBlockCount{8, 3};          // see kOwordBlocks; log2 for hwords
inline constexpr DescriptorField kHwordBlock{13, 1};         // dc0 aligned block read
inline constexpr DescriptorField kA64BlockKind{11, 2};
inline constexpr DescriptorField kElementCount{10, 2};       // log2
inline constexpr DescriptorField kA64ScatterKind{8, 2};
inline constexpr DescriptorField kSimd16Scatter{8, 1};       // dc0 scatter and gather
inline constexpr DescriptorField kSimd16A64Scatter{12, 1};
inline constexpr DescriptorField kDisabledComponents{8, 4};  // untyped surface messages
inline constexpr DescriptorField kSimdModeUntyped{12, 2};    // 1 SIMD16, 2 SIMD8
inline constexpr DescriptorField kSimd8Atomic{12, 1};
inline constexpr DescriptorField kAtomic64{12, 1};           // a64 integer atomics, always SIMD8
inline constexpr DescriptorField kAtomicOperation{8, 4};
inline constexpr DescriptorField kFloatAtomicOperation{8, 3};
inline constexpr DescriptorField kReturnsData{13, 1};
// In the extended descriptor of a bindless message.
inline constexpr std::uint32_t kBindlessMaskExBso = 0xFFFFFFC0u;  // byte offset in [31:6]
inline constexpr DescriptorField kBindlessUnit{12, 20};                     // without ExBSO: 64-byte units

// Binding table indices with a meaning of their own.
inline constexpr std::uint32_t kStatelessNonCoherent = 0xFD;
inline constexpr std::uint32_t kStatelessCoherent = 0xFF;
inline constexpr std::uint32_t kSharedLocalMemory = 0xFE;
inline constexpr std::uint32_t kBindless = 0xFC;

enum class A64BlockKind : std::uint8_t { OwordUnaligned, OwordAligned, OwordDual, Hword };
enum class A64ScatterKind : std::uint8_t { Byte, Dword, Qword, ByteWithStatus };

// How to read the rest of the descriptor.
enum class Layout : std::uint8_t {
  OwordBlock,         // header; offset in 16-byte units
  AlignedBlock,       // header; offset in bytes
  DwordScatter,       // offsets in 4-byte units
  QwordScatter,       // offsets in 8-byte units
  ByteScatter,
  Fence,
  UntypedSurface,
  A64UntypedSurface,
  A64Scatter,
  A64Block,
  IntegerAtomic,
  WordAtomic,         // 16 bits in the low half of a dword
  A64IntegerAtomic,
  A64WordAtomic,
  FloatAtomic,
  HalfAtomic,
  A64FloatAtomic,
  A64HalfAtomic,
  TypedSurface,       // images, as the next two
  TypedAtomic,
  MediaBlock,
  Unsupported,
};

struct Message {
  const char* name = nullptr;  // null: no such message
  DataOperation operation = DataOperation::Load;
  Layout layout = Layout::Unsupported;
};

// dc0 by type; types of 16 and above are scratch block messages.
inline constexpr std::array<Message, 16> kDc0Messages{{
    {"oword block read", DataOperation::Load, Layout::OwordBlock},
    {"aligned block read", DataOperation::Load, Layout::AlignedBlock},
    {"oword dual block read", DataOperation::Load, Layout::Unsupported},
    {"dword gathering read", DataOperation::Load, Layout::DwordScatter},
    {"byte gathering read", DataOperation::Load, Layout::ByteScatter},
    {"qword gathering read", DataOperation::Load, Layout::QwordScatter},
    {},
    {"fence", DataOperation::Fence, Layout::Fence},
    {"oword block write", DataOperation::Store, Layout::OwordBlock},
    {"hword aligned block write", DataOperation::Store, Layout::Unsupported},
    {"oword dual block write", DataOperation::Store, Layout::Unsupported},
    {"dword scattering write", DataOperation::Store, Layout::DwordScatter},
    {"byte scattering write", DataOperation::Store, Layout::ByteScatter},
    {"qword scattering write", DataOperation::Store, Layout::QwordScatter},
    {},
    {},
}};

inline constexpr std::array<Message, 32> kDc1Messages{{
    {},
    {"untyped surface read", DataOperation::Load, Layout::UntypedSurface},
    {"untyped atomic int32", DataOperation::Atomic, Layout::IntegerAtomic},
    {"untyped atomic int16", DataOperation::Atomic, Layout::WordAtomic},
    {"media block read", DataOperation::Load, Layout::MediaBlock},
    {"typed surface read", DataOperation::Load, Layout::TypedSurface},
    {"typed atomic 32-bit integer", DataOperation::Atomic, Layout::TypedAtomic},
    {"typed atomic 16-bit integer", DataOperation::Atomic, Layout::Unsupported},
    {},
    {"untyped surface write", DataOperation::Store, Layout::UntypedSurface},
    {"media block write", DataOperation::Store, Layout::MediaBlock},
    {"typed atomic 32-bit counter", DataOperation::Atomic, Layout::Unsupported},
    {"typed atomic 16-bit counter", DataOperation::Atomic, Layout::Unsupported},
    {"typed surface write", DataOperation::Store, Layout::TypedSurface},
    {},
    {},
    {"a64 gathering read", DataOperation::Load, Layout::A64Scatter},
    {"a64 untyped surface read", DataOperation::Load, Layout::A64UntypedSurface},
    {"untyped a64 atomic int", DataOperation::Atomic, Layout::A64IntegerAtomic},
    {"untyped a64 atomic int16", DataOperation::Atomic, Layout::A64WordAtomic},
    {"a64 block read", DataOperation::Load, Layout::A64Block},
    {"a64 block write", DataOperation::Store, Layout::A64Block},
    {},
    {},
    {},
    {"a64 untyped surface write", DataOperation::Store, Layout::A64UntypedSurface},
    {"a64 scattering write", DataOperation::Store, Layout::A64Scatter},
    {"float atomic", DataOperation::Atomic, Layout::FloatAtomic},
    {"untyped half-float atomic", DataOperation::Atomic, Layout::HalfAtomic},
    {"a64 float atomic", DataOperation::Atomic, Layout::A64FloatAtomic},
    {"a64 untyped half-float atomic", DataOperation::Atomic, Layout::A64HalfAtomic},
    {},
}};

struct OwordBlock {
  const char* suffix = nullptr;        // null: reserved
  std::uint8_t owords = 0;
  std::uint8_t register_start = 0;     // bytes: "1H" uses the upper half of its register
};
inline constexpr std::array<OwordBlock, 8> kOwordBlocks{{
    {"x1", 1, 0}, {"x1H", 1, 16}, {"x2", 2, 0}, {"x4", 4, 0}, {"x8", 8, 0}, {"x16", 16, 0}, {}, {}}};

struct Atomic {
  const char* name = nullptr;  // null: reserved, or not implemented
  AtomicOperation operation = AtomicOperation::Add;
};
// By code; 0 is a 64-bit compare and swap in a 32-bit message, which nothing emits.
inline constexpr std::array<Atomic, 16> kIntegerAtomics{{
    {},
    {"logical AND", AtomicOperation::And},
    {"logical OR", AtomicOperation::Or},
    {"logical XOR", AtomicOperation::Xor},
    {"store", AtomicOperation::Store},
    {"integer increment", AtomicOperation::Increment},
    {"integer decrement", AtomicOperation::Decrement},
    {"integer add", AtomicOperation::Add},
    {"integer subtract", AtomicOperation::Subtract},
    {"commuted integer subtract", AtomicOperation::ReverseSubtract},
    {"signed-integer max", AtomicOperation::SignedMax},
    {"signed-integer min", AtomicOperation::SignedMin},
    {"unsigned-integer max", AtomicOperation::UnsignedMax},
    {"unsigned-integer min", AtomicOperation::UnsignedMin},
    {"integer compare and swap", AtomicOperation::CompareExchange},
    {"integer pre-decrement (returns pre-decrement value)", AtomicOperation::PreDecrement},
}};
inline constexpr std::array<Atomic, 8> kFloatAtomics{{
    {},
    {"max", AtomicOperation::FloatMax},
    {"min", AtomicOperation::FloatMin},
    {"fp-compare and swap ", AtomicOperation::FloatCompareExchange},
    {"add", AtomicOperation::FloatAdd},
    {"subtract", AtomicOperation::FloatSubtract},
    {"64b add", AtomicOperation::FloatAdd},
    {"64b subtract", AtomicOperation::FloatSubtract},
}};
inline constexpr std::uint32_t kFirstDoubleAtomic = 6;  // from here the number has 64 bits

}  // namespace xesim::eu::hdc
