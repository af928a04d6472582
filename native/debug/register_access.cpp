#include "debug/register_access.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace xesim::debug {

namespace {

static_assert(std::endian::native == std::endian::little, "registers are copied as they are");

template <class Array>
auto bytes_of(Array& array) {
  if constexpr (std::is_const_v<Array>) {
    return std::as_bytes(std::span(array));
  } else {
    return std::as_writable_bytes(std::span(array));
  }
}

template <class State>
using Bytes = std::span<std::conditional_t<std::is_const_v<State>, const std::byte, std::byte>>;

// The bytes of a set that the thread state holds as they are; empty for computed sets.
template <class State>
Bytes<State> stored_registers(State& state, const RegisterSet& set) {
  switch (set.type) {
    case RegisterType::Grf:
      return bytes_of(state.grf);
    case RegisterType::Address:
      return bytes_of(state.address);
    case RegisterType::Flag:
      return bytes_of(state.flag);
    case RegisterType::State:
      return bytes_of(state.state);
    case RegisterType::Control:
      return bytes_of(state.control);
    case RegisterType::ThreadDependency:
      return bytes_of(state.thread_dependency);
    case RegisterType::Accumulator:
      return bytes_of(state.accumulator);
    case RegisterType::Mme:
      if (set.message_registers) return bytes_of(state.message);
      return bytes_of(state.mme);
    case RegisterType::StackPointer:
      return bytes_of(state.stack_pointer);
    case RegisterType::Debug:
      return bytes_of(state.debug);
    case RegisterType::ChannelEnable:
    case RegisterType::StateBaseAddress:
    case RegisterType::FlowControl:
      break;
  }
  return {};
}

// The flow control registers of Xe2, as dwords in three registers of 64 bytes: the instruction
// pointer of each of 32 channels in the first two, then the channel enables and the call mask. The
// parts are those that Intel's assembler documents for fc0, fc1 and fc2 of the architectures
// before; the save area has room for just these.
constexpr std::size_t kFlowControlDwords = 3 * 16;
constexpr std::size_t kChannelEnableDword = 32;
constexpr std::size_t kCallMaskDword = 33;
using FlowControl = std::array<std::uint32_t, kFlowControlDwords>;

FlowControl flow_control_of(const eu::ThreadState& state) {
  FlowControl registers{};
  std::ranges::copy(state.channel_ip, registers.begin());
  registers[kChannelEnableDword] = state.enabled_channels();
  registers[kCallMaskDword] = ~state.parked_channels & state.state[2];
  return registers;
}

// The channel enables follow from the rest.
void set_flow_control(eu::ThreadState& state, const FlowControl& registers) {
  std::copy_n(registers.begin(), state.channel_ip.size(), state.channel_ip.begin());
  state.parked_channels = ~registers[kCallMaskDword] & state.state[2];
}

std::vector<std::byte> computed_registers(device::Device& device,
                                          const device::HardwareThread& thread,
                                          RegisterType type) {
  const auto copy = [](std::span<const std::byte> bytes) {
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  if (type == RegisterType::ChannelEnable) {
    const std::array mask{thread.state.enabled_channels()};
    return copy(bytes_of(mask));
  }
  if (type == RegisterType::FlowControl) {
    if (!thread.written_flow_control.empty()) return thread.written_flow_control;
    const FlowControl registers = flow_control_of(thread.state);
    return copy(bytes_of(registers));
  }
  const auto bases = device.state_base_addresses(&thread);
  return copy(bytes_of(bases));
}

// The instruction pointer of the enabled channels follows cr0.2.
void move_enabled_channels(eu::ThreadState& state, std::uint32_t ip) {
  const std::uint32_t enabled = state.enabled_channels();
  for (unsigned lane = 0; lane < eu::kMaxLanes; ++lane) {
    if ((enabled >> lane & 1) != 0) state.channel_ip[lane] = ip;
  }
  state.ip = ip;
}

// What a debugger writes to an accumulator is a 32-bit integer again.
void narrow_accumulators(eu::ThreadState& state, std::uint32_t register_bytes, std::uint32_t start,
                         std::uint32_t count) {
  for (std::uint32_t index = start; index < start + count; ++index) {
    for (std::uint32_t channel = 0; channel < register_bytes / 4; ++channel) {
      std::int32_t value = 0;
      std::memcpy(&value, state.accumulator.data() + index * register_bytes + channel * 4, 4);
      state.accumulator_extension[index].high[channel] = value < 0 ? -1 : 0;
    }
  }
}

}  // namespace

std::vector<std::byte> read_registers(device::Device& device, const device::HardwareThread& thread,
                                      const RegisterSet& set, std::uint32_t start,
                                      std::uint32_t count) {
  std::vector<std::byte> computed;
  std::span<const std::byte> registers = stored_registers(thread.state, set);
  if (registers.empty()) {
    computed = computed_registers(device, thread, set.type);
    registers = computed;
  } else if (set.type == RegisterType::Control && thread.state.control[2] != thread.state.ip) {
    // A thread of the past has taken no exception, which would have left the pointer there.
    auto control = thread.state.control;
    control[2] = thread.state.ip;
    const auto bytes = bytes_of(control);
    computed.assign(bytes.begin(), bytes.end());
    registers = computed;
  }
  const auto wanted = registers.subspan(start * set.bytes, count * set.bytes);
  return {wanted.begin(), wanted.end()};
}

void write_registers(device::HardwareThread& thread, const RegisterSet& set, std::uint32_t start,
                     std::span<const std::byte> data) {
  eu::ThreadState& state = thread.state;
  if (set.type == RegisterType::FlowControl) {
    FlowControl flow_control = flow_control_of(state);
    const auto bytes = bytes_of(flow_control);
    std::ranges::copy(thread.written_flow_control, bytes.begin());
    std::ranges::copy(data, bytes.subspan(start * set.bytes).begin());
    set_flow_control(state, flow_control);
    thread.written_flow_control.assign(bytes.begin(), bytes.end());
    return;
  }
  const auto registers = stored_registers(state, set);
  if (registers.empty() || data.empty()) return;
  std::memcpy(registers.subspan(start * set.bytes, data.size()).data(), data.data(), data.size());
  const auto count = static_cast<std::uint32_t>(data.size() / set.bytes);
  if (set.type == RegisterType::Control && state.control[2] != state.ip) {
    move_enabled_channels(state, state.control[2]);
    thread.report.clear();  // it was of another instruction
    thread.written_flow_control.clear();
  }
  if (set.type == RegisterType::Accumulator) narrow_accumulators(state, set.bytes, start, count);
}

StoredPlace stored_place(const RegisterSet& set) {
  static const eu::ThreadState state{};
  const auto registers = stored_registers(state, set);
  if (registers.empty()) return {};
  const auto* const first = reinterpret_cast<const std::byte*>(&state);
  return {static_cast<std::uint64_t>(registers.data() - first), registers.size()};
}

}  // namespace xesim::debug
