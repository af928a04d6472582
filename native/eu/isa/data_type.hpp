// Facts about the element types of operands.
#pragma once

#include <cstdint>

#include "eu/isa/instruction.hpp"

namespace xesim::eu {

// Numbers that the host does not compute with: storage only.
struct Half {
  std::uint16_t bits;
};
struct BFloat {
  std::uint16_t bits;
};
struct BFloat8 {
  std::uint8_t bits;
};
struct TensorFloat {
  std::uint32_t bits;  // the lowest 13 mean nothing
};

// The type in which a lane is computed: operands are widened to it, results narrowed from it.
enum class LaneType : std::uint8_t { Int32, Int64, Float32, Float64 };

// Bytes of one element; of a packed vector, of the element that it unpacks to.
[[nodiscard]] constexpr unsigned size_of(DataType type) {
  switch (type) {
    case DataType::Ub: case DataType::B: case DataType::Bf8:
      return 1;
    case DataType::Uw: case DataType::W: case DataType::Hf: case DataType::Bf:
    case DataType::Uv: case DataType::V:
      return 2;
    case DataType::Ud: case DataType::D: case DataType::F: case DataType::Vf:
    case DataType::Tf32:
      return 4;
    case DataType::Uq: case DataType::Q: case DataType::Df:
      return 8;
  }
  return 4;
}

[[nodiscard]] constexpr bool is_float(DataType type) {
  return type == DataType::Hf || type == DataType::F || type == DataType::Df ||
         type == DataType::Bf || type == DataType::Vf || type == DataType::Bf8 ||
         type == DataType::Tf32;
}

[[nodiscard]] constexpr bool is_signed_integer(DataType type) {
  return type == DataType::B || type == DataType::W || type == DataType::D ||
         type == DataType::Q || type == DataType::V;
}

[[nodiscard]] constexpr bool is_unsigned_integer(DataType type) {
  return !is_float(type) && !is_signed_integer(type);
}

[[nodiscard]] constexpr bool is_packed_vector(DataType type) {
  return type == DataType::Uv || type == DataType::V || type == DataType::Vf;
}

[[nodiscard]] constexpr const char* name_of(DataType type) {
  constexpr const char* kNames[] = {"ub", "uw", "ud", "uq", "b",  "w",  "d", "q",
                                    "hf", "f",  "df", "bf", "uv", "v",  "vf", "bf8", "tf32"};
  return kNames[static_cast<unsigned>(type)];
}

}  // namespace xesim::eu
