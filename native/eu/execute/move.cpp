// Moves: the lane already holds what the destination gets.
#include <cstring>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"
#include "eu/operands/load.hpp"

namespace xesim::eu {

namespace {

template <class T>
Step move(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> value;
  load_source(context, instruction, 0, value.value);
  return finish(context, instruction, value.value);
}

// movi: all lanes use the register of the first address; each takes the sub-register of its own.
template <class Element>
Step indexed_move(ExecutionContext& context, const Instruction& instruction) {
  const Operand& source = instruction.source[0];
  const auto size = static_cast<std::int32_t>(context.grf_bytes);
  const std::int32_t first = indirect_address(context.thread, source, 0);
  const auto limit = static_cast<std::int32_t>(context.register_count) * size;
  if (first < 0 || first >= limit) {
    context.report = "an indexed move leaves the register file";
    return Step::Illegal;
  }
  Lanes<std::int32_t> value;
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    const std::int32_t within = indirect_address(context.thread, source, lane) & (size - 1);
    const std::int32_t at = first / size * size + within / static_cast<int>(sizeof(Element)) *
                                                      static_cast<int>(sizeof(Element));
    Element element;
    std::memcpy(&element, context.thread.grf.data() + at, sizeof element);
    value.value[lane] = static_cast<std::int32_t>(element);
  }
  return finish(context, instruction, value.value);
}

}  // namespace

Handler select_move(LaneType lanes) {
  switch (lanes) {
    case LaneType::Int32: return move<std::int32_t>;
    case LaneType::Int64: return move<std::int64_t>;
    case LaneType::Float32: return move<float>;
    case LaneType::Float64: return move<double>;
  }
  return nullptr;
}

Handler select_indexed_move(const Instruction& instruction) {
  const Operand& source = instruction.source[0];
  const unsigned size = size_of(source.type);
  if (!source.indirect || size != size_of(instruction.destination.type) || source.negate ||
      source.absolute || source.address_subregister + instruction.execution_size > 16) {
    return nullptr;
  }
  switch (size) {
    case 1: return indexed_move<std::uint8_t>;
    case 2: return indexed_move<std::uint16_t>;
    case 4: return indexed_move<std::uint32_t>;
    default: return nullptr;
  }
}

}  // namespace xesim::eu
