// Messages to images (typed surfaces): texel reads, writes and atomics, and blocks of rows.
#pragma once

#include <cstdint>

#include "eu/images/image_surface.hpp"
#include "eu/messages/context.hpp"

namespace xesim::eu {

enum class ImageOperation : std::uint8_t { Read, Write, Atomic, BlockRead, BlockWrite };

struct ImageMessage {
  // Why this message cannot be executed; a string literal, or null.
  const char* unsupported = nullptr;
  ImageOperation operation = ImageOperation::Read;
  AtomicOperation atomic = AtomicOperation::Add;
  StateReference surface;
  std::uint8_t slots = 8;           // lanes that a parameter has room for
  std::uint8_t component_mask = 1;  // bit c: channel c has a block of registers
  bool has_header = false;          // a register before the first parameter

  // Of a block message: where in its header dwords are.
  std::uint8_t block_x = 0;         // bytes
  std::uint8_t block_y = 1;         // rows
  std::uint8_t block_size = 2;      // width and height, both minus one
  std::uint8_t block_height_shift = 16;  // bit of `block_size` at which the height starts
};

// The form of a send to dc1 or tgm that decode_hdc() or decode_lsc() calls typed.
[[nodiscard]] ImageMessage decode_image_message(Platform platform, const SendDescriptors& send);

// As the other messages: nothing has been written unless the outcome is Done.
[[nodiscard]] MessageResult execute_image_message(const MessageContext& context);
[[nodiscard]] MessageResult execute_block_message(const MessageContext& context,
                                                  const ImageMessage& message,
                                                  const ImageSurface& surface);

}  // namespace xesim::eu
