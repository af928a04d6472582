// dpas: products of small matrices in the systolic array.
//
// Row r of the result, channel n: the sum of row r of src0 and, for each stage s of the systolic
// depth, of the dot product of src1[s][n] and src2[r][s]. What src1 holds for one channel of one
// stage, and src2 for one stage of one row, are as many elements as fit into a dword if they are
// all as wide as the wider of both types, at most eight. Rows, stages and elements lie side by
// side. Integers wrap. Floating-point stages add their products to the sum exactly but for the
// 53 bits of a double, and round it to single precision once, to the nearest, keeping denormals,
// whatever the control register says; results of 16 bits are rounded when all stages are done.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "eu/arithmetic/narrow_float.hpp"
#include "eu/arithmetic/nearest_rounding.hpp"
#include "eu/execute/systolic.hpp"
#include "eu/thread/execution_context.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kMaxRows = 8;
constexpr unsigned kMaxElements = 8;  // of one stage
constexpr unsigned kMaxChannels = 16;
constexpr unsigned kMaxRowBytes = 2 * sizeof(FusedExchange::part);

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Element `index` of those of `bits` bits that start at `at`, extended by the sign of its type.
std::int32_t integer_element(const std::byte* at, unsigned index, unsigned bits, bool is_signed) {
  const unsigned first = index * bits;
  const auto byte = std::to_integer<std::uint32_t>(at[first / 8]);
  const std::uint32_t value = byte >> first % 8 & ((1u << bits) - 1);
  const bool negative = is_signed && (value >> (bits - 1) & 1) != 0;
  return static_cast<std::int32_t>(negative ? value | ~0u << bits : value);
}

double float_element(const std::byte* at, unsigned index, DataType type) {
  // The lowest bits of a 32-bit number do not belong to its tf32.
  constexpr std::uint32_t kTf32Bits = 0xFFFFE000u;
  switch (type) {
    case DataType::Hf: return half_to_float(read<Half>(at + 2 * index));
    case DataType::Bf: return bfloat_to_float(read<BFloat>(at + 2 * index));
    case DataType::Bf8: return bfloat8_to_float(read<BFloat8>(at + index));
    default: return std::bit_cast<float>(read<std::uint32_t>(at + 4 * index) & kTf32Bits);
  }
}

// How the elements of both factors are read and summed.
struct IntegerFactors {
  using Element = std::int32_t;
  using Sum = std::uint32_t;

  static Element element(const std::byte* at, unsigned index, const Operand& operand,
                         unsigned bits) {
    return integer_element(at, index, bits, operand.type == DataType::B);
  }
  static Sum initial(const std::byte* at, unsigned index, DataType) {
    return read<std::uint32_t>(at + 4 * index);
  }
  static Sum add(Sum sum, const Element* a, const Element* b, unsigned count) {
    for (unsigned index = 0; index < count; ++index) {
      sum += static_cast<std::uint32_t>(a[index] * b[index]);
    }
    return sum;
  }
  static void store(std::byte* at, DataType, Sum sum) { std::memcpy(at, &sum, sizeof sum); }
};

struct FloatFactors {
  using Element = double;
  using Sum = float;

  static Element element(const std::byte* at, unsigned index, const Operand& operand, unsigned) {
    return float_element(at, index, operand.type);
  }
  static Sum initial(const std::byte* at, unsigned index, DataType type) {
    switch (type) {
      case DataType::Hf: return half_to_float(read<Half>(at + 2 * index));
      case DataType::Bf: return bfloat_to_float(read<BFloat>(at + 2 * index));
      default: return read<float>(at + 4 * index);
    }
  }
  static Sum add(Sum sum, const Element* a, const Element* b, unsigned count) {
    double exact = sum;
    for (unsigned index = 0; index < count; ++index) exact += a[index] * b[index];
    return static_cast<float>(exact);
  }
  static void store(std::byte* at, DataType type, Sum sum) {
    if (type == DataType::F) {
      std::memcpy(at, &sum, sizeof sum);
      return;
    }
    const std::uint16_t bits =
        type == DataType::Hf ? double_to_half(sum).bits : double_to_bfloat(sum).bits;
    std::memcpy(at, &bits, sizeof bits);
  }
};

// `row_bytes` are those of src2. All of src1 is unpacked first, since every row uses it. All rows are computed before any is
// written, since the destination may be one of the sources.
template <class Factors>
void multiply_matrices(ExecutionContext& context, const Instruction& instruction,
                       const std::byte* row_bytes) {
  const NearestRounding nearest;
  const SystolicShape shape = systolic_shape(instruction);
  const ExecutionPlan& plan = instruction.plan;
  const Operand& weights_operand = instruction.source[1];
  const Operand& row_operand = instruction.source[2];
  const DataType type = instruction.destination.type;
  const unsigned channels = instruction.execution_size;
  const std::byte* const registers = context.bytes();

  std::array<typename Factors::Element, kMaxRows * kMaxChannels * kMaxElements> weights{};
  for (unsigned cell = 0; cell < shape.depth * channels; ++cell) {
    const std::byte* const at = registers + plan.source[1].position + cell * shape.cell_bytes[0];
    for (unsigned index = 0; index < shape.elements; ++index) {
      weights[cell * shape.elements + index] =
          Factors::element(at, index, weights_operand, shape.element_bits[0]);
    }
  }
  std::array<typename Factors::Sum, kMaxRows * kMaxChannels> sums{};
  for (unsigned row = 0; row < shape.rows; ++row) {
    typename Factors::Sum* const sum = sums.data() + row * channels;
    if (!instruction.source[0].is_null()) {
      for (unsigned channel = 0; channel < channels; ++channel) {
        sum[channel] = Factors::initial(registers + plan.source[0].position,
                                        row * channels + channel, instruction.source[0].type);
      }
    }
    for (unsigned stage = 0; stage < shape.depth; ++stage) {
      const std::byte* const at =
          row_bytes + (row * shape.depth + stage) * shape.cell_bytes[1];
      std::array<typename Factors::Element, kMaxElements> factors{};
      for (unsigned index = 0; index < shape.elements; ++index) {
        factors[index] = Factors::element(at, index, row_operand, shape.element_bits[1]);
      }
      for (unsigned channel = 0; channel < channels; ++channel) {
        const auto* const weight =
            weights.data() + (stage * channels + channel) * shape.elements;
        sum[channel] = Factors::add(sum[channel], weight, factors.data(), shape.elements);
      }
    }
  }
  std::byte* const out = context.bytes() + plan.destination.position;
  const unsigned size = size_of(type);
  for (unsigned index = 0; index < shape.rows * channels; ++index) {
    if ((context.lanes >> index % channels & 1) == 0) continue;
    Factors::store(out + index * size, type, sums[index]);
  }
}

template <class Factors>
Step multiply(ExecutionContext& context, const Instruction& instruction) {
  multiply_matrices<Factors>(context, instruction,
                             context.bytes() + instruction.plan.source[2].position);
  return Step::Next;
}

// The parts of src2 that the fused threads provide. The thread that comes first waits; the other
// takes the part out of its registers, and leaves its own with it.
Step exchange_parts(ExecutionContext& context, const Instruction& instruction,
                    std::byte* row_bytes) {
  FusedExchange& mine = context.thread.fused;
  const FusedThread other = context.environment.fused_thread();
  const auto sizes = fused_part_bytes(systolic_shape(instruction), context.grf_bytes);
  const std::uint32_t position = instruction.plan.source[2].position;
  const std::size_t first_size = sizes[0];
  std::byte* const own_part = row_bytes + (other.comes_first ? first_size : 0);
  std::byte* const other_part = row_bytes + (other.comes_first ? 0 : first_size);
  const std::size_t own_size = sizes[other.comes_first ? 1 : 0];
  const std::size_t other_size = sizes[other.comes_first ? 0 : 1];
  std::memcpy(own_part, context.bytes() + position, own_size);
  if (mine.delivered != 0) {
    std::memcpy(other_part, mine.part.data(), other_size);
    mine = {};
    return Step::Next;
  }
  if (other.state == nullptr) {
    context.report = "the thread is not one of a pair, or the other has ended: work-groups need an "
                     "even number of threads that do the same";
    return Step::Illegal;
  }
  FusedExchange& theirs = other.state->fused;
  if (theirs.waiting == 0 || other.state->ip != context.thread.ip) {
    mine.waiting = 1;
    return Step::Blocked;
  }
  std::memcpy(other_part, reinterpret_cast<const std::byte*>(other.state) + position, other_size);
  std::memcpy(theirs.part.data(), own_part, own_size);
  theirs.waiting = 0;
  theirs.delivered = 1;
  mine = {};
  context.environment.release_fused_thread();
  return Step::Next;
}

template <class Factors>
Step multiply_fused(ExecutionContext& context, const Instruction& instruction) {
  if (context.until_synchronisation && (context.goes_on || context.instructions != 0)) {
    return Step::Synchronises;
  }
  std::array<std::byte, kMaxRowBytes> row_bytes{};
  const Step step = exchange_parts(context, instruction, row_bytes.data());
  if (step == Step::Next) multiply_matrices<Factors>(context, instruction, row_bytes.data());
  return step;
}

template <class Factors>
Handler handler_of(Opcode opcode) {
  return opcode == Opcode::Dpasw ? multiply_fused<Factors> : multiply<Factors>;
}

unsigned bits_of(const Operand& factor, unsigned narrowed_bits) {
  return is_float(factor.type) ? 8 * size_of(factor.type) : narrowed_bits;
}

bool sums_fit(const Instruction& instruction) {
  const DataType factor = instruction.source[1].type;
  const auto fits = [&](DataType type) {
    if (!is_float(factor)) return type == DataType::D || type == DataType::Ud;
    return type == DataType::F || (type == factor && factor != DataType::Tf32) ||
           (factor == DataType::Bf8 && type == DataType::Hf);
  };
  return fits(instruction.destination.type) &&
         (instruction.source[0].is_null() || fits(instruction.source[0].type));
}

}  // namespace

SystolicShape systolic_shape(const Instruction& instruction) {
  SystolicShape shape;
  shape.depth = instruction.dpas_depth;
  shape.rows = instruction.dpas_repeat;
  shape.element_bits = {bits_of(instruction.source[1], instruction.dpas_source1_bits),
                        bits_of(instruction.source[2], instruction.dpas_source2_bits)};
  const unsigned widest = std::max({shape.element_bits[0], shape.element_bits[1], 4u});
  shape.elements = 32 / widest;
  for (unsigned factor = 0; factor < 2; ++factor) {
    shape.cell_bytes[factor] = shape.elements * shape.element_bits[factor] / 8;
  }
  return shape;
}

std::array<unsigned, 2> fused_part_bytes(const SystolicShape& shape, unsigned grf_bytes) {
  const unsigned bytes = shape.rows * shape.depth * shape.cell_bytes[1];
  const unsigned registers = (bytes + grf_bytes - 1) / grf_bytes;
  const unsigned first = (registers + 1) / 2;
  return {first * grf_bytes, (registers - first) * grf_bytes};
}

Handler select_systolic(const Instruction& instruction) {
  const DataType first = instruction.source[1].type;
  const DataType second = instruction.source[2].type;
  if (!sums_fit(instruction) || is_float(first) != is_float(second)) return nullptr;
  if (!is_float(first)) return handler_of<IntegerFactors>(instruction.opcode);
  return first == second ? handler_of<FloatFactors>(instruction.opcode) : nullptr;
}

}  // namespace xesim::eu
