// Names of messages for reports and traces, as Intel's disassembler prints them.
#include <cstdio>
#include <string_view>

#include "eu/isa/tables.hpp"
#include "eu/messages/decode.hpp"
#include "eu/messages/gateway.hpp"
#include "eu/messages/hdc_encoding.hpp"
#include "eu/messages/lsc_encoding.hpp"
#include "eu/messages/sampler.hpp"

namespace xesim::eu {
namespace {

std::string function_name(SharedFunction function) { return std::string(spelling(function)); }

std::string hexadecimal(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%X", value);
  return text;
}

// The letters of the components whose bits are set.
std::string component_letters(std::uint64_t mask) {
  std::string letters;
  for (unsigned component = 0; component < 4; ++component) {
    if ((mask >> component & 1) != 0) {
      letters += "xyzw"[component];
    }
  }
  return letters;
}

std::string lsc_surface(const SendDescriptors& send) {
  const std::uint32_t type = lsc::kAddressType.of(send.descriptor);
  if (static_cast<lsc::AddressType>(type) == lsc::AddressType::Flat) {
    return "";
  }
  std::string which;
  if (send.extended_in_register) {
    which = "a0." + std::to_string(send.extended_subregister);
  } else if (static_cast<lsc::AddressType>(type) == lsc::AddressType::Bti) {
    which = std::to_string(lsc::kBindingTableIndex.of(send.extended));
  } else {
    which = hexadecimal(send.extended & lsc::kSurfaceOffsetMask);
  }
  return std::string(lsc::kAddressTypes[type]) + "[" + which + "]";
}

std::string lsc_vector(const SendDescriptors& send, const lsc::Operation& operation) {
  if (operation.shape == lsc::Shape::Components) {
    return "." + component_letters(lsc::kComponentMask.of(send.descriptor));
  }
  const unsigned count = lsc::kVectorSizes[lsc::kVectorSize.of(send.descriptor)];
  const bool transposed = lsc::kTransposed.of(send.descriptor) != 0;
  std::string vector;
  if (count > 1 || transposed) {
    vector = "x" + std::to_string(count);
  }
  return transposed ? vector + "t" : vector;
}

// "load_block2d.ugm.d16v.a64.ca.ca": t for transposed, v for transformed.
std::string block2d_name(const SendDescriptors& send, const lsc::Operation& operation,
                         const lsc::DataSize& data) {
  const lsc::CacheControl& cache = lsc::kCacheControls[lsc::kCacheControl.of(send.descriptor)];
  return std::string(operation.name) + "." + function_name(send.function) + "." +
         (data.name != nullptr ? data.name : "d?") +
         (lsc::kTransposed.of(send.descriptor) != 0 ? "t" : "") +
         (lsc::kTransformed.of(send.descriptor) != 0 ? "v" : "") + ".a64" +
         (operation.operation == DataOperation::Load ? cache.load : cache.store);
}

std::string lsc_name(const SendDescriptors& send) {
  const std::uint32_t code = lsc::kOperation.of(send.descriptor);
  const std::string function = "." + function_name(send.function);
  if (code >= lsc::kOperations.size()) {
    return "operation " + hexadecimal(code) + function;
  }
  const lsc::Operation& operation = lsc::kOperations[code];
  if (operation.shape == lsc::Shape::Fence) {
    return operation.name + function + lsc::kFenceFlushes[lsc::kFenceFlush.of(send.descriptor)] +
           lsc::kFenceScopes[lsc::kFenceScope.of(send.descriptor)];
  }
  const lsc::DataSize& data = lsc::kDataSizes[lsc::kDataSize.of(send.descriptor)];
  if (operation.shape == lsc::Shape::Block2d) {
    return block2d_name(send, operation, data);
  }
  const lsc::AddressSize& address = lsc::kAddressSizes[lsc::kAddressSize.of(send.descriptor)];
  // Shared local memory has no caches to control.
  const std::uint32_t control =
      send.function == SharedFunction::Slm ? 0 : lsc::kCacheControl.of(send.descriptor);
  const lsc::CacheControl& cache = lsc::kCacheControls[control];
  return operation.name + function + "." + (data.name != nullptr ? data.name : "d?") +
         lsc_vector(send, operation) + "." + (address.name != nullptr ? address.name : "a?") +
         (operation.operation == DataOperation::Load ? cache.load : cache.store) +
         lsc_surface(send);
}

std::string oword_suffix(const SendDescriptors& send) {
  const hdc::OwordBlock& shape = hdc::kOwordBlocks[hdc::kBlockCount.of(send.descriptor)];
  return std::string(" ") + (shape.suffix != nullptr ? shape.suffix : "x?");
}

std::string times(unsigned count) { return " x" + std::to_string(count); }

std::string enabled_components(const SendDescriptors& send) {
  return " with " + component_letters(~hdc::kDisabledComponents.of(send.descriptor) & 0xF);
}

std::string element_bits(const SendDescriptors& send) {
  return " " + std::to_string(8u << hdc::kElementCount.of(send.descriptor)) + "b";
}

std::string atomic_suffix(const hdc::Atomic& atomic) {
  return std::string(" ") + (atomic.name != nullptr ? atomic.name : "operation ?");
}

// A float atomic is named with its width, and whether it gives the old value back.
std::string float_atomic_suffix(const SendDescriptors& send, bool half) {
  const std::uint32_t code = hdc::kFloatAtomicOperation.of(send.descriptor);
  const char* const width = code >= hdc::kFirstDoubleAtomic ? " (64b)" : half ? " (16b)" : " (32b)";
  return atomic_suffix(hdc::kFloatAtomics[code]) + width +
         (hdc::kReturnsData.of(send.descriptor) != 0 ? " with return" : "");
}

std::string a64_scatter_name(const SendDescriptors& send, DataOperation operation) {
  const std::string verb = operation == DataOperation::Load ? "gathering read" : "scattering write";
  const unsigned count = 1u << hdc::kElementCount.of(send.descriptor);
  const std::string several = count > 1 ? times(count) : "";
  switch (static_cast<hdc::A64ScatterKind>(hdc::kA64ScatterKind.of(send.descriptor))) {
    case hdc::A64ScatterKind::Dword:
      return "a64 dword " + verb + several;
    case hdc::A64ScatterKind::Qword:
      return "a64 qword " + verb + several;
    case hdc::A64ScatterKind::Byte:
    case hdc::A64ScatterKind::ByteWithStatus:
      break;
  }
  return "a64 byte " + verb + element_bits(send);
}

std::string a64_block_name(const SendDescriptors& send, DataOperation operation) {
  const std::string verb = operation == DataOperation::Load ? " block read" : " block write";
  switch (static_cast<hdc::A64BlockKind>(hdc::kA64BlockKind.of(send.descriptor))) {
    case hdc::A64BlockKind::Oword:
      return "a64 unaligned oword" + verb + oword_suffix(send);  // as iga64 says, see A64BlockKind
    case hdc::A64BlockKind::OwordUnaligned:
      return "a64 aligned oword" + verb + oword_suffix(send);
    case hdc::A64BlockKind::Hword:
      return "a64 unaligned hword" + verb + times(1u << hdc::kBlockCount.of(send.descriptor));
    case hdc::A64BlockKind::OwordDual:
      break;
  }
  return "a64 oword dual" + verb;
}

std::string hdc_name(const SendDescriptors& send) {
  const std::uint32_t type = hdc::kType.of(send.descriptor);
  const bool dc0 = send.function == SharedFunction::Dc0;
  if (dc0 && hdc::kScratchBlock.of(send.descriptor) != 0) {
    return std::string("hword scratch block ") +
           (hdc::kScratchWrite.of(send.descriptor) != 0 ? "write" : "read") +
           times(1u << hdc::kScratchBlockCount.of(send.descriptor));
  }
  const hdc::Message& entry = dc0 ? hdc::kDc0Messages[type] : hdc::kDc1Messages[type];
  if (entry.name == nullptr) {
    return function_name(send.function) + " message type " + hexadecimal(type);
  }
  const std::string name = entry.name;
  switch (entry.layout) {
    case hdc::Layout::OwordBlock:
      return name + oword_suffix(send);
    case hdc::Layout::AlignedBlock:
      return hdc::kHwordBlock.of(send.descriptor) != 0
                 ? "hword " + name + times(1u << hdc::kBlockCount.of(send.descriptor))
                 : "oword " + name + oword_suffix(send);
    case hdc::Layout::DwordScatter: {
      const unsigned count = 1u << hdc::kElementCount.of(send.descriptor);
      return count > 1 ? name + times(count) : name;
    }
    case hdc::Layout::ByteScatter:
      return name + element_bits(send);
    case hdc::Layout::UntypedSurface:
    case hdc::Layout::A64UntypedSurface:
      return name + enabled_components(send);
    case hdc::Layout::A64Scatter:
      return a64_scatter_name(send, entry.operation);
    case hdc::Layout::A64Block:
      return a64_block_name(send, entry.operation);
    case hdc::Layout::A64IntegerAtomic:
      return name + (hdc::kAtomic64.of(send.descriptor) != 0 ? "64" : "32") +
             atomic_suffix(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send.descriptor)]);
    case hdc::Layout::IntegerAtomic:
    case hdc::Layout::WordAtomic:
    case hdc::Layout::A64WordAtomic:
      return name + atomic_suffix(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send.descriptor)]);
    case hdc::Layout::FloatAtomic:
    case hdc::Layout::A64FloatAtomic:
      return name + float_atomic_suffix(send, false);
    case hdc::Layout::HalfAtomic:
    case hdc::Layout::A64HalfAtomic:
      return name + float_atomic_suffix(send, true);
    case hdc::Layout::TypedSurface:
      return name + enabled_components(send);
    case hdc::Layout::TypedAtomic:
      return name + atomic_suffix(hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send.descriptor)]);
    case hdc::Layout::MediaBlock:
    case hdc::Layout::Fence:
    case hdc::Layout::QwordScatter:
    case hdc::Layout::Unsupported:
      break;
  }
  return name;
}

}  // namespace

std::string message_name(const SendDescriptors& send) {
  switch (send.function) {
    case SharedFunction::Ugm:
    case SharedFunction::Ugml:
    case SharedFunction::Slm:
    case SharedFunction::Tgm:
      return lsc_name(send);
    case SharedFunction::Dc0:
    case SharedFunction::Dc1:
      return hdc_name(send);
    case SharedFunction::Sampler:
      return sampler_message_name(send);
    case SharedFunction::Gateway:
      if ((send.descriptor & gateway::kEndOfThread) != 0) {
        return "end of thread";
      }
      return gateway::kFunction.of(send.descriptor) == gateway::kBarrier ? "signal barrier"
                                                                         : "gateway function";
    default:
      return "message to " + function_name(send.function);
  }
}

}  // namespace xesim::eu
