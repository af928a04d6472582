// Typed messages and messages to the sampler: what the corpus does not send, and what is refused.
#include <bit>

#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr std::uint32_t kSurface = 3;  // in the binding table
constexpr std::uint32_t kWidth = 4, kHeight = 2, kRowPitch = 64;

constexpr std::uint32_t lengths(unsigned addresses, unsigned response) {
  return addresses << 25 | response << 20;
}

// Fields of dc1's descriptors.
constexpr std::uint32_t kTypedRead = 0x5 << 14, kTypedAtomic = 0x6 << 14, kTypedWrite = 0xD << 14;
constexpr std::uint32_t kSimd8 = 1 << 12, kReturnsData = 1 << 13;
constexpr std::uint32_t kAtomicAnd = 1 << 8, kAtomicIncrement = 5 << 8, kAtomicAdd = 7 << 8,
                        kAtomicCompareWrite = 14 << 8;

// Fields of the load/store cache's descriptors.
constexpr std::uint32_t kA32 = 2 << 7, kD32 = 2 << 9, kBti = 3u << 29;
constexpr std::uint32_t kLscIncrement = 8, kLscAdd = 12, kLscUnsignedMaximum = 17;

// Fields of the sampler's descriptors.
constexpr std::uint32_t operation(unsigned code) { return code << 12; }
constexpr std::uint32_t kSamplerSimd8 = 1 << 17, kHeader = 1 << 19, kShortParameters = 1 << 29;
constexpr unsigned kSampleD = 4, kSampleLz = 24, kLd = 7, kGather4 = 8, kLd2dms = 30, kReserved = 13;

// A bench with an image of 4x2 texels at kBase.
struct ImageBench : Bench {
  explicit ImageBench(std::uint32_t format) {
    memory = &environment.allocate(kBase, kRowPitch * kHeight).bytes;
    environment.image = {.unsupported = nullptr,
                         .shape = ImageShape::Plane,
                         .format = find_image_format(format),
                         .width = kWidth,
                         .height = kHeight,
                         .base = kBase,
                         .row_pitch = kRowPitch,
                         .slice_pitch = kRowPitch * kHeight};
    environment.sampler_state = {.unsupported = nullptr, .normalized = false};
  }
  void place(unsigned lane, std::int32_t x, std::int32_t y) {
    put<std::int32_t>(kAddresses, lane, x);
    put<std::int32_t>(kAddresses + 1, lane, y);
  }
  // As send(), one message after the other.
  MessageResult ask(SharedFunction function, std::uint32_t descriptor, unsigned source1_length,
                    unsigned execution_size, std::uint32_t lanes) {
    instruction.destination = grf(kResponse);
    return send(function, descriptor, source1_length, execution_size, lanes);
  }
  [[nodiscard]] std::uint32_t texel(unsigned x, unsigned y) const {
    return read_memory<std::uint32_t>(*memory, y * kRowPitch + 4 * x);
  }
  std::vector<std::byte>* memory;
};

constexpr std::uint32_t kR32Uint = 0x0D7, kRgba8Uint = 0x0CB, kR32Float = 0x0D8;

void texels_are_written_and_read_and_nothing_beyond_the_image() {
  ImageBench bench(kRgba8Uint);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.place(lane, static_cast<int>(lane) - 2, lane & 1);
    for (unsigned channel = 0; channel < 4; ++channel) {
      bench.put<std::uint32_t>(Bench::kData + channel, lane, 16 * lane + channel + 250 * (lane == 5));
    }
  }
  auto result = bench.ask(SharedFunction::Dc1, kTypedWrite | kSimd8 | kSurface | lengths(2, 0), 4,
                           8, 0b1110'1111);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.environment.asked_index, kSurface);
  EXPECT_EQ(bench.texel(0, 0), 0x23222120u);
  EXPECT_EQ(bench.texel(1, 1), 0x33323130u);
  EXPECT_EQ(bench.texel(2, 0), 0u);           // lane 4 is off
  EXPECT_EQ(bench.texel(3, 1), 0xFFFFFFFFu);  // saturated
  EXPECT_EQ(read_memory<std::uint32_t>(*bench.memory, 4 * kWidth), 0u);
  result = bench.ask(SharedFunction::Dc1, kTypedRead | kSimd8 | kSurface | lengths(2, 4), 0, 8,
                      0xFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 1, 2), 0x21u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 3, 3), 0x33u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0u);
}

void atomics_of_the_data_port_add_one_lane_after_the_other() {
  ImageBench bench(kR32Uint);
  write_memory<std::uint32_t>(*bench.memory, kRowPitch + 8, 100);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.place(lane, lane == 7 ? 4 : 2, 1);  // the last one beyond the image
    bench.put<std::uint32_t>(Bench::kData, lane, lane + 1);
  }
  auto result = bench.ask(SharedFunction::Dc1,
                           kTypedAtomic | kSimd8 | kReturnsData | kAtomicAdd | kSurface |
                               lengths(2, 1), 1, 8, 0b1111'1011);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.texel(2, 1), 100 + 1 + 2 + 4 + 5 + 6 + 7);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 100u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 3), 103u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 7), 0u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 2), 0xEEEEEEEEu);  // off
  result = bench.ask(SharedFunction::Dc1,
                      kTypedAtomic | kSimd8 | kAtomicIncrement | kSurface | lengths(2, 0), 0, 8, 3);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.texel(2, 1), 127u);
  bench.put<std::uint32_t>(Bench::kData, 0, 0xF0);
  result = bench.ask(SharedFunction::Dc1,
                      kTypedAtomic | kSimd8 | kAtomicAnd | kSurface | lengths(2, 0), 1, 8, 1);
  EXPECT_EQ(bench.texel(2, 1), 127u & 0xF0);
  bench.put<std::uint32_t>(Bench::kData, 0, 0x70);      // what is compared with
  bench.put<std::uint32_t>(Bench::kData + 1, 0, 0x55);  // what is stored
  result = bench.ask(
      SharedFunction::Dc1,
      kTypedAtomic | kSimd8 | kReturnsData | kAtomicCompareWrite | kSurface | lengths(2, 1), 2, 8,
      1);
  EXPECT(result.outcome == MessageOutcome::Done);
  const std::uint32_t before = bench.get<std::uint32_t>(Bench::kResponse, 0);
  EXPECT_EQ(before, 0x70u);
  EXPECT_EQ(bench.texel(2, 1), 0x55u);
}

void atomics_of_the_load_store_cache_take_sixteen_lanes() {
  ImageBench bench(kR32Uint);
  bench.platform = Platform::Xe2;
  bench.instruction.send.extended_descriptor = kSurface << 24;
  for (unsigned lane = 0; lane < 16; ++lane) {
    bench.place(lane, lane % 4, lane / 4 % 2);
    bench.put<std::uint32_t>(Bench::kData, lane, 10 * lane);
  }
  auto result = bench.ask(SharedFunction::Tgm, kLscAdd | kA32 | kD32 | kBti | lengths(2, 1), 1, 16,
                           0xFFFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.environment.asked_index, kSurface);
  EXPECT_EQ(bench.texel(1, 0), 10 + 90u);
  EXPECT_EQ(bench.texel(3, 1), 70 + 150u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 9), 10u);
  result = bench.ask(SharedFunction::Tgm,
                      kLscUnsignedMaximum | kA32 | kD32 | kBti | lengths(2, 0), 1, 16, 1);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.texel(0, 0), 80u);
  result = bench.ask(SharedFunction::Tgm, kLscIncrement | kA32 | kD32 | kBti | lengths(2, 0), 0,
                      16, 1);
  EXPECT_EQ(bench.texel(0, 0), 81u);
}

void atomics_need_texels_of_one_32_bit_value() {
  ImageBench bench(kRgba8Uint);
  bench.place(0, 0, 0);
  const auto result = bench.ask(
      SharedFunction::Dc1, kTypedAtomic | kSimd8 | kAtomicAdd | kSurface | lengths(2, 0), 1, 8, 1);
  EXPECT(result.outcome == MessageOutcome::Unsupported);
  EXPECT(result.report.find("not one 32-bit value") != std::string::npos);
}

void memory_that_is_gone_is_a_page_fault_with_its_address() {
  ImageBench bench(kR32Uint);
  bench.environment.image.base = 0x1000;
  bench.place(0, 1, 1);
  auto result = bench.ask(SharedFunction::Dc1,
                           kTypedRead | kSimd8 | 0xE00 | kSurface | lengths(2, 1), 0, 8, 1);
  EXPECT(result.outcome == MessageOutcome::PageFault);
  EXPECT_EQ(result.fault.address, 0x1000 + kRowPitch + 4);
  result = bench.ask(SharedFunction::Dc1,
                      kTypedAtomic | kSimd8 | kAtomicAdd | kSurface | lengths(2, 0), 1, 8, 1);
  EXPECT(result.outcome == MessageOutcome::PageFault);
}

void the_sampler_filters_between_texels() {
  ImageBench bench(kR32Float);
  bench.environment.sampler_state.linear = true;
  write_memory<float>(*bench.memory, 0, 1.0F);
  write_memory<float>(*bench.memory, 4, 3.0F);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<float>(Bench::kAddresses, lane, 0.5F + static_cast<float>(lane) / 8);
    bench.put<float>(Bench::kAddresses + 1, lane, 0.5F);
  }
  const auto result = bench.ask(
      SharedFunction::Sampler, operation(kSampleLz) | kSamplerSimd8 | kSurface | lengths(2, 4), 0,
      8, 0xFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT(bench.get<float>(Bench::kResponse, lane) == 1.0F + static_cast<float>(lane) / 4);
    EXPECT(bench.get<float>(Bench::kResponse + 3, lane) == 1.0F);
  }
}

void gradients_leave_the_only_level() {
  ImageBench bench(kR32Float);
  write_memory<float>(*bench.memory, kRowPitch + 8, 7.0F);
  for (unsigned lane = 0; lane < 8; ++lane) {
    for (unsigned parameter = 0; parameter < 6; ++parameter) {
      bench.put<float>(Bench::kAddresses + parameter, lane, 100.0F);
    }
    bench.put<float>(Bench::kAddresses, lane, 2.5F);
    bench.put<float>(Bench::kAddresses + 3, lane, 1.5F);
  }
  const auto result = bench.ask(SharedFunction::Sampler,
                                operation(kSampleD) | kSamplerSimd8 | lengths(6, 4), 0, 8, 0xFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT(bench.get<float>(Bench::kResponse, 5) == 7.0F);
}

struct Refused {
  SharedFunction function;
  std::uint32_t descriptor;
  const char* reason;
};

void what_is_not_implemented_is_refused_by_name() {
  const Refused refused[] = {
      {SharedFunction::Sampler, operation(kGather4) | kSamplerSimd8 | lengths(2, 4), "gather4"},
      {SharedFunction::Sampler, operation(kLd2dms) | kSamplerSimd8 | lengths(4, 4), "ld2dms"},
      {SharedFunction::Sampler, operation(kReserved) | kSamplerSimd8 | lengths(2, 4),
       "not implemented"},
      {SharedFunction::Sampler,
       operation(kSampleLz) | kSamplerSimd8 | kShortParameters | lengths(2, 4), "SIMD mode"},
      {SharedFunction::Sampler, operation(kSampleLz) | kSamplerSimd8 | kHeader | lengths(3, 4),
       "texel offsets"},
      {SharedFunction::Dc1, kTypedRead | 2 << 12 | lengths(2, 4), "lanes other than"},
      {SharedFunction::Dc1, kTypedRead | kSimd8 | lengths(2, 1), "shorter than its data"},
      {SharedFunction::Dc1, kTypedRead | kSimd8 | lengths(6, 4), "not coordinates and data"},
  };
  for (const Refused& each : refused) {
    ImageBench bench(kR32Float);
    bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x123);  // a header's texel offsets
    const auto result = bench.ask(each.function, each.descriptor, 0, 8, 0xFF);
    EXPECT(result.outcome == MessageOutcome::Unsupported);
    if (result.report.find(each.reason) == std::string::npos) {
      std::fprintf(stderr, "expected %s, got %s\n", each.reason, result.report.c_str());
      ++failures;
    }
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0xEEEEEEEEu);
  }
}

void states_that_are_none_are_reported_as_they_say() {
  ImageBench bench(kR32Float);
  bench.environment.sampler_state.unsupported = "the sampler state's filter is neither";
  auto result = bench.ask(SharedFunction::Sampler,
                           operation(kSampleLz) | kSamplerSimd8 | lengths(2, 4), 0, 8, 1);
  EXPECT(result.report.find("filter is neither") != std::string::npos);
  bench.environment.image.unsupported = "the surface state is the null surface";
  result = bench.ask(SharedFunction::Sampler, operation(kLd) | kSamplerSimd8 | lengths(4, 4), 0, 8,
                      1);
  EXPECT(result.outcome == MessageOutcome::Unsupported);
  EXPECT(result.report.find("null surface") != std::string::npos);
}

}  // namespace

int main() {
  return run_tests({
      {"texels", texels_are_written_and_read_and_nothing_beyond_the_image},
      {"data_port_atomics", atomics_of_the_data_port_add_one_lane_after_the_other},
      {"load_store_atomics", atomics_of_the_load_store_cache_take_sixteen_lanes},
      {"atomic_formats", atomics_need_texels_of_one_32_bit_value},
      {"faults", memory_that_is_gone_is_a_page_fault_with_its_address},
      {"filter", the_sampler_filters_between_texels},
      {"gradients", gradients_leave_the_only_level},
      {"refused", what_is_not_implemented_is_refused_by_name},
      {"states", states_that_are_none_are_reported_as_they_say},
  });
}
