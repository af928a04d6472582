// Bit fields and counts, on 32-bit values.
#include <bit>
#include <cstdint>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

std::uint32_t bits_of(std::int32_t value) { return static_cast<std::uint32_t>(value); }

// `count` is below 32.
std::uint32_t low_ones(unsigned count) { return (1u << count) - 1; }

struct Reverse {
  template <class T>
  static T apply(T value) {
    std::uint32_t bits = bits_of(value);
    bits = (bits >> 1 & 0x55555555u) | (bits & 0x55555555u) << 1;
    bits = (bits >> 2 & 0x33333333u) | (bits & 0x33333333u) << 2;
    bits = (bits >> 4 & 0x0F0F0F0Fu) | (bits & 0x0F0F0F0Fu) << 4;
    return static_cast<T>(__builtin_bswap32(bits));
  }
};

// src0 is the width, src1 the offset of the field in src2; both five bits.
template <bool kSigned>
struct Extract {
  template <class T>
  static T apply(T width_operand, T offset_operand, T value) {
    const unsigned width = bits_of(width_operand) & 31;
    const unsigned offset = bits_of(offset_operand) & 31;
    if (width == 0) return 0;
    if (width + offset < 32) {
      const std::uint32_t raised = bits_of(value) << (32 - width - offset);
      return kSigned ? static_cast<T>(raised) >> (32 - width)
                     : static_cast<T>(raised >> (32 - width));
    }
    return kSigned ? value >> offset : static_cast<T>(bits_of(value) >> offset);
  }
};

struct FieldMask {
  template <class T>
  static T apply(T width, T offset) {
    return static_cast<T>(low_ones(bits_of(width) & 31) << (bits_of(offset) & 31));
  }
};

// The field is shifted up to the lowest bit of the mask that bfi1 made.
struct Insert {
  template <class T>
  static T apply(T mask, T field, T value) {
    const auto bits = bits_of(mask);
    if (bits == 0) return value;
    const auto placed = bits_of(field) << std::countr_zero(bits);
    return static_cast<T>((bits & placed) | (~bits & bits_of(value)));
  }
};

struct Population {
  template <class T>
  static T apply(T value) { return std::popcount(bits_of(value)); }
};

struct LeadingZeros {
  template <class T>
  static T apply(T value) { return std::countl_zero(bits_of(value)); }
};

// From the high end, -1 if there is none: for signed values, the first bit unlike the sign.
template <bool kSigned>
struct FirstBitHigh {
  template <class T>
  static T apply(T value) {
    const std::uint32_t bits = bits_of(kSigned && value < 0 ? ~value : value);
    return bits == 0 ? -1 : std::countl_zero(bits);
  }
};

struct FirstBitLow {
  template <class T>
  static T apply(T value) { return value == 0 ? -1 : std::countr_zero(bits_of(value)); }
};

}  // namespace

Handler select_bit_field(const Instruction& instruction) {
  using T = std::int32_t;
  const unsigned sources = instruction.source_count;
  for (unsigned index = 0; index < sources && index < instruction.source.size(); ++index) {
    const DataType type = instruction.source[index].type;
    // Zero-extended, these give what counting within fewer bits would.
    const bool narrow_count =
        (instruction.opcode == Opcode::Cbit || instruction.opcode == Opcode::Fbl) &&
        is_unsigned_integer(type);
    if (size_of(type) != 4 && !(narrow_count && size_of(type) < 4)) {
      // A small immediate is as good as a large one.
      if (instruction.source[index].file != RegisterFile::Immediate) return nullptr;
    }
  }
  const DataType value_type = instruction.source[sources == 0 ? 0 : sources - 1].type;
  const bool is_signed = is_signed_integer(value_type);
  switch (instruction.opcode) {
    case Opcode::Bfrev: return unary<T, Reverse>;
    case Opcode::Bfe: return is_signed ? ternary<T, Extract<true>> : ternary<T, Extract<false>>;
    case Opcode::Bfi1: return binary<T, FieldMask>;
    case Opcode::Bfi2: return ternary<T, Insert>;
    case Opcode::Cbit: return unary<T, Population>;
    case Opcode::Lzd: return unary<T, LeadingZeros>;
    case Opcode::Fbh:
      return is_signed ? unary<T, FirstBitHigh<true>> : unary<T, FirstBitHigh<false>>;
    case Opcode::Fbl: return unary<T, FirstBitLow>;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
