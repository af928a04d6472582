// Says of send instructions whether execute_send() executes them, and what it calls them.
//
// Standard input: one native instruction a line, 32 hexadecimal digits in memory order.
// Standard output, a line each: "executed|unsupported|dynamic|invalid", tab, name, tab, report.
// "dynamic": the descriptor is in a0. Each send runs once for all its lanes, with every
// address and surface valid.
#include <array>
#include <charconv>
#include <iostream>
#include <string>

#include "eu/decode/decode.hpp"
#include "eu/messages/messages.hpp"

namespace {

using namespace xesim::eu;

constexpr std::size_t kInstructionBytes = 16;

// Every address of every space is backed, and every surface is there.
class BoundlessEnvironment final : public ThreadEnvironment {
 public:
  MemoryWindow window(MemorySpace, std::uint64_t) override {
    return {0, memory_.size(), memory_.data(), true};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return 0; }
  BufferSurface bindless_surface(std::uint32_t) override { return whole(); }
  BufferSurface binding_table_surface(std::uint32_t) override { return whole(); }
  ImageSurface image_surface(const StateReference&) override {
    return {.unsupported = nullptr,
            .format = find_image_format(kR32Uint),
            .width = 8,
            .height = 8,
            .row_pitch = 32,
            .slice_pitch = 256};
  }
  Sampler sampler(const StateReference&) override { return {.unsupported = nullptr}; }
  void barrier_signal(std::uint32_t, BarrierRole, std::uint32_t, std::uint32_t) override {}

 private:
  static constexpr std::uint32_t kR32Uint = 0x0D7;
  [[nodiscard]] BufferSurface whole() const {
    return {.valid = true, .scratch = false, .base = 0, .size = memory_.size()};
  }
  alignas(64) std::array<std::byte, 256 * 1024> memory_{};  // the largest scratch space
};

bool parse(const std::string& line, std::array<std::byte, kInstructionBytes>& code) {
  if (line.size() != 2 * kInstructionBytes) {
    return false;
  }
  for (std::size_t i = 0; i < kInstructionBytes; ++i) {
    const char* const digits = line.data() + 2 * i;
    std::uint8_t value = 0;
    const auto [end, error] = std::from_chars(digits, digits + 2, value, 16);
    if (error != std::errc{} || end != digits + 2) {
      return false;
    }
    code[i] = std::byte{value};
  }
  return true;
}

void probe(const Instruction& instruction) {
  if (instruction.opcode != Opcode::Send && instruction.opcode != Opcode::Sendc) {
    std::cout << "invalid\t\tnot a send\n";
    return;
  }
  ThreadState thread;
  thread.control[0] = cr0::kLargeGrf;
  if (instruction.send.descriptor_in_register) {
    std::cout << "dynamic\t\tdescriptor in a0\n";
    return;
  }
  BoundlessEnvironment environment;
  WindowCache windows;
  const std::uint32_t lanes = static_cast<std::uint32_t>(
      ((std::uint64_t{1} << instruction.execution_size) - 1) << instruction.channel_offset);
  const MessageResult result =
      execute_send(Platform::XeHpg, thread, instruction, lanes, environment, windows, nullptr);
  const bool executed =
      result.outcome == MessageOutcome::Done || result.outcome == MessageOutcome::EndOfThread;
  std::cout << (executed ? "executed" : "unsupported") << '\t'
            << describe_send(thread, instruction) << '\t' << result.report << '\n';
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::array<std::byte, kInstructionBytes> code{};
    if (!parse(line, code)) {
      std::cerr << "not an instruction of 32 hexadecimal digits: " << line << '\n';
      return EXIT_FAILURE;
    }
    probe(decode(Platform::XeHpg, code));
  }
  return EXIT_SUCCESS;
}
