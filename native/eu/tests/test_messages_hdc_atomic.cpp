// Every atomic of the data cache (dc1): in each width, on shared local memory and by 64-bit address.
#include <bit>
#include <cmath>
#include <limits>

#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr std::uint32_t kSharedLocalMemory = 0xFE, kStateless = 0xFF;
constexpr std::uint32_t kReturns = 1u << 13, kSimd8 = 1u << 12, kWide = 1u << 12;
constexpr unsigned kLane = 3;
constexpr std::size_t kPlace = 16;  // bytes: where the number lies

// One encoding of atomics: the type of its message, and the registers that eight lanes take.
struct Form {
  std::uint32_t type;
  std::uint32_t flags;
  bool flat;  // 64-bit addresses, else offsets into shared local memory
};

constexpr Form kWord{0x03, kSimd8, false}, kFlatWord{0x13, 0, true};
constexpr Form kDword{0x02, kSimd8, false}, kFlatDword{0x12, 0, true};
constexpr Form kFlatQword{0x12, kWide, true};
constexpr Form kFloat{0x1B, kSimd8, false}, kFlatFloat{0x1D, 0, true};
constexpr Form kHalf{0x1C, kSimd8, false}, kFlatHalf{0x1E, 0, true};

// What one lane's atomic left in memory and answered.
template <typename Value>
struct Effect {
  Value next;
  Value returned;
};

// Narrow numbers lie in the low half of their lane's dword.
template <typename Value>
Effect<Value> act(const Form& form, std::uint32_t code, Value old, Value first, Value second) {
  constexpr unsigned kStride = sizeof(Value) == 8 ? 8 : 4;
  constexpr unsigned kRegisters = 8 * kStride / kGrfBytes;
  Bench bench;
  auto& memory =
      form.flat ? bench.environment.allocate(kBase, 64).bytes : bench.environment.slm;
  write_memory<Value>(memory, kPlace, old);
  if (form.flat) {
    bench.put<std::uint64_t>(Bench::kAddresses, kLane, kBase + kPlace);
  } else {
    bench.put<std::uint32_t>(Bench::kAddresses, kLane, kPlace);
  }
  const auto put = [&](unsigned number, Value value) {
    std::memcpy(&bench.thread.grf[number * kGrfBytes + kLane * kStride], &value, sizeof value);
  };
  put(Bench::kData, first);
  put(Bench::kData + kRegisters, second);
  const std::uint32_t descriptor =
      (form.flat ? 2u << 25 | kStateless : 1u << 25 | kSharedLocalMemory) | kRegisters << 20 |
      form.type << 14 | kReturns | form.flags | code << 8;
  const auto result =
      bench.send(SharedFunction::Dc1, descriptor, 2 * kRegisters, 8, 1u << kLane);
  EXPECT(result.outcome == MessageOutcome::Done);
  if (result.outcome != MessageOutcome::Done) {
    std::fprintf(stderr, "  %s\n", result.report.c_str());
  }
  Value returned{};
  std::memcpy(&returned, &bench.thread.grf[Bench::kResponse * kGrfBytes + kLane * kStride],
              sizeof returned);
  return {read_memory<Value>(memory, kPlace), returned};
}

struct IntegerCase {
  std::uint32_t code;
  std::int64_t old, first, second;
  std::int64_t next;
  bool returns_next = false;
};

template <typename Value>
void check_integers(const Form& form) {
  constexpr Value kAll = std::numeric_limits<Value>::max();
  const IntegerCase cases[] = {
      {0x1, 10, 3, 99, 10 & 3},         {0x2, 10, 3, 99, 10 | 3}, {0x3, 10, 3, 99, 10 ^ 3},
      {0x4, 10, 3, 99, 3},              {0x5, 10, 3, 99, 11},     {0x5, -1, 3, 99, 0},
      {0x6, 10, 3, 99, 9},              {0x6, 0, 3, 99, -1},      {0x7, 10, 3, 99, 13},
      {0x7, -1, 2, 99, 1},              {0x8, 10, 3, 99, 7},      {0x9, 10, 3, 99, 3 - 10},
      {0xA, -1, 1, 99, 1},              {0xB, -1, 1, 99, -1},     {0xC, -1, 1, 99, -1},
      {0xD, -1, 1, 99, 1},              {0xE, 10, 10, 99, 99},    {0xE, 10, 11, 99, 10},
      {0xF, 10, 3, 99, 9, true},
  };
  for (const IntegerCase& each : cases) {
    const auto effect =
        act<Value>(form, each.code, static_cast<Value>(each.old), static_cast<Value>(each.first),
                   static_cast<Value>(each.second));
    EXPECT_EQ(effect.next, static_cast<Value>(each.next) & kAll);
    EXPECT_EQ(effect.returned, static_cast<Value>(each.returns_next ? each.next : each.old));
  }
}

void integers_in_every_width() {
  check_integers<std::uint16_t>(kWord);
  check_integers<std::uint16_t>(kFlatWord);
  check_integers<std::uint32_t>(kDword);
  check_integers<std::uint32_t>(kFlatDword);
  check_integers<std::uint64_t>(kFlatQword);
}

// `Bits` are the pattern of `Number`; halves are given as patterns.
template <typename Bits>
struct FloatCase {
  std::uint32_t code;
  Bits old, first, second, next;
};

template <typename Bits>
void check_floats(const Form& form, std::initializer_list<FloatCase<Bits>> cases) {
  for (const FloatCase<Bits>& each : cases) {
    const auto effect = act<Bits>(form, each.code, each.old, each.first, each.second);
    EXPECT_EQ(effect.next, each.next);
    EXPECT_EQ(effect.returned, each.old);
  }
}

constexpr std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

void floats_by_both_addresses() {
  for (const Form& form : {kFloat, kFlatFloat}) {
    check_floats<std::uint32_t>(
        form, {{1, bits(1.5f), bits(-2.0f), 9, bits(1.5f)},
               {1, bits(1.5f), bits(2.0f), 9, bits(2.0f)},
               {2, bits(1.5f), bits(-2.0f), 9, bits(-2.0f)},
               {3, bits(1.5f), bits(1.5f), bits(7.0f), bits(7.0f)},
               {3, bits(1.5f), bits(1.0f), bits(7.0f), bits(1.5f)},
               {4, bits(1.5f), bits(2.25f), 9, bits(3.75f)},
               {5, bits(1.5f), bits(2.25f), 9, bits(-0.75f)}});
    check_floats<std::uint64_t>(form, {{6, bits(0.1), bits(0.2), 9, bits(0.1 + 0.2)},
                                       {7, bits(0.1), bits(0.2), 9, bits(0.1 - 0.2)}});
  }
}

void halves_by_both_addresses() {
  constexpr std::uint16_t kOne = 0x3C00, kTwo = 0x4000, kThree = 0x4200, kMinusOne = 0xBC00;
  for (const Form& form : {kHalf, kFlatHalf}) {
    check_floats<std::uint16_t>(form, {{1, kOne, kTwo, 9, kTwo},
                                       {1, kOne, kMinusOne, 9, kOne},
                                       {2, kOne, kMinusOne, 9, kMinusOne},
                                       {3, kOne, kOne, kThree, kThree},
                                       {3, kOne, kTwo, kThree, kOne},
                                       {4, kOne, kTwo, 9, kThree},
                                       {5, kOne, kTwo, 9, kMinusOne}});
  }
}

}  // namespace

int main() {
  return run_tests({
      {"integers", integers_in_every_width},
      {"floats", floats_by_both_addresses},
      {"halves", halves_by_both_addresses},
  });
}
