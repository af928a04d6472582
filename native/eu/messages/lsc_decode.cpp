// Messages to the load/store cache: send.ugm, send.slm, send.tgm.
#include <algorithm>

#include "eu/messages/decode.hpp"
#include "eu/messages/lsc_encoding.hpp"

namespace xesim::eu {
namespace {

using lsc::Shape;

void decode_surface(Platform platform, const SendDescriptors& send, DataMessage& message) {
  switch (static_cast<lsc::AddressType>(lsc::kAddressType.of(send.descriptor))) {
    case lsc::AddressType::Flat:
      message.model = send.function == SharedFunction::Slm ? AddressModel::Slm
                      : message.address_bytes == 8         ? AddressModel::Flat
                                                           : AddressModel::Stateless;
      break;
    case lsc::AddressType::Bss:
    case lsc::AddressType::Ss:
      message.model = AddressModel::HeapSurface;
      message.surface =
          send.extended & (send.extended_bindless_offset || platform == Platform::Xe2
                               ? lsc::kSurfaceOffsetMaskExBso
                               : lsc::kSurfaceOffsetMask);
      break;
    case lsc::AddressType::Bti: {
      const std::uint32_t index = lsc::kBindingTableIndex.of(send.extended);
      message.model = index == lsc::kStatelessIndex ? AddressModel::Stateless
                                                    : AddressModel::BindingTable;
      message.surface = index;
      break;
    }
  }
  if (message.model != AddressModel::Flat && message.model != AddressModel::Slm &&
      message.address_bytes == 8) {
    message.unsupported = "64-bit addresses in a surface";
  }
}

// Xe2 keeps an immediate address offset where the extended descriptor has room for it.
void decode_immediate_offset(Platform platform, const SendDescriptors& send,
                             DataMessage& message) {
  if (platform != Platform::Xe2) {
    if (send.extended_offset != 0) {
      message.unsupported = "immediate offset beside an extended descriptor in a register";
    }
    return;
  }
  const std::uint32_t field =
      send.extended_in_register ? send.extended_offset : send.extended;
  switch (static_cast<lsc::AddressType>(lsc::kAddressType.of(send.descriptor))) {
    case lsc::AddressType::Flat:
      message.immediate_offset = lsc::kFlatOffset.signed_of(field);
      break;
    case lsc::AddressType::Bti:
      message.immediate_offset = lsc::kBindingTableOffset.signed_of(field);
      break;
    case lsc::AddressType::Bss:
    case lsc::AddressType::Ss:
      if (!send.extended_in_register) {
        message.unsupported = "a surface state's offset that is an immediate";
      }
      message.immediate_offset =
          lsc::kSurfaceHighOffset.signed_of(field) * (1 << lsc::kSurfaceLowOffset.width) +
          static_cast<std::int32_t>(lsc::kSurfaceLowOffset.of(field));
      break;
  }
}

// Where single elements lie anywhere, vectors and blocks lie at multiples of their elements: the
// compiler takes them apart otherwise (IGC: VectorMessage::getLSCInfo, emitLSCVectorLoad_uniform).
void require_alignment(const lsc::Operation& operation, DataMessage& message) {
  const bool single = operation.shape != Shape::Components && message.component_mask == 1 &&
                      message.order != AddressOrder::Block;
  message.alignment = single ? 1 : message.memory_bytes;
}

void decode_vector(const SendDescriptors& send, const lsc::Operation& operation,
                   DataMessage& message) {
  if (operation.shape == Shape::Components) {
    message.component_mask = lsc::kComponentMask.of(send.descriptor);
    if (message.component_mask == 0) {
      message.unsupported = "no component is enabled";
    }
    return;
  }
  const unsigned count = lsc::kVectorSizes[lsc::kVectorSize.of(send.descriptor)];
  message.component_mask = ~std::uint64_t{0} >> (64 - count);
  if (lsc::kTransposed.of(send.descriptor) == 0) {
    return;
  }
  message.order = AddressOrder::Block;
  message.block_bytes = static_cast<std::uint16_t>(count * message.memory_bytes);
  if (operation.operation == DataOperation::Atomic || operation.shape == Shape::Strided) {
    message.unsupported = "transposed data in this operation";
  } else if (message.memory_bytes != message.register_bytes) {
    message.unsupported = "transposed data that change their size";
  }
}

// Two-dimensional blocks are always at 64-bit global addresses.
void decode_block2d(Platform platform, const SendDescriptors& send, DataMessage& message) {
  message.model = AddressModel::Flat;
  message.order = AddressOrder::Block2d;
  message.address_bytes = 8;
  message.address_registers = 1;
  message.block2d.transposed = lsc::kTransposed.of(send.descriptor) != 0;
  message.block2d.transformed = lsc::kTransformed.of(send.descriptor) != 0;
  if (platform == Platform::Xe2 && !send.extended_in_register) {
    message.block2d.x_offset = static_cast<std::int16_t>(lsc::kBlockX.signed_of(send.extended));
    message.block2d.y_offset = static_cast<std::int16_t>(lsc::kBlockY.signed_of(send.extended));
  }
  const bool rearranged = message.block2d.transposed || message.block2d.transformed;
  if (platform == Platform::XeHpg) {
    message.unsupported = "this device has no two-dimensional blocks";
  } else if (static_cast<lsc::AddressType>(lsc::kAddressType.of(send.descriptor)) !=
                 lsc::AddressType::Flat ||
             send.function == SharedFunction::Slm || send.function == SharedFunction::Tgm) {
    message.unsupported = "a two-dimensional block that is not in global memory";
  } else if (message.memory_bytes != message.register_bytes) {
    message.unsupported = "a two-dimensional block of elements that change their size";
  } else if (message.operation == DataOperation::Store && rearranged) {
    message.unsupported = "a two-dimensional block that is stored transposed or transformed";
  } else if (message.block2d.transposed && message.block2d.transformed) {
    message.unsupported = "a two-dimensional block both transposed and transformed";
  } else if (message.block2d.transformed && message.memory_bytes > 2) {
    message.unsupported = "a transformed block of elements above 16 bits";
  } else if (message.block2d.transposed && message.memory_bytes < 4) {
    message.unsupported = "a transposed block of elements below 32 bits";
  }
}

}  // namespace

DataMessage decode_lsc(Platform platform, const SendDescriptors& send) {
  DataMessage message;
  const std::uint32_t code = lsc::kOperation.of(send.descriptor);
  if (code >= lsc::kOperations.size()) {
    message.unsupported = "reserved operation";
    return message;
  }
  const lsc::Operation& operation = lsc::kOperations[code];
  message.operation = operation.operation;
  message.atomic = operation.atomic;
  if (operation.shape == Shape::Fence) {
    return message;
  }
  if (send.function == SharedFunction::Tgm) {
    message.typed = true;
    return message;
  }
  if (operation.shape == Shape::Unsupported) {
    message.unsupported = "operation not implemented";
    return message;
  }

  const lsc::DataSize& data = lsc::kDataSizes[lsc::kDataSize.of(send.descriptor)];
  if (data.name == nullptr) {
    message.unsupported = "reserved data size";
    return message;
  }
  message.memory_bytes = data.memory_bytes;
  message.register_bytes = data.register_bytes;
  message.high_half = data.high_half;
  if (operation.shape == Shape::Block2d) {
    decode_block2d(platform, send, message);
    return message;
  }
  const lsc::AddressSize& address = lsc::kAddressSizes[lsc::kAddressSize.of(send.descriptor)];
  if (address.name == nullptr) {
    message.unsupported = "reserved address size";
    return message;
  }
  message.address_bytes = address.bytes;
  message.slots = static_cast<std::uint8_t>(
      std::max<unsigned>(send.execution_size, native_lanes(platform)));

  decode_surface(platform, send, message);
  if (message.model == AddressModel::Slm) {
    message.offset_mask = kSlmOffsetMask;
  }
  decode_immediate_offset(platform, send, message);
  decode_vector(send, operation, message);
  if (operation.shape == Shape::Strided) {
    message.order = AddressOrder::Strided;
  }
  require_alignment(operation, message);
  if (operation.operation == DataOperation::Atomic && message.component_mask != 1) {
    message.unsupported = "atomic of a vector";
  }
  message.returns_data = send.response_length() != 0;

  const unsigned register_size = grf_bytes(platform);
  const unsigned address_size =
      message.order == AddressOrder::PerLane ? message.slots * message.address_bytes : register_size;
  message.address_registers =
      static_cast<std::uint16_t>((address_size + register_size - 1) / register_size);
  return message;
}

}  // namespace xesim::eu
