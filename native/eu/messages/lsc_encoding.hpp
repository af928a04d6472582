// Encodings of messages to the load/store cache (send.ugm, send.slm, send.tgm) as data.
//
// Descriptor fields and values: xe-isa reference 2.6; the names are those that Intel's
// disassembler prints, against which tests/eu/test_message_coverage.py holds this table.
#pragma once

#include <array>
#include <cstdint>

#include "eu/isa/data_message.hpp"
#include "eu/messages/field.hpp"

namespace xesim::eu::lsc {

inline constexpr DescriptorField kOperation{0, 6};
inline constexpr DescriptorField kAddressSize{7, 2};
inline constexpr DescriptorField kDataSize{9, 3};
inline constexpr DescriptorField kVectorSize{12, 3};
inline constexpr DescriptorField kComponentMask{12, 4};  // of load_quad and store_quad, instead of the two
inline constexpr DescriptorField kTransposed{15, 1};
inline constexpr DescriptorField kCacheControl{17, 3};
inline constexpr DescriptorField kResponseLength{20, 5};
inline constexpr DescriptorField kAddressType{29, 2};
inline constexpr DescriptorField kFenceScope{9, 3};
inline constexpr DescriptorField kFenceFlush{12, 3};
// In the extended descriptor.
inline constexpr DescriptorField kBindingTableIndex{24, 8};
inline constexpr std::uint32_t kSurfaceOffsetMask = 0xFFFFF800u;        // [31:11]
inline constexpr std::uint32_t kSurfaceOffsetMaskExBso = 0xFFFFFFC0u;   // [31:6], ExBSO; all of Xe2
// Signed offsets in bytes of Xe2's addresses.
inline constexpr DescriptorField kFlatOffset{12, 20};
inline constexpr DescriptorField kBindingTableOffset{12, 12};
inline constexpr DescriptorField kSurfaceHighOffset{19, 13};  // bits 16:4
inline constexpr DescriptorField kSurfaceLowOffset{12, 4};    // bits 3:0

// Of load_block2d and store_block2d, which have one address size and no vector.
inline constexpr DescriptorField kTransformed{7, 1};
inline constexpr DescriptorField kBlockX{12, 10};  // extended descriptor, Xe2: signed, in elements
inline constexpr DescriptorField kBlockY{22, 10};

enum class Shape : std::uint8_t { Vector, Components, Strided, Block2d, Fence, Unsupported };

struct Operation {
  const char* name = nullptr;  // null: no such operation
  DataOperation operation = DataOperation::Load;
  Shape shape = Shape::Unsupported;
  AtomicOperation atomic = AtomicOperation::Add;
};

inline constexpr std::size_t kOperationCount = 0x21;
inline constexpr std::array<Operation, kOperationCount> kOperations{{
    {"load", DataOperation::Load, Shape::Vector, {}},
    {"load_strided", DataOperation::Load, Shape::Strided, {}},
    {"load_quad", DataOperation::Load, Shape::Components, {}},
    {"load_block2d", DataOperation::Load, Shape::Block2d, {}},
    {"store", DataOperation::Store, Shape::Vector, {}},
    {"store_strided", DataOperation::Store, Shape::Strided, {}},
    {"store_quad", DataOperation::Store, Shape::Components, {}},
    {"store_block2d", DataOperation::Store, Shape::Block2d, {}},
    {"atomic_iinc", DataOperation::Atomic, Shape::Vector, AtomicOperation::Increment},
    {"atomic_idec", DataOperation::Atomic, Shape::Vector, AtomicOperation::Decrement},
    {"atomic_load", DataOperation::Atomic, Shape::Vector, AtomicOperation::Load},
    {"atomic_store", DataOperation::Atomic, Shape::Vector, AtomicOperation::Store},
    {"atomic_iadd", DataOperation::Atomic, Shape::Vector, AtomicOperation::Add},
    {"atomic_isub", DataOperation::Atomic, Shape::Vector, AtomicOperation::Subtract},
    {"atomic_smin", DataOperation::Atomic, Shape::Vector, AtomicOperation::SignedMin},
    {"atomic_smax", DataOperation::Atomic, Shape::Vector, AtomicOperation::SignedMax},
    {"atomic_umin", DataOperation::Atomic, Shape::Vector, AtomicOperation::UnsignedMin},
    {"atomic_umax", DataOperation::Atomic, Shape::Vector, AtomicOperation::UnsignedMax},
    {"atomic_icas", DataOperation::Atomic, Shape::Vector, AtomicOperation::CompareExchange},
    {"atomic_fadd", DataOperation::Atomic, Shape::Vector, AtomicOperation::FloatAdd},
    {"atomic_fsub", DataOperation::Atomic, Shape::Vector, AtomicOperation::FloatSubtract},
    {"atomic_fmin", DataOperation::Atomic, Shape::Vector, AtomicOperation::FloatMin},
    {"atomic_fmax", DataOperation::Atomic, Shape::Vector, AtomicOperation::FloatMax},
    {"atomic_fcas", DataOperation::Atomic, Shape::Vector, AtomicOperation::FloatCompareExchange},
    {"atomic_and", DataOperation::Atomic, Shape::Vector, AtomicOperation::And},
    {"atomic_or", DataOperation::Atomic, Shape::Vector, AtomicOperation::Or},
    {"atomic_xor", DataOperation::Atomic, Shape::Vector, AtomicOperation::Xor},
    {"load_status", DataOperation::Load, Shape::Unsupported, {}},
    {"store_uncompressed", DataOperation::Store, Shape::Vector, {}},  // no memory is compressed
    {"ccs", DataOperation::Store, Shape::Unsupported, {}},
    {"read_state", DataOperation::Load, Shape::Unsupported, {}},
    {"fence", DataOperation::Fence, Shape::Fence, {}},
    {"store_uncompressed_quad", DataOperation::Store, Shape::Unsupported, {}},
}};

struct DataSize {
  const char* name = nullptr;
  std::uint8_t memory_bytes = 0;
  std::uint8_t register_bytes = 0;
  bool high_half = false;
};
inline constexpr std::array<DataSize, 8> kDataSizes{{
    {"d8", 1, 1, false},
    {"d16", 2, 2, false},
    {"d32", 4, 4, false},
    {"d64", 8, 8, false},
    {"d8u32", 1, 4, false},
    {"d16u32", 2, 4, false},
    {"d16u32h", 2, 4, true},
    {},
}};

inline constexpr std::array<std::uint8_t, 8> kVectorSizes{1, 2, 3, 4, 8, 16, 32, 64};

struct AddressSize {
  const char* name = nullptr;
  std::uint8_t bytes = 0;
};
inline constexpr std::array<AddressSize, 4> kAddressSizes{{{}, {"a16", 2}, {"a32", 4}, {"a64", 8}}};

enum class AddressType : std::uint8_t { Flat, Bss, Ss, Bti };
inline constexpr std::array<const char*, 4> kAddressTypes{"", ".bss", ".ss", ".bti"};

// Cache hints change nothing in a coherent memory; they are here for the names.
struct CacheControl {
  const char* load;
  const char* store;  // atomics as well
};
inline constexpr std::array<CacheControl, 8> kCacheControls{{
    {"", ""},
    {".uc.uc", ".uc.uc"},
    {".uc.ca", ".uc.wb"},
    {".ca.uc", ".wt.uc"},
    {".ca.ca", ".wt.wb"},
    {".st.uc", ".st.uc"},
    {".st.ca", ".st.wb"},
    {".ri.ca", ".wb.wb"},
}};

inline constexpr std::array<const char*, 8> kFenceFlushes{
    ".none", ".evict", ".invalidate", ".discard", ".clean", ".flushl3", ".type6", ".type7"};
inline constexpr std::array<const char*, 8> kFenceScopes{
    ".group", ".local", ".tile", ".gpu", ".gpus", ".sysrel", ".sysacq", ".scope7"};

}  // namespace xesim::eu::lsc
