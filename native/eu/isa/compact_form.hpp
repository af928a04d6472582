// The shape of compaction tables: the C++ side of zedbg/xe/isa/compaction.py.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "eu/isa/bit_field.hpp"
#include "eu/isa/instruction.hpp"

namespace xesim::eu {

inline constexpr std::uint64_t kReserved = ~std::uint64_t{0};

// A field that the compact word holds as it is, or shortened by copies of its sign.
struct Copied {
  Field compact;
  Field native;
  bool is_signed;
};

// Native fields that the compact word holds as an index into a table.
struct Looked {
  Field index;
  Field native;
  std::span<const std::uint64_t> values;  // kReserved where the index means nothing
};

// One compact layout and the formats that use it, as a mask of format_bit.
struct CompactForm {
  std::uint32_t formats;
  std::span<const Copied> copied;
  std::span<const Looked> looked;
};

}  // namespace xesim::eu
