// The parameters of a message to images: blocks of registers, one 32-bit value for each lane, in
// the first source and then the second as if they were one.
#pragma once

#include <array>
#include <cstring>

#include "eu/messages/context.hpp"

namespace xesim::eu {

class MessageParameters {
 public:
  // `slots`: lanes that a parameter has room for.
  MessageParameters(const MessageContext& context, unsigned slots)
      : context_(context),
        grf_(grf_bytes(context.platform)),
        first_length_(context.send.source0_length()),
        block_(registers_for(context.platform, slots * sizeof(std::uint32_t))),
        header_(0) {}

  // Leaves the first register out: parameters count from the one after it.
  void skip_header() { header_ = 1; }

  // Whole parameters that the payload has.
  [[nodiscard]] unsigned count() const {
    const unsigned length = first_length_ + context_.source1_length;
    return length <= header_ ? 0 : (length - header_) / block_;
  }
  [[nodiscard]] unsigned block_registers() const { return block_; }

  // The value of `slot`; 0 for a parameter that the payload does not have.
  [[nodiscard]] std::uint32_t value(unsigned parameter, unsigned slot) const {
    std::uint32_t result = 0;
    if (parameter < count()) {
      const unsigned offset = slot * sizeof result;
      const unsigned position = header_ + parameter * block_ + offset / grf_;
      std::memcpy(&result, register_at(position) + offset % grf_, sizeof result);
    }
    return result;
  }

  // The payload's register `position`, which must be one of its.
  [[nodiscard]] const std::byte* register_at(unsigned position) const {
    return position < first_length_
               ? context_.source0() + std::size_t{position} * grf_
               : context_.registers(context_.instruction.source[1]) +
                     std::size_t{position - first_length_} * grf_;
  }

  // The same as signed coordinates u, v and r from parameter `first` on, of which `available` exist.
  [[nodiscard]] std::array<std::int64_t, 3> coordinates(unsigned first, unsigned available,
                                                        unsigned slot) const {
    std::array<std::int64_t, 3> result{};
    for (unsigned i = 0; i < result.size() && i < available; ++i) {
      result[i] = static_cast<std::int32_t>(value(first + i, slot));
    }
    return result;
  }

 private:
  const MessageContext& context_;
  unsigned grf_;
  unsigned first_length_;  // GRFs of the first source
  unsigned block_;         // GRFs of one parameter
  unsigned header_;        // GRFs before the first parameter
};

}  // namespace xesim::eu
