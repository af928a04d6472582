// Blocks of an image's rows that a thread reads or writes as a whole: media block messages of the
// data cache, and two-dimensional blocks of the load/store cache.
#include <algorithm>
#include <bit>
#include <cstring>

#include "eu/isa/message_field.hpp"
#include "eu/messages/image.hpp"
#include "eu/messages/image_access.hpp"
#include "eu/messages/parameters.hpp"

namespace xesim::eu {
namespace {

constexpr DescriptorField kBlockExtent{0, 6};  // minus one: bytes of width, rows of height

struct Block {
  std::int64_t x = 0;        // bytes
  std::int64_t y = 0;        // rows
  std::uint32_t width = 0;   // bytes
  std::uint32_t height = 0;  // rows
  // Rows follow each other in the registers at a power of two of bytes, at least a dword.
  [[nodiscard]] std::uint32_t pitch() const { return std::bit_ceil(std::max(width, 4u)); }
};

std::uint32_t header_dword(const MessageContext& context, unsigned index) {
  std::uint32_t value = 0;
  std::memcpy(&value, context.source0() + index * sizeof value, sizeof value);
  return value;
}

Block read_block(const MessageContext& context, const ImageMessage& message) {
  const std::uint32_t size = header_dword(context, message.block_size);
  return {.x = static_cast<std::int32_t>(header_dword(context, message.block_x)),
          .y = static_cast<std::int32_t>(header_dword(context, message.block_y)),
          .width = kBlockExtent.of(size) + 1,
          .height = kBlockExtent.of(size >> message.block_height_shift) + 1};
}

}  // namespace

MessageResult execute_block_message(const MessageContext& context, const ImageMessage& message,
                                    const ImageSurface& surface) {
  if (surface.shape != ImageShape::Plane || surface.is_array) {
    return unsupported(context.send, "block of an image that is not two-dimensional");
  }
  if (context.slots == 0) {
    return {};
  }
  const bool write = message.operation == ImageOperation::BlockWrite;
  const Block block = read_block(context, message);
  const std::uint32_t registers =
      registers_for(context.platform, block.pitch() * block.height);
  if (context.send.source0_length() < 1 ||
      registers > (write ? context.source1_length : context.send.response_length())) {
    return unsupported(context.send, "register payload shorter than its block");
  }
  ImageAccess image(context, surface);
  if (write) {
    const std::byte* data = context.registers(context.instruction.source[1]);
    for (std::uint32_t row = 0; row < block.height; ++row) {
      if (!image.bytes_writable(block.x, block.y + row, block.width)) {
        return {.outcome = MessageOutcome::PageFault, .fault = image.fault(), .report = {}};
      }
    }
    for (std::uint32_t row = 0; row < block.height; ++row) {
      image.write_bytes(block.x, block.y + row, data + std::size_t{row} * block.pitch(),
                        block.width);
    }
    return {};
  }
  std::array<std::byte, 64 * 64> rows{};
  for (std::uint32_t row = 0; row < block.height; ++row) {
    image.read_bytes(block.x, block.y + row, rows.data() + std::size_t{row} * block.pitch(),
                     block.width);
  }
  if (image.fault().present) {
    return {.outcome = MessageOutcome::PageFault, .fault = image.fault(), .report = {}};
  }
  std::memcpy(context.response(), rows.data(), std::size_t{block.pitch()} * block.height);
  return {};
}

}  // namespace xesim::eu
