// Atomics of both data ports: results, order of lanes, and atomicity towards the host.
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr std::uint32_t kA32 = 2u << 7, kA64 = 3u << 7;
constexpr std::uint32_t kD32 = 2u << 9, kD64 = 3u << 9, kD16u32 = 5u << 9;

struct Case {
  std::uint32_t operation;
  std::uint64_t old;
  std::uint64_t first;
  std::uint64_t second;
  std::uint64_t next;
};

constexpr std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint64_t word64(double value) { return std::bit_cast<std::uint64_t>(value); }

template <typename Value>
void check_lsc(const Case& atomic, std::uint32_t size, SharedFunction function) {
  constexpr unsigned registers = sizeof(Value) == 8 ? 2 : 1;  // for eight lanes
  const bool local = function == SharedFunction::Slm;
  Bench bench;
  auto& memory =
      local ? bench.environment.slm : bench.environment.allocate(kBase, 64).bytes;
  write_memory<Value>(memory, 16, static_cast<Value>(atomic.old));
  if (local) {
    bench.put<std::uint32_t>(Bench::kAddresses, 3, 16);
  } else {
    bench.put<std::uint64_t>(Bench::kAddresses, 3, kBase + 16);
  }
  const unsigned stride = sizeof(Value) == 8 ? 8 : 4;
  std::memcpy(&bench.thread.grf[Bench::kData * kGrfBytes + 3 * stride], &atomic.first,
              sizeof(Value));
  std::memcpy(&bench.thread.grf[(Bench::kData + registers) * kGrfBytes + 3 * stride],
              &atomic.second, sizeof(Value));
  const auto result =
      bench.send(function,
                 atomic.operation | (local ? kA32 | 1u << 25 : kA64 | 2u << 25) | size |
                     registers << 20,
                 2 * registers, 8, 0b1000);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<Value>(memory, 16), static_cast<Value>(atomic.next));
  Value returned{};
  std::memcpy(&returned, &bench.thread.grf[Bench::kResponse * kGrfBytes + 3 * stride],
              sizeof returned);
  EXPECT_EQ(returned, static_cast<Value>(atomic.old));
}

void every_operation_gives_its_result_and_returns_the_old_value() {
  const Case cases[] = {
      {0x08, 0xFFFFFFFF, 9, 9, 0},                    // iinc
      {0x09, 0, 9, 9, 0xFFFFFFFF},                    // idec
      {0x0A, 42, 9, 9, 42},                           // load
      {0x0B, 42, 9, 9, 9},                            // store
      {0x0C, 42, 9, 9, 51},                           // iadd
      {0x0D, 42, 50, 9, 0xFFFFFFF8},                  // isub
      {0x0E, 0xFFFFFFFF, 1, 9, 0xFFFFFFFF},           // smin
      {0x0F, 0xFFFFFFFF, 1, 9, 1},                    // smax
      {0x10, 0xFFFFFFFF, 1, 9, 1},                    // umin
      {0x11, 0xFFFFFFFF, 1, 9, 0xFFFFFFFF},           // umax
      {0x12, 42, 42, 7, 7},                           // icas
      {0x12, 42, 41, 7, 42},
      {0x13, word(1.5f), word(2.25f), 9, word(3.75f)},    // fadd
      {0x14, word(1.5f), word(2.25f), 9, word(-0.75f)},   // fsub
      {0x15, word(1.5f), word(-2.0f), 9, word(-2.0f)},    // fmin
      {0x15, word(1.5f), word(std::numeric_limits<float>::quiet_NaN()), 9, word(1.5f)},
      {0x16, word(1.5f), word(-2.0f), 9, word(1.5f)},     // fmax
      {0x16, word(std::numeric_limits<float>::quiet_NaN()), word(-2.0f), 9, word(-2.0f)},
      {0x17, word(-0.0f), word(0.0f), word(5.0f), word(5.0f)},  // fcas
      {0x18, 0xF0F0, 0xFF00, 9, 0xF000},              // and
      {0x19, 0xF0F0, 0x0F00, 9, 0xFFF0},              // or
      {0x1A, 0xF0F0, 0xFF00, 9, 0x0FF0},              // xor
  };
  for (const Case& atomic : cases) {
    check_lsc<std::uint32_t>(atomic, kD32, SharedFunction::Ugm);
    check_lsc<std::uint32_t>(atomic, kD32, SharedFunction::Slm);
  }
  const Case wide[] = {
      {0x08, 0xFFFFFFFFFFFFFFFFu, 9, 9, 0},
      {0x0C, 0xFFFFFFFF, 1, 9, 0x100000000u},
      {0x0E, 0x8000000000000000u, 1, 9, 0x8000000000000000u},
      {0x12, 0x1234567890ABCDEFu, 0x1234567890ABCDEFu, 7, 7},
      {0x13, word64(0.5), word64(0.25), 9, word64(0.75)},
  };
  for (const Case& atomic : wide) {
    check_lsc<std::uint64_t>(atomic, kD64, SharedFunction::Ugm);
    check_lsc<std::uint64_t>(atomic, kD64, SharedFunction::Slm);
  }
  check_lsc<std::uint16_t>({0x0C, 0xFFFF, 2, 9, 1}, kD16u32, SharedFunction::Ugm);
}

void lanes_act_one_after_another() {
  Bench bench;
  for (unsigned lane = 0; lane < 16; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 64);
    bench.put<std::uint32_t>(Bench::kData, lane, lane);
  }
  EXPECT(bench.send(SharedFunction::Slm, 0x0C | kA32 | kD32 | 2u << 25 | 2u << 20, 2, 16, 0xFFFE)
             .outcome == MessageOutcome::Done);
  unsigned sum = 0;
  for (unsigned lane = 1; lane < 16; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane), sum);
    sum += lane;
  }
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 64), sum);
}

void no_return_leaves_the_registers_alone() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 0);
  EXPECT(bench.send(SharedFunction::Slm, 0x08 | kA32 | kD32 | 1u << 25, 0, 8, 1).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 0), 1);
}

void a_misaligned_atomic_is_reported() {
  Bench bench;
  bench.environment.allocate(kBase, 64);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 2);
  const auto result = bench.send(SharedFunction::Ugm, 0x0C | kA64 | kD32 | 2u << 25, 1, 8, 1);
  EXPECT(result.outcome == MessageOutcome::Unsupported);
  EXPECT(result.report.find("multiple of its size") != std::string::npos);
}

// dc1: codes and the pre-decrement, whose answer is the new value.
void data_cache_atomics_have_their_own_codes() {
  struct HdcCase {
    std::uint32_t code;
    std::uint32_t next;
    std::uint32_t returned;
  };
  // Old value 10; operands 3 and 99.
  for (const HdcCase& atomic :
       {HdcCase{0x1, 10 & 3, 10}, HdcCase{0x2, 10 | 3, 10}, HdcCase{0x3, 10 ^ 3, 10},
        HdcCase{0x4, 3, 10}, HdcCase{0x5, 11, 10}, HdcCase{0x6, 9, 10}, HdcCase{0x7, 13, 10},
        HdcCase{0x8, 7, 10}, HdcCase{0x9, 0xFFFFFFF9, 10}, HdcCase{0xA, 10, 10},
        HdcCase{0xB, 3, 10}, HdcCase{0xC, 10, 10}, HdcCase{0xD, 3, 10}, HdcCase{0xE, 10, 10},
        HdcCase{0xF, 9, 9}}) {
    Bench bench;
    auto& memory = bench.environment.allocate(kBase, 64).bytes;
    write_memory<std::uint32_t>(memory, 4, 10);
    bench.put<std::uint64_t>(Bench::kAddresses, 1, kBase + 4);
    bench.put<std::uint32_t>(Bench::kData, 1, 3);
    bench.put<std::uint32_t>(Bench::kData + 1, 1, 99);
    const auto result = bench.send(SharedFunction::Dc1, 0x0414A0FF | atomic.code << 8, 2, 8, 0b10);
    EXPECT(result.outcome == MessageOutcome::Done);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, 4), atomic.next);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), atomic.returned);
  }
}

void data_cache_compare_and_swap_of_64_bits() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  write_memory<std::uint64_t>(memory, 8, 0x100000001u);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 8);
  bench.put<std::uint64_t>(Bench::kData, 0, 0x100000001u);  // compared
  bench.put<std::uint64_t>(Bench::kData + 2, 0, 5);         // new
  EXPECT(bench.send(SharedFunction::Dc1, 0x0424BEFF, 4, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint64_t>(memory, 8), 5);
  EXPECT_EQ(bench.get<std::uint64_t>(Bench::kResponse, 0), 0x100000001u);
}

void host_and_device_increments_all_count() {
  constexpr unsigned kTimes = 20'000;
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  auto* const counter = reinterpret_cast<std::uint32_t*>(memory.data());
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase);
  }
  std::thread host([counter] {
    for (unsigned i = 0; i < kTimes; ++i) {
      std::atomic_ref<std::uint32_t>(*counter).fetch_add(1);
    }
  });
  for (unsigned i = 0; i < kTimes; ++i) {
    bench.send(SharedFunction::Ugm, 0x08 | kA64 | kD32 | 2u << 25, 0, 8, 0xFF);
  }
  host.join();
  EXPECT_EQ(*counter, kTimes * 9);
}

}  // namespace

int main() {
  return run_tests({
      {"operations", every_operation_gives_its_result_and_returns_the_old_value},
      {"lane_order", lanes_act_one_after_another},
      {"no_return", no_return_leaves_the_registers_alone},
      {"misaligned", a_misaligned_atomic_is_reported},
      {"hdc_codes", data_cache_atomics_have_their_own_codes},
      {"hdc_cas64", data_cache_compare_and_swap_of_64_bits},
      {"host", host_and_device_increments_all_count},
  });
}
