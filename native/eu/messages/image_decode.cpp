// Typed messages: send.dc1 and send.tgm to images.
#include <algorithm>

#include "eu/messages/hdc_encoding.hpp"
#include "eu/messages/image.hpp"
#include "eu/messages/lsc_encoding.hpp"

namespace xesim::eu {
namespace {

// Typed reads and writes exist for eight lanes only; 2 would be the upper half of sixteen.
constexpr DescriptorField kTypedSimdMode{12, 2};
constexpr std::uint32_t kTypedSimd8 = 1;

StateReference hdc_surface(const SendDescriptors& send) {
  const std::uint32_t index = hdc::kBindingTableIndex.of(send.descriptor);
  if (index != hdc::kBindless) {
    return {.bindless = false, .position = index};
  }
  return {.bindless = true,
          .position = send.extended_bindless_offset
                          ? send.extended & hdc::kBindlessMaskExBso
                          : hdc::kBindlessUnit.of(send.extended) * hdc::kBindlessUnitBytes};
}

ImageOperation operation_of(DataOperation operation) {
  switch (operation) {
    case DataOperation::Store:
      return ImageOperation::Write;
    case DataOperation::Atomic:
      return ImageOperation::Atomic;
    default:
      return ImageOperation::Read;
  }
}

ImageMessage decode_hdc_image(const SendDescriptors& send) {
  ImageMessage message;
  const hdc::Message& entry = hdc::kDc1Messages[hdc::kType.of(send.descriptor)];
  message.surface = hdc_surface(send);
  message.has_header = hdc::kHeaderPresent.of(send.descriptor) != 0;
  message.operation = operation_of(entry.operation);
  switch (entry.layout) {
    case hdc::Layout::TypedSurface:
      message.component_mask = ~hdc::kDisabledComponents.of(send.descriptor) & 0xF;
      if (kTypedSimdMode.of(send.descriptor) != kTypedSimd8) {
        message.unsupported = "lanes other than the first eight of the message";
      }
      break;
    case hdc::Layout::TypedAtomic: {
      const hdc::Atomic& atomic = hdc::kIntegerAtomics[hdc::kAtomicOperation.of(send.descriptor)];
      message.atomic = atomic.operation;
      if (atomic.name == nullptr) {
        message.unsupported = "reserved atomic operation";
      } else if (hdc::kSimd8Atomic.of(send.descriptor) == 0) {
        message.unsupported = "lanes other than the first eight of the message";
      }
      break;
    }
    case hdc::Layout::MediaBlock:
      message.operation = message.operation == ImageOperation::Read ? ImageOperation::BlockRead
                                                                    : ImageOperation::BlockWrite;
      break;
    default:
      message.unsupported = "message not implemented";
      break;
  }
  return message;
}

ImageMessage decode_lsc_image(Platform platform, const SendDescriptors& send) {
  ImageMessage message;
  const std::uint32_t code = lsc::kOperation.of(send.descriptor);
  const lsc::Operation& operation = lsc::kOperations[code];
  switch (static_cast<lsc::AddressType>(lsc::kAddressType.of(send.descriptor))) {
    case lsc::AddressType::Bss:
      message.surface = {.bindless = true,
                         .position = send.extended & lsc::kSurfaceOffsetMaskExBso};
      break;
    case lsc::AddressType::Bti:
      message.surface = {.bindless = false,
                         .position = lsc::kBindingTableIndex.of(send.extended)};
      break;
    default:
      message.unsupported = "an image without a surface";
      break;
  }
  message.operation = operation_of(operation.operation);
  message.atomic = operation.atomic;
  message.slots = static_cast<std::uint8_t>(
      std::max<unsigned>(send.execution_size, native_lanes(platform)));
  if (operation.shape == lsc::Shape::Block2d) {
    message.operation = message.operation == ImageOperation::Read ? ImageOperation::BlockRead
                                                                  : ImageOperation::BlockWrite;
    message.block_x = 5;
    message.block_y = 6;
    message.block_size = 7;
    message.block_height_shift = 8;
    return message;
  }
  const lsc::DataSize& data = lsc::kDataSizes[lsc::kDataSize.of(send.descriptor)];
  if (data.memory_bytes != 4) {
    message.unsupported = "typed data that are not d32";
  }
  if (operation.shape == lsc::Shape::Components) {
    message.component_mask = static_cast<std::uint8_t>(lsc::kComponentMask.of(send.descriptor));
    if (message.component_mask == 0) {
      message.unsupported = "no component is enabled";
    }
  } else if (message.operation != ImageOperation::Atomic) {
    message.unsupported = "operation not implemented for images";
  }
  return message;
}

}  // namespace

ImageMessage decode_image_message(Platform platform, const SendDescriptors& send) {
  return send.function == SharedFunction::Tgm ? decode_lsc_image(platform, send)
                                              : decode_hdc_image(send);
}

}  // namespace xesim::eu
