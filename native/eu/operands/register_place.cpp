#include "eu/operands/register_place.hpp"

#include <cstddef>

#include "eu/thread/thread_state.hpp"

namespace xesim::eu {

namespace {

constexpr unsigned kAccumulatorCount = 8;
constexpr unsigned kMmeCount = 8;

struct File {
  std::size_t position;      // in ThreadState
  unsigned register_bytes;
  unsigned count;            // registers
  DestinationEffect effect = DestinationEffect::None;
};

RegisterPlace inside(const File& file, const Operand& operand) {
  RegisterPlace place;
  place.position = static_cast<std::uint32_t>(
      file.position + operand.register_number * file.register_bytes + operand.byte_offset);
  place.end = static_cast<std::uint32_t>(file.position + file.count * file.register_bytes);
  place.effect = file.effect;
  if (operand.register_number >= file.count || place.position >= place.end) {
    place.problem = "a register number beyond the register file";
  }
  return place;
}

RegisterPlace missing(const char* problem) {
  RegisterPlace place;
  place.problem = problem;
  return place;
}

}  // namespace

RegisterPlace place_of(const Operand& operand, Platform platform) {
  const unsigned grf_bytes = eu::grf_bytes(platform);
  if (operand.file == RegisterFile::Grf) {
    return inside({offsetof(ThreadState, grf), grf_bytes, kMaxGrfCount}, operand);
  }
  switch (operand.arf) {
    case Arf::Null: case Arf::ChannelEnable: case Arf::InstructionPointer: case Arf::Timestamp: {
      RegisterPlace place;
      place.computed = true;
      return place;
    }
    case Arf::Address:
      return inside({offsetof(ThreadState, address), sizeof(ThreadState::address), 1}, operand);
    case Arf::Accumulator:
      return inside({offsetof(ThreadState, accumulator), grf_bytes, kAccumulatorCount,
                     DestinationEffect::Accumulator}, operand);
    case Arf::Flag:
      return inside({offsetof(ThreadState, flag), 4, flag_registers(platform)},
                    operand);
    case Arf::State:
      return inside({offsetof(ThreadState, state), sizeof(ThreadState::state), 1,
                     DestinationEffect::State}, operand);
    case Arf::Control:
      return inside({offsetof(ThreadState, control), sizeof(ThreadState::control), 1,
                     DestinationEffect::Control}, operand);
    case Arf::Notification:
      return inside({offsetof(ThreadState, notification), sizeof(ThreadState::notification), 1},
                    operand);
    case Arf::ThreadDependency:
      return inside({offsetof(ThreadState, thread_dependency),
                     sizeof(ThreadState::thread_dependency), 1}, operand);
    case Arf::StackPointer:
      return inside({offsetof(ThreadState, stack_pointer), sizeof(ThreadState::stack_pointer), 1},
                    operand);
    case Arf::Debug:
      return inside({offsetof(ThreadState, debug), sizeof(ThreadState::debug), 1}, operand);
    case Arf::Mme:
      return inside({offsetof(ThreadState, mme), grf_bytes, kMmeCount}, operand);
    case Arf::Message:
      if (platform != Platform::Xe2) return missing("message registers exist since Xe2");
      return inside({offsetof(ThreadState, message), sizeof(ThreadState::message) / 2, 2}, operand);
    case Arf::FlowControl: case Arf::Scalar: case Arf::Unknown:
      return missing("an architecture register that is not implemented");
  }
  return missing("an architecture register that is not implemented");
}

}  // namespace xesim::eu
