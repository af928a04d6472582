// Executes random messages: whatever descriptors, payloads and surfaces say, a send has to stay
// inside the registers and the memory that it was given, and say why it was not done.
//
//   xesim_eu_fuzz_messages PLATFORM SEED COUNT
//
// Sends COUNT messages; the same arguments make the same. Writes one line of NAME=NUMBER pairs;
// ends with an error that names the message if an outcome breaks a rule. Meant for a build with
// sanitizers.
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "eu/messages/decode.hpp"
#include "eu/messages/messages.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::tests;

constexpr std::uint64_t kGlobalBase = 0x10000;
constexpr std::size_t kMemoryBytes = 16 * 1024;
constexpr SharedFunction kFunctions[] = {
    SharedFunction::Ugm,  SharedFunction::Ugml, SharedFunction::Slm,    SharedFunction::Tgm,
    SharedFunction::Dc0,  SharedFunction::Dc1,  SharedFunction::Gateway, SharedFunction::Sampler};

// A little of every memory; surfaces that are there, are not, or reach beyond their memory.
class SmallEnvironment final : public ThreadEnvironment {
 public:
  SmallEnvironment() {
    for (auto& memory : memories_) memory.resize(kMemoryBytes);
  }

  MemoryWindow window(MemorySpace space, std::uint64_t address) override {
    auto& memory = memories_[static_cast<std::size_t>(space)];
    const std::uint64_t base = space == MemorySpace::Global ? kGlobalBase : 0;
    if (address < base || address - base >= memory.size()) return {};
    return {base, memory.size(), memory.data(), address % 7 != 0};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return kGlobalBase; }
  BufferSurface bindless_surface(std::uint32_t offset) override {
    return {.valid = offset % 3 != 0,
            .scratch = offset % 5 == 0,
            .base = kGlobalBase + offset % kMemoryBytes,
            .size = offset % 11 == 0 ? ~std::uint64_t{0} : kMemoryBytes / 2};
  }
  BufferSurface binding_table_surface(std::uint32_t index) override {
    return bindless_surface(index + 1);
  }
  void barrier_signal(std::uint32_t, BarrierRole, std::uint32_t, std::uint32_t) override {}

 private:
  std::vector<std::byte> memories_[3];
};

void fill_registers(Random& random, ThreadState& thread) {
  for (std::size_t at = 0; at < thread.grf.size(); at += 8) {
    std::uint64_t value = 0;
    switch (below(random, 5)) {
      case 0: value = below(random, 4096); break;
      case 1: value = kGlobalBase + below(random, kMemoryBytes); break;
      case 2: value = std::uint64_t{below(random, 4096)} << 32 | below(random, 4096); break;
      case 3: value = random(); break;
      default: break;
    }
    std::memcpy(thread.grf.data() + at, &value, sizeof value);
  }
}

Operand register_operand(Random& random) {
  Operand operand;
  if (below(random, 6) != 0) {
    operand.file = RegisterFile::Grf;
    const std::uint32_t end = below(random, 8) == 0 ? 256 : 96;
    operand.register_number = static_cast<std::uint16_t>(below(random, end));
  }
  return operand;
}

Instruction random_send(Random& random) {
  Instruction send;
  send.opcode = Opcode::Send;
  send.source_count = 2;
  send.execution_size = static_cast<std::uint8_t>(1u << below(random, 6));
  const std::uint32_t offset = send.execution_size == 32 ? 0 : below(random, 2) * 8;
  send.channel_offset = static_cast<std::uint8_t>(offset);
  send.destination = register_operand(random);
  send.source[0] = register_operand(random);
  send.source[1] = register_operand(random);
  send.send.function = kFunctions[below(random, std::size(kFunctions))];
  // Half of them with lengths that there are, so that what follows is reached.
  send.send.descriptor = static_cast<std::uint32_t>(random());
  if (below(random, 2) == 0) {
    send.send.descriptor = (send.send.descriptor & 0x600F'FFFF) | below(random, 9) << 20 |
                           (1 + below(random, 8)) << 25;
  }
  send.send.extended_descriptor = below(random, 3) == 0 ? 0 : static_cast<std::uint32_t>(random());
  send.send.source1_length = static_cast<std::uint8_t>(below(random, 32));
  send.send.end_of_thread = below(random, 16) == 0;
  send.send.descriptor_in_register = below(random, 16) == 0;
  send.send.extended_descriptor_in_register = below(random, 4) == 0;
  send.send.extended_bindless_offset = below(random, 2) == 0;
  send.send.extended_descriptor_subregister = static_cast<std::uint8_t>(below(random, 8));
  send.send.extended_offset = below(random, 2) == 0 ? 0 : static_cast<std::uint32_t>(random());
  return send;
}

// What is wrong with an outcome; empty if nothing is.
std::string broken_rule(const MessageResult& result) {
  switch (result.outcome) {
    case MessageOutcome::PageFault:
      return result.fault.present ? "" : "a fault without an address";
    case MessageOutcome::Unsupported:
      return result.report.starts_with("send ") ? "" : "a refusal without the message's name";
    default:
      return result.report.empty() ? "" : "a report of a message that was executed";
  }
}

void send_one(Platform platform, Random& random, SmallEnvironment& environment,
              Counts& counts) {
  static constexpr const char* kOutcomes[] = {"done", "end", "faults", "unsupported"};
  const Instruction send = random_send(random);
  ThreadState thread;
  fill_registers(random, thread);
  for (auto& address : thread.address) address = static_cast<std::uint16_t>(random());
  thread.control[0] = below(random, 2) == 0 ? cr0::kLargeGrf : 0;
  const ThreadState before = thread;
  const auto lanes = static_cast<std::uint32_t>(
      (random() & ((std::uint64_t{1} << send.execution_size) - 1)) << send.channel_offset);
  WindowCache windows;
  const MessageResult result =
      execute_send(platform, thread, send, lanes, environment, windows, nullptr);
  std::string rule = broken_rule(result);
  const bool refused = result.outcome == MessageOutcome::PageFault ||
                       result.outcome == MessageOutcome::Unsupported;
  if (refused && thread.grf != before.grf) rule = "registers were written by a message not done";
  if (!rule.empty()) {
    throw std::runtime_error(rule + ": " + describe_send(before, send) + " " + result.report);
  }
  ++counts[kOutcomes[static_cast<unsigned>(result.outcome)]];
}

void fuzz(int argc, char** argv) {
  if (argc != 4) throw std::runtime_error("usage: PLATFORM SEED COUNT");
  const Platform platform = required_platform(argv[1]);
  const std::uint64_t count = std::stoull(argv[3]);
  SmallEnvironment environment;
  Counts counts;
  try_seeds(
      std::stoull(argv[2]), [count](std::uint64_t tried) { return tried < count; },
      [&](Random& random) { send_one(platform, random, environment, counts); });
  counts["messages"] = count;
  print_counts(counts);
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  return run_program([&] { fuzz(argc, argv); });
}
