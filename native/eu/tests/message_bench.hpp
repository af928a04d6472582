// A thread on a bench for tests of messages: registers, memory of its own, and descriptors made
// from fields, so that a test reads like the message that it sends.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "eu/messages/decode.hpp"
#include "eu/messages/messages.hpp"

namespace xesim::eu::test {

inline int failures = 0;

// Counts and prints a failed expectation, and goes on.
#define EXPECT(condition)                                                             \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);   \
      ++::xesim::eu::test::failures;                                                  \
    }                                                                                 \
  } while (false)

// As EXPECT for two integers, which it prints in hexadecimal.
#define EXPECT_EQ(actual, expected)                                                    \
  do {                                                                                 \
    const unsigned long long a_ = static_cast<unsigned long long>(actual);             \
    const unsigned long long e_ = static_cast<unsigned long long>(expected);           \
    if (a_ != e_) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s is 0x%llx, expected 0x%llx\n", __FILE__, __LINE__, \
                   #actual, a_, e_);                                                   \
      ++::xesim::eu::test::failures;                                                   \
    }                                                                                  \
  } while (false)

// Names of the messages that were executed, for the table of what tests execute.
inline std::set<std::string> executed_messages;

// Leaves the names, a line each, in a file of the directory that XESIM_COVERAGE_DIRECTORY names.
inline void write_executed_messages() {
  const char* const directory = std::getenv("XESIM_COVERAGE_DIRECTORY");
  if (directory == nullptr) {
    return;
  }
  std::ofstream output(std::string(directory) + "/" + program_invocation_short_name);
  for (const std::string& name : executed_messages) {
    output << name << '\n';
  }
}

// Runs named tests and reports; the value is main's.
inline int run_tests(std::initializer_list<std::pair<const char*, void (*)()>> tests) {
  for (const auto& [name, test] : tests) {
    const int before = failures;
    test();
    if (failures != before) {
      std::fprintf(stderr, "FAILED %s\n", name);
    }
  }
  write_executed_messages();
  std::printf("%zu tests, %d failed expectations\n", tests.size(), failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Memory of several allocations that may touch each other, one SLM, one scratch space.
class BenchEnvironment final : public ThreadEnvironment {
 public:
  struct Allocation {
    std::uint64_t base;
    std::vector<std::byte> bytes;
    bool writable = true;
  };

  Allocation& allocate(std::uint64_t base, std::size_t size, bool writable = true) {
    allocations.push_back(std::make_unique<Allocation>(
        Allocation{base, std::vector<std::byte>(size), writable}));
    return *allocations.back();
  }

  MemoryWindow window(MemorySpace space, std::uint64_t address) override {
    ++window_calls;
    switch (space) {
      case MemorySpace::Slm:
        return address < slm.size() ? MemoryWindow{0, slm.size(), slm.data(), true}
                                    : MemoryWindow{};
      case MemorySpace::Scratch:
        return address < scratch.size() ? MemoryWindow{0, scratch.size(), scratch.data(), true}
                                        : MemoryWindow{};
      case MemorySpace::Global:
        break;
    }
    for (const auto& allocation : allocations) {
      if (address - allocation->base < allocation->bytes.size()) {
        return {allocation->base, allocation->bytes.size(), allocation->bytes.data(),
                allocation->writable};
      }
    }
    return {};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return state_base; }
  BufferSurface bindless_surface(std::uint32_t offset) override {
    asked_surface = offset;
    return bindless;
  }
  BufferSurface binding_table_surface(std::uint32_t index) override {
    asked_index = index;
    return binding_table;
  }
  ImageSurface image_surface(const StateReference& reference) override {
    asked_index = reference.position;
    return image;
  }
  Sampler sampler(const StateReference&) override { return sampler_state; }
  void barrier_signal(std::uint32_t id, BarrierRole role, std::uint32_t producers,
                      std::uint32_t consumers) override {
    barrier_role = role;
    ++barriers;
    barrier_id = id;
    barrier_producers = producers;
    barrier_consumers = consumers;
  }

  std::vector<std::unique_ptr<Allocation>> allocations;
  std::vector<std::byte> slm = std::vector<std::byte>(1024);
  std::vector<std::byte> scratch = std::vector<std::byte>(4096);
  std::uint64_t state_base = 0;
  BufferSurface bindless;
  BufferSurface binding_table;
  ImageSurface image;
  Sampler sampler_state;
  std::uint32_t asked_surface = 0;
  std::uint32_t asked_index = 0;
  unsigned window_calls = 0;
  unsigned barriers = 0;
  BarrierRole barrier_role = BarrierRole::ProducerConsumer;
  std::uint32_t barrier_id = 0;
  std::uint32_t barrier_producers = 0;
  std::uint32_t barrier_consumers = 0;
};

class RecordingObserver final : public Observer {
 public:
  void memory(const ThreadState&, const MemoryAccess& access) override {
    accesses.push_back(access);
  }
  void barrier(const ThreadState&, std::uint32_t id) override { barriers.push_back(id); }
  std::vector<MemoryAccess> accesses;
  std::vector<std::uint32_t> barriers;
};

inline constexpr unsigned kGrfBytes = 32;

// Payloads: addresses in r10.., data in r40.., the answer in r80.. .
struct Bench {
  static constexpr unsigned kAddresses = 10;
  static constexpr unsigned kData = 40;
  static constexpr unsigned kResponse = 80;

  Platform platform = Platform::XeHpg;
  ThreadState thread;
  BenchEnvironment environment;
  WindowCache windows;
  RecordingObserver observer;
  Instruction instruction;
  bool observed = false;

  Bench() {
    instruction.opcode = Opcode::Send;
    instruction.source_count = 2;
    instruction.destination = grf(kResponse);
    instruction.source[0] = grf(kAddresses);
    instruction.source[1] = grf(kData);
    std::memset(thread.grf.data(), 0xEE, thread.grf.size());  // so that untouched bytes show
  }

  static Operand grf(unsigned number) {
    Operand operand;
    operand.file = RegisterFile::Grf;
    operand.register_number = static_cast<std::uint16_t>(number);
    return operand;
  }

  template <typename Value>
  void put(unsigned grf_number, unsigned element, Value value) {
    std::memcpy(&thread.grf[grf_number * grf_bytes(platform) + element * sizeof value], &value,
                sizeof value);
  }
  template <typename Value>
  [[nodiscard]] Value get(unsigned grf_number, unsigned element) const {
    Value value;
    std::memcpy(&value, &thread.grf[grf_number * grf_bytes(platform) + element * sizeof value],
                sizeof value);
    return value;
  }

  // The response length and first source's length are those of the descriptor itself.
  MessageResult send(SharedFunction function, std::uint32_t descriptor, unsigned source1_length,
                     unsigned execution_size, std::uint32_t lanes) {
    instruction.execution_size = static_cast<std::uint8_t>(execution_size);
    instruction.send.function = function;
    instruction.send.descriptor = descriptor;
    instruction.send.source1_length = static_cast<std::uint8_t>(source1_length);
    instruction.source[1] = source1_length == 0 ? Operand{} : grf(kData);
    if ((descriptor >> 20 & 0x1F) == 0) {
      instruction.destination = Operand{};
    }
    const std::string name = describe_send(thread, instruction);
    MessageResult result = execute_send(platform, thread, instruction, lanes, environment,
                                        windows, observed ? &observer : nullptr);
    if (result.outcome == MessageOutcome::Done) {
      executed_messages.insert(name);
    }
    return result;
  }
};

template <typename Value>
Value read_memory(const std::vector<std::byte>& bytes, std::size_t offset) {
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
template <typename Value>
void write_memory(std::vector<std::byte>& bytes, std::size_t offset, Value value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace xesim::eu::test
