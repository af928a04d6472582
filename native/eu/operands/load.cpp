#include "eu/operands/load.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "eu/operands/lane_block.hpp"
#include "eu/operands/lane_conversion.hpp"

namespace xesim::eu {

namespace {

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Elements that lie side by side. Every execution size below a block is a power of two.
template <class To, class From>
void load_contiguous(const std::byte* at, unsigned lanes, To* out) {
  if (lanes < kLaneBlock) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      out[lane] = widen<To>(read<From>(at + lane * sizeof(From)));
    }
    return;
  }
  for (unsigned block = 0; block < lanes; block += kLaneBlock) {
    std::array<From, kLaneBlock> elements;
    std::memcpy(elements.data(), at + block * sizeof(From), sizeof elements);
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      out[block + lane] = widen<To>(elements[lane]);
    }
  }
}

// A compiler reads an element of an array of registers before it knows whether the index is one of
// the array's, and then drops what it read: beyond the register file there are zeros.
template <class To, class From>
void load_indirect(ExecutionContext& context, const Operand& operand, unsigned lanes, To* out) {
  const Region& region = operand.region;
  const auto limit = static_cast<std::int32_t>(context.register_count * context.grf_bytes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned row = lane / region.width;
    const unsigned column = lane % region.width;
    std::int32_t offset = static_cast<std::int32_t>(column * region.horizontal * sizeof(From));
    if (region.vertical_by_address) {
      offset += indirect_address(context.thread, operand, row);
    } else {
      offset += indirect_address(context.thread, operand, 0) +
                static_cast<std::int32_t>(row * region.vertical * sizeof(From));
    }
    const bool outside = offset < 0 || offset + static_cast<std::int32_t>(sizeof(From)) > limit;
    out[lane] = widen<To>(outside ? From{} : read<From>(context.thread.grf.data() + offset));
  }
}

// The value of a register that is not stored, in its first bytes.
std::array<std::uint32_t, 8> computed_register(const ExecutionContext& context,
                                               const Operand& operand) {
  std::array<std::uint32_t, 8> value{};
  switch (operand.arf) {
    case Arf::ChannelEnable: value[0] = context.enabled; break;
    case Arf::InstructionPointer: value[0] = context.thread.ip; break;
    case Arf::Timestamp: {
      // Simulated time is the thread's own progress: the same in every run.
      const std::uint64_t now = context.thread_instructions();
      value[0] = static_cast<std::uint32_t>(now);
      value[1] = static_cast<std::uint32_t>(now >> 32);
      break;
    }
    default: break;
  }
  return value;
}

template <class To, class From>
void load_computed(ExecutionContext& context, const Operand& operand, unsigned lanes, To* out) {
  const auto value = computed_register(context, operand);
  const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
  const Region& region = operand.region;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned element =
        lane / region.width * region.vertical + lane % region.width * region.horizontal;
    const std::size_t offset = operand.byte_offset + element * sizeof(From);
    From item{};
    if (offset + sizeof item <= sizeof value) item = read<From>(bytes + offset);
    out[lane] = widen<To>(item);
  }
}

template <class T>
T negated(T value) {
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<T>(Bits{0} - static_cast<Bits>(value));
  } else {
    return -value;
  }
}

template <class T>
T absolute(T value) {
  if constexpr (std::is_integral_v<T>) return value < 0 ? negated(value) : value;
  else return std::fabs(value);
}

template <class T>
T complement(T value) {
  if constexpr (std::is_integral_v<T>) return ~value;
  else return value;
}

template <class T>
void modify(SourceModifier modifier, unsigned lanes, T* out) {
  const auto each = [&](auto change) {
    for_each_lane(lanes, [&](unsigned lane) { out[lane] = change(out[lane]); });
  };
  switch (modifier) {
    case SourceModifier::None: return;
    case SourceModifier::Negate: each(negated<T>); return;
    case SourceModifier::Absolute: each(absolute<T>); return;
    case SourceModifier::NegateAbsolute:
      each([](T value) { return negated(absolute(value)); });
      return;
    case SourceModifier::Complement: each(complement<T>); return;
  }
}

template <class To, class From>
void flush_denormals(const ExecutionContext& context, unsigned lanes, To* out) {
  double smallest_normal = 0;
  if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat8>) {
    if (context.flush_denormals_f16) smallest_normal = 0x1p-14;
  } else if constexpr (std::is_same_v<From, double>) {
    if (context.flush_denormals_f64) smallest_normal = 0x1p-1022;
  } else {
    if (context.flush_denormals_f32) smallest_normal = 0x1p-126;
  }
  if (smallest_normal == 0) return;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (std::fabs(out[lane]) < smallest_normal) out[lane] = std::copysign(To{0}, out[lane]);
  }
}

template <class To, class From>
void load(ExecutionContext& context, const Operand& operand, const SourcePlan& plan,
          unsigned lanes, void* result) {
  auto* out = static_cast<To*>(result);
  const std::byte* at = context.bytes() + plan.position;
  switch (plan.access) {
    case SourceAccess::Immediate:
      at = reinterpret_cast<const std::byte*>(&operand.immediate);
      [[fallthrough]];
    case SourceAccess::Scalar: {
      const To value = widen<To>(read<From>(at));
      for_each_lane(lanes, [&](unsigned lane) { out[lane] = value; });
      break;
    }
    case SourceAccess::Contiguous:
      load_contiguous<To, From>(at, lanes, out);
      break;
    case SourceAccess::Strided:
      for (unsigned lane = 0; lane < lanes; ++lane) {
        out[lane] = widen<To>(read<From>(at + lane * plan.stride));
      }
      break;
    case SourceAccess::Region: {
      const Region& region = operand.region;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned element =
            lane / region.width * region.vertical + lane % region.width * region.horizontal;
        out[lane] = widen<To>(read<From>(at + element * sizeof(From)));
      }
      break;
    }
    case SourceAccess::Indirect:
      load_indirect<To, From>(context, operand, lanes, out);
      break;
    case SourceAccess::Computed:
      load_computed<To, From>(context, operand, lanes, out);
      break;
    case SourceAccess::PackedImmediate:
      break;  // has loaders of its own
  }
  if constexpr (std::is_floating_point_v<To>) flush_denormals<To, From>(context, lanes, out);
  if (plan.modifier != SourceModifier::None) modify(plan.modifier, lanes, out);
}

// :v and :uv: eight nibbles, one for each word of the destination, repeated for wider instructions.
template <class To, bool kSigned>
void load_packed_integers(ExecutionContext&, const Operand& operand, const SourcePlan& plan,
                          unsigned lanes, void* result) {
  auto* out = static_cast<To*>(result);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto nibble = static_cast<int>(operand.immediate >> (lane * plan.stride % 8 * 4) & 0xF);
    out[lane] = static_cast<To>(kSigned && nibble >= 8 ? nibble - 16 : nibble);
  }
  modify(plan.modifier, lanes, out);
}

// :vf: four 8-bit floats of sign, 3 bits of exponent (bias 3) and 4 of mantissa; 0 is zero. There is
// one for each double word of the destination.
template <class To>
void load_packed_floats(ExecutionContext&, const Operand& operand, const SourcePlan& plan,
                        unsigned lanes, void* result) {
  auto* out = static_cast<To*>(result);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto bits = static_cast<unsigned>(operand.immediate >> (lane * plan.stride % 4 * 8) & 0xFF);
    const To fraction = static_cast<To>(16 + (bits & 0xF)) / 16;
    const To magnitude =
        (bits & 0x7F) == 0 ? To{0} : std::ldexp(fraction, static_cast<int>(bits >> 4 & 7) - 3);
    out[lane] = (bits & 0x80) != 0 ? -magnitude : magnitude;
  }
  modify(plan.modifier, lanes, out);
}

template <class To>
SourceLoader integer_loader(DataType type) {
  switch (type) {
    case DataType::Ub: return load<To, std::uint8_t>;
    case DataType::Uw: return load<To, std::uint16_t>;
    case DataType::Ud: return load<To, std::uint32_t>;
    case DataType::B: return load<To, std::int8_t>;
    case DataType::W: return load<To, std::int16_t>;
    case DataType::D: return load<To, std::int32_t>;
    case DataType::Uq: return sizeof(To) == 8 ? load<To, std::uint64_t> : nullptr;
    case DataType::Q: return sizeof(To) == 8 ? load<To, std::int64_t> : nullptr;
    case DataType::Uv: return load_packed_integers<To, false>;
    case DataType::V: return load_packed_integers<To, true>;
    default: return nullptr;
  }
}

template <class To>
SourceLoader float_loader(DataType type) {
  switch (type) {
    case DataType::Hf: return load<To, Half>;
    case DataType::Bf: return load<To, BFloat>;
    case DataType::Bf8: return load<To, BFloat8>;
    case DataType::Tf32: return load<To, TensorFloat>;
    case DataType::F: return load<To, float>;
    case DataType::Df: return sizeof(To) == 8 ? load<To, double> : nullptr;
    case DataType::Vf: return load_packed_floats<To>;
    default: return nullptr;
  }
}

}  // namespace

SourceLoader select_loader(LaneType lane_type, DataType type) {
  switch (lane_type) {
    case LaneType::Int32: return integer_loader<std::int32_t>(type);
    case LaneType::Int64: return integer_loader<std::int64_t>(type);
    case LaneType::Float32: return float_loader<float>(type);
    case LaneType::Float64: return float_loader<double>(type);
  }
  return nullptr;
}

SourceLoader select_raw_loader(DataType type) {
  if (is_packed_vector(type)) return nullptr;
  switch (size_of(type)) {
    case 1: return load<std::int32_t, std::uint8_t>;
    case 2: return load<std::int32_t, std::uint16_t>;
    case 4: return load<std::int32_t, std::uint32_t>;
    default: return load<std::int64_t, std::uint64_t>;
  }
}

std::int32_t indirect_address(const ThreadState& thread, const Operand& operand, unsigned row) {
  // A row beyond a0 cannot be encoded in a valid instruction; the plan has checked it.
  const std::uint16_t base = thread.address[(operand.address_subregister + row) % 16];
  return static_cast<std::int32_t>(base) + operand.address_immediate;
}

}  // namespace xesim::eu
