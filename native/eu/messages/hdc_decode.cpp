// Messages to the data cache: send.dc0 and send.dc1.
#include "eu/messages/decode.hpp"
#include "eu/messages/hdc_encoding.hpp"

namespace xesim::eu {
namespace {

// Offsets that count dwords, qwords or owords wrap around in bytes: oneMKL's kernels divide negative
// offsets by four with a logical shift, and add lanes to them.
constexpr std::uint64_t kOffsetMask = 0xFFFF'FFFF;

constexpr std::uint64_t first_components(unsigned count) {
  return ~std::uint64_t{0} >> (64 - count);
}

class HdcDecoder {
 public:
  HdcDecoder(Platform platform, const SendDescriptors& send)
      : send_(send), register_size_(grf_bytes(platform)) {}

  DataMessage decode() {
    const std::uint32_t type = hdc::kType.of(send_.descriptor);
    if (send_.function == SharedFunction::Dc0) {
      if (hdc::kScratchBlock.of(send_.descriptor) != 0) {
        scratch_block();
        return message_;
      }
      decode(hdc::kDc0Messages[type]);
    } else {
      decode(hdc::kDc1Messages[type]);
    }
    return message_;
  }

 private:
  void decode(const hdc::Message& entry) {
    if (entry.name == nullptr) {
      message_.unsupported = "reserved message type";
      return;
    }
    message_.operation = entry.operation;
    message_.returns_data = entry.operation == DataOperation::Load;
    switch (entry.layout) {
      case hdc::Layout::OwordBlock:
        surface32();
        oword_block(8);
        message_.address_shift = 4;
        break;
      case hdc::Layout::AlignedBlock:
        surface32();
        if (hdc::kHwordBlock.of(send_.descriptor) != 0) {
          block(8, hdc::kHwordBytes << hdc::kBlockCount.of(send_.descriptor));
        } else {
          oword_block(8);
          message_.alignment = 4;
        }
        break;
      case hdc::Layout::DwordScatter:
        surface32();
        lanes(hdc::kSimd16Scatter.of(send_.descriptor) != 0 ? 16 : 8);
        message_.address_shift = 2;
        require(hdc::kElementCount.of(send_.descriptor) == 0, "several dwords for each offset");
        break;
      case hdc::Layout::QwordScatter:
        surface32();
        lanes(hdc::kSimd16Scatter.of(send_.descriptor) != 0 ? 16 : 8);
        message_.address_shift = 3;
        message_.memory_bytes = message_.register_bytes = 8;
        break;
      case hdc::Layout::ByteScatter:
        surface32();
        lanes(hdc::kSimd16Scatter.of(send_.descriptor) != 0 ? 16 : 8);
        byte_elements();
        break;
      case hdc::Layout::Fence:
        break;
      case hdc::Layout::UntypedSurface:
        surface32();
        untyped_surface();
        break;
      case hdc::Layout::A64UntypedSurface:
        flat64();
        untyped_surface();
        break;
      case hdc::Layout::A64Scatter:
        a64_scatter();
        break;
      case hdc::Layout::A64Block:
        a64_block();
        break;
      case hdc::Layout::IntegerAtomic:
        surface32();
        lanes(hdc::kSimd8Atomic.of(send_.descriptor) != 0 ? 8 : 16);
        atomic(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send_.descriptor)]);
        break;
      case hdc::Layout::WordAtomic:
        surface32();
        lanes(hdc::kSimd8Atomic.of(send_.descriptor) != 0 ? 8 : 16);
        message_.memory_bytes = 2;
        atomic(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send_.descriptor)]);
        break;
      case hdc::Layout::A64IntegerAtomic:
        flat64();
        lanes(8);
        if (hdc::kAtomic64.of(send_.descriptor) != 0) {
          message_.memory_bytes = message_.register_bytes = 8;
        }
        atomic(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send_.descriptor)]);
        break;
      case hdc::Layout::A64WordAtomic:
        flat64();
        lanes(8);
        message_.memory_bytes = 2;
        atomic(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send_.descriptor)]);
        break;
      case hdc::Layout::FloatAtomic:
      case hdc::Layout::HalfAtomic:
        surface32();
        lanes(hdc::kSimd8Atomic.of(send_.descriptor) != 0 ? 8 : 16);
        float_atomic(entry.layout == hdc::Layout::HalfAtomic);
        break;
      case hdc::Layout::A64FloatAtomic:
      case hdc::Layout::A64HalfAtomic:
        flat64();
        lanes(8);
        float_atomic(entry.layout == hdc::Layout::A64HalfAtomic);
        break;
      case hdc::Layout::TypedSurface:
      case hdc::Layout::TypedAtomic:
      case hdc::Layout::MediaBlock:
        message_.typed = true;
        break;
      case hdc::Layout::Unsupported:
        message_.unsupported = "message not implemented";
        break;
    }
  }

  void require(bool condition, const char* otherwise) {
    if (!condition && message_.unsupported == nullptr) {
      message_.unsupported = otherwise;
    }
  }

  // 32-bit offsets: the binding table index says relative to what.
  void surface32() {
    message_.address_bytes = 4;
    message_.offset_mask = kOffsetMask;
    message_.surface = hdc::kBindingTableIndex.of(send_.descriptor);
    switch (message_.surface) {
      case hdc::kStatelessCoherent:
      case hdc::kStatelessNonCoherent:
        message_.model = AddressModel::Stateless;
        break;
      case hdc::kSharedLocalMemory:
        message_.model = AddressModel::Slm;
        message_.offset_mask = kSlmOffsetMask;
        break;
      case hdc::kBindless:
        message_.model = AddressModel::HeapSurface;
        message_.surface = send_.extended_bindless_offset
                               ? send_.extended & hdc::kBindlessMaskExBso
                               : hdc::kBindlessUnit.of(send_.extended) * hdc::kBindlessUnitBytes;
        break;
      default:
        message_.model = AddressModel::BindingTable;
        break;
    }
  }

  void flat64() {
    message_.address_bytes = 8;
    message_.model = AddressModel::Flat;
    const std::uint32_t index = hdc::kBindingTableIndex.of(send_.descriptor);
    require(index == hdc::kStatelessCoherent || index == hdc::kStatelessNonCoherent,
            "64-bit addresses in a surface");
  }

  // One address a lane, after an optional header. Call once the address size is known.
  void lanes(unsigned slots) {
    message_.order = AddressOrder::PerLane;
    message_.slots = static_cast<std::uint8_t>(slots);
    const unsigned header = hdc::kHeaderPresent.of(send_.descriptor);
    const unsigned bytes = slots * message_.address_bytes;
    message_.address_start = static_cast<std::uint16_t>(header * register_size_);
    message_.address_registers =
        static_cast<std::uint16_t>(header + (bytes + register_size_ - 1) / register_size_);
  }

  // One address at byte `address_start` of a header register.
  void block(unsigned address_start, unsigned bytes) {
    message_.order = AddressOrder::Block;
    message_.address_start = static_cast<std::uint16_t>(address_start);
    message_.address_registers = 1;
    message_.block_bytes = static_cast<std::uint16_t>(bytes);
  }

  void oword_block(unsigned address_start) {
    const hdc::OwordBlock& shape = hdc::kOwordBlocks[hdc::kBlockCount.of(send_.descriptor)];
    block(address_start, shape.owords * hdc::kOwordBytes);
    message_.block_register_start = shape.register_start;
    message_.block_is_masked = true;
    require(shape.suffix != nullptr, "reserved block size");
  }

  // Bytes and words travel in the low part of a dword per lane.
  void byte_elements() {
    const unsigned log2 = hdc::kElementCount.of(send_.descriptor);
    message_.memory_bytes = static_cast<std::uint8_t>(1u << log2);
    require(log2 <= 2, "reserved element size");
  }

  void untyped_surface() {
    const std::uint32_t mode = hdc::kSimdModeUntyped.of(send_.descriptor);
    lanes(mode == 1 ? 16 : 8);
    require(mode == 1 || mode == 2, "SIMD4x2 mode");
    message_.component_mask = ~hdc::kDisabledComponents.of(send_.descriptor) & 0xF;
    message_.alignment = message_.memory_bytes;
    require(message_.component_mask != 0, "no component is enabled");
  }

  void a64_scatter() {
    flat64();
    lanes(hdc::kSimd16A64Scatter.of(send_.descriptor) != 0 ? 16 : 8);
    const unsigned count = 1u << hdc::kElementCount.of(send_.descriptor);
    switch (static_cast<hdc::A64ScatterKind>(hdc::kA64ScatterKind.of(send_.descriptor))) {
      case hdc::A64ScatterKind::Byte:
        byte_elements();
        break;
      case hdc::A64ScatterKind::Dword:
        message_.component_mask = first_components(count);
        message_.alignment = message_.memory_bytes;
        break;
      case hdc::A64ScatterKind::Qword:
        message_.memory_bytes = message_.register_bytes = 8;
        message_.component_mask = first_components(count);
        message_.alignment = message_.memory_bytes;
        break;
      case hdc::A64ScatterKind::ByteWithStatus:
        require(false, "status return");
        break;
    }
  }

  void a64_block() {
    flat64();
    switch (static_cast<hdc::A64BlockKind>(hdc::kA64BlockKind.of(send_.descriptor))) {
      case hdc::A64BlockKind::Oword:
        oword_block(0);
        // Compilers store at dwords, too.
        message_.alignment = message_.operation == DataOperation::Load ? hdc::kOwordBytes : 4;
        break;
      case hdc::A64BlockKind::OwordUnaligned:
        oword_block(0);
        message_.alignment = 4;
        break;
      case hdc::A64BlockKind::Hword:
        block(0, hdc::kHwordBytes << hdc::kBlockCount.of(send_.descriptor));
        break;
      case hdc::A64BlockKind::OwordDual:
        require(false, "dual block");
        break;
    }
  }

  void atomic(const hdc::Atomic& entry) {
    require(entry.name != nullptr, "atomic operation not implemented");
    message_.atomic = entry.operation;
    message_.returns_data = hdc::kReturnsData.of(send_.descriptor) != 0;
  }

  void float_atomic(bool half) {
    const std::uint32_t code = hdc::kFloatAtomicOperation.of(send_.descriptor);
    if (code >= hdc::kFirstDoubleAtomic) {
      message_.memory_bytes = message_.register_bytes = 8;
      require(!half, "reserved atomic operation");
    } else if (half) {
      message_.memory_bytes = 2;
    }
    atomic(hdc::kFloatAtomics[code]);
  }

  void scratch_block() {
    const bool write = hdc::kScratchWrite.of(send_.descriptor) != 0;
    message_.operation = write ? DataOperation::Store : DataOperation::Load;
    message_.returns_data = !write;
    message_.model = AddressModel::Scratch;
    message_.address_bytes = 0;  // the descriptor has it all
    message_.immediate_offset =
        static_cast<std::int32_t>(hdc::kScratchOffset.of(send_.descriptor) * hdc::kScratchUnit);
    block(0, hdc::kScratchUnit << hdc::kScratchBlockCount.of(send_.descriptor));
  }

  const SendDescriptors& send_;
  unsigned register_size_;
  DataMessage message_;
};

}  // namespace

DataMessage decode_hdc(Platform platform, const SendDescriptors& send) {
  return HdcDecoder(platform, send).decode();
}

}  // namespace xesim::eu
