// Loads, stores and fences of the load/store cache: register layouts, sizes, surfaces.
#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;

// Fields of the descriptor, as in the compiler's own words.
constexpr std::uint32_t kA16 = 1u << 7, kA32 = 2u << 7, kA64 = 3u << 7;
constexpr std::uint32_t kD8 = 0u << 9, kD16 = 1u << 9, kD32 = 2u << 9, kD64 = 3u << 9;
constexpr std::uint32_t kD8u32 = 4u << 9, kD16u32 = 5u << 9, kD16u32h = 6u << 9;
constexpr std::uint32_t kLoad = 0, kLoadStrided = 1, kLoadQuad = 2;
constexpr std::uint32_t kStore = 4, kStoreStrided = 5, kStoreQuad = 6;
constexpr std::uint32_t kFence = 0x1F;
constexpr std::uint32_t kTransposed = 1u << 15;
constexpr std::uint32_t kBss = 1u << 29, kSs = 2u << 29, kBti = 3u << 29;
constexpr std::uint32_t vector(unsigned code) { return code << 12; }  // 1 x2, 2 x3, 3 x4, 4 x8 ...
constexpr std::uint32_t lengths(unsigned addresses, unsigned response) {
  return addresses << 25 | response << 20;
}

void fill_with_counting_bytes(std::vector<std::byte>& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * 7 + 1);
  }
}

void load_d32_scatters_to_lanes_and_leaves_disabled_lanes() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 256).bytes;
  fill_with_counting_bytes(memory);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 4 * (7 - lane) + 16);
  }
  const auto result = bench.send(SharedFunction::Ugm, kLoad | kA64 | kD32 | lengths(2, 1), 0, 8,
                                 0b1010'0101);
  EXPECT(result.outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    const bool enabled = 0b1010'0101 >> lane & 1;
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane),
              enabled ? read_memory<std::uint32_t>(memory, 4 * (7 - lane) + 16) : 0xEEEEEEEEu);
  }
  EXPECT_EQ(bench.environment.window_calls, 1);
}

void vector_components_are_one_block_of_registers_each() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 1024).bytes;
  fill_with_counting_bytes(memory);
  for (unsigned lane = 0; lane < 16; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 16 * lane);
  }
  const auto result = bench.send(
      SharedFunction::Ugm, kLoad | kA64 | kD32 | vector(3) | lengths(4, 8), 0, 16, 0xFFFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  for (unsigned component = 0; component < 4; ++component) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 2 * component, lane),
                read_memory<std::uint32_t>(memory, 16 * lane + 4 * component));
    }
  }
}

void store_d64_x2_mirrors_the_layout_of_loads() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 256).bytes;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 16 * lane);
    bench.put<std::uint64_t>(Bench::kData, lane, 0x1111'0000'0000'0000u + lane);
    bench.put<std::uint64_t>(Bench::kData + 2, lane, 0x2222'0000'0000'0000u + lane);
  }
  const auto result = bench.send(
      SharedFunction::Ugm, kStore | kA64 | kD64 | vector(1) | lengths(2, 0), 4, 8, 0xFF);
  EXPECT(result.outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(read_memory<std::uint64_t>(memory, 16 * lane), 0x1111'0000'0000'0000u + lane);
    EXPECT_EQ(read_memory<std::uint64_t>(memory, 16 * lane + 8), 0x2222'0000'0000'0000u + lane);
  }
}

void narrow_data_are_zero_extended_or_put_high() {
  struct Case {
    std::uint32_t size;
    std::uint32_t expected;
  };
  for (const Case& data : {Case{kD8u32, 0x0000'00C3}, Case{kD16u32, 0x0000'B2C3},
                           Case{kD16u32h, 0xB2C3'0000}}) {
    Bench bench;
    auto& memory = bench.environment.allocate(kBase, 64).bytes;
    write_memory<std::uint32_t>(memory, 8, 0xDDDD'B2C3);
    bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 8);
    auto result =
        bench.send(SharedFunction::Ugm, kLoad | kA64 | data.size | lengths(2, 1), 0, 8, 1);
    EXPECT(result.outcome == MessageOutcome::Done);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), data.expected);

    Bench writer;
    auto& target = writer.environment.allocate(kBase, 64).bytes;
    writer.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 8);
    writer.put<std::uint32_t>(Bench::kData, 0, data.expected);
    result = writer.send(SharedFunction::Ugm, kStore | kA64 | data.size | lengths(2, 0), 1, 8, 1);
    EXPECT(result.outcome == MessageOutcome::Done);
    EXPECT_EQ(read_memory<std::uint32_t>(target, 8), data.size == kD8u32 ? 0xC3 : 0xB2C3);
  }
}

void packed_bytes_and_words_take_their_own_size_in_registers() {
  Bench bench;
  write_memory<std::uint64_t>(bench.environment.slm, 0, 0x0807060504030201u);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 7 - lane);
  }
  EXPECT(bench.send(SharedFunction::Slm, kLoad | kA32 | kD8 | lengths(1, 1), 0, 8, 0xFF).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint64_t>(Bench::kResponse, 0), 0x0102030405060708u);

  Bench words;
  write_memory<std::uint64_t>(words.environment.slm, 0, 0x4444333322221111u);
  for (unsigned lane = 0; lane < 8; ++lane) {
    words.put<std::uint16_t>(Bench::kAddresses, lane, static_cast<std::uint16_t>(2 * (lane % 4)));
  }
  EXPECT(words.send(SharedFunction::Slm, kLoad | kA16 | kD16 | lengths(1, 1), 0, 8, 0xFF).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(words.get<std::uint64_t>(Bench::kResponse, 1), 0x4444333322221111u);
}

void transposed_data_follow_each_other_whatever_lane_is_enabled() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 1024).bytes;
  fill_with_counting_bytes(memory);
  bench.instruction.channel_offset = 16;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 12);
  auto result = bench.send(SharedFunction::Ugm,
                           kLoad | kA64 | kD32 | vector(5) | kTransposed | lengths(1, 2), 0, 1,
                           1u << 16);
  EXPECT(result.outcome == MessageOutcome::Done);
  EXPECT(std::memcmp(&bench.thread.grf[Bench::kResponse * kGrfBytes], memory.data() + 12, 64) == 0);

  Bench writer;
  auto& target = writer.environment.allocate(kBase, 1024).bytes;
  writer.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 8);
  for (unsigned element = 0; element < 32; ++element) {
    writer.put<std::uint64_t>(Bench::kData, element, 0x1000 + element);
  }
  result = writer.send(SharedFunction::Ugm,
                       kStore | kA64 | kD64 | vector(6) | kTransposed | lengths(1, 0), 8, 1, 1);
  EXPECT(result.outcome == MessageOutcome::Done);
  for (unsigned element = 0; element < 32; ++element) {
    EXPECT_EQ(read_memory<std::uint64_t>(target, 8 + 8 * element), 0x1000 + element);
  }
}

void quad_messages_transfer_only_enabled_components() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 256).bytes;
  fill_with_counting_bytes(memory);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 16 * lane);
  }
  EXPECT(bench.send(SharedFunction::Ugm, kLoadQuad | kA64 | kD32 | 0b1010u << 12 | lengths(2, 2),
                    0, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane),
              read_memory<std::uint32_t>(memory, 16 * lane + 4));
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 1, lane),
              read_memory<std::uint32_t>(memory, 16 * lane + 12));
  }
  bench.instruction.destination = Operand{};
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kData, lane, 0xAAAA0000 + lane);
  }
  const auto before = read_memory<std::uint32_t>(memory, 4);
  EXPECT(bench.send(SharedFunction::Ugm, kStoreQuad | kA64 | kD32 | 0b0100u << 12 | lengths(2, 0),
                    1, 8, 0x1)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 8), 0xAAAA0000u);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 4), before);
}

void strided_lanes_start_at_the_base_and_advance_by_the_pitch() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_bytes(memory);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 4);
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 20);
  EXPECT(bench.send(SharedFunction::Ugm, kLoadStrided | kA64 | kD32 | lengths(1, 2), 0, 16, 0xFFFF)
             .outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane),
              read_memory<std::uint32_t>(memory, 4 + 20 * lane));
  }
}

void strided_stores_start_at_the_base_and_advance_by_the_pitch() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 4);
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 12);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kData, lane, 0x50 + lane);
  }
  EXPECT(bench.send(SharedFunction::Ugm, kStoreStrided | kA64 | kD32 | lengths(1, 0), 1, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(read_memory<std::uint32_t>(memory, 4 + 12 * lane), 0x50 + lane);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, 8 + 12 * lane), 0);
  }
}

void shared_local_memory_has_quads_and_strides_too() {
  Bench bench;
  auto& slm = bench.environment.slm;
  fill_with_counting_bytes(slm);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 16 * lane);
    bench.put<std::uint32_t>(Bench::kData, lane, 0x60 + lane);
  }
  EXPECT(bench.send(SharedFunction::Slm, kLoadQuad | kA32 | kD32 | 0b1010u << 12 | lengths(1, 2),
                    0, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 5),
            read_memory<std::uint32_t>(slm, 16 * 5 + 4));
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 1, 5),
            read_memory<std::uint32_t>(slm, 16 * 5 + 12));
  EXPECT(bench.send(SharedFunction::Slm, kStoreQuad | kA32 | kD32 | 0b0100u << 12 | lengths(1, 0),
                    1, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(slm, 16 * 5 + 8), 0x65);
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 4);   // the base
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 20);  // the pitch
  bench.instruction.destination = Bench::grf(Bench::kResponse);
  EXPECT(bench.send(SharedFunction::Slm, kLoadStrided | kA32 | kD32 | lengths(1, 1), 0, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 6),
            read_memory<std::uint32_t>(slm, 4 + 20 * 6));
  EXPECT(bench.send(SharedFunction::Slm, kStoreStrided | kA32 | kD32 | lengths(1, 0), 1, 8, 0xFF)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(slm, 4 + 20 * 6), 0x66);
}

void a_single_lane_has_the_payload_of_eight() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase);
  bench.put<std::uint64_t>(Bench::kData, 0, 0x1111);
  bench.put<std::uint64_t>(Bench::kData + 2, 0, 0x2222);  // eight lanes of d64 are two registers
  EXPECT(bench.send(SharedFunction::Ugm, kStore | kA64 | kD64 | vector(1) | lengths(2, 0), 4, 1, 1)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint64_t>(memory, 0), 0x1111);
  EXPECT_EQ(read_memory<std::uint64_t>(memory, 8), 0x2222);
}

void payload_elements_count_from_the_channel_offset() {
  Bench bench;
  bench.instruction.channel_offset = 16;
  for (unsigned slot = 0; slot < 16; ++slot) {
    bench.put<std::uint32_t>(Bench::kAddresses, slot, 4 * slot);
    write_memory<std::uint32_t>(bench.environment.slm, 4 * slot, 0x500 + slot);
  }
  bench.observed = true;
  EXPECT(bench.send(SharedFunction::Slm, kLoad | kA32 | kD32 | lengths(2, 2), 0, 16, 0x8001'0000)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x500);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), 0xEEEEEEEEu);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 15), 0x50F);
  EXPECT_EQ(bench.observer.accesses.size(), 2);
  EXPECT_EQ(bench.observer.accesses.back().lane, 31);
}

void surfaces_add_their_base_and_end_at_their_size() {
  struct Case {
    std::uint32_t type;
    bool in_register;
  };
  for (const Case& surface : {Case{kBss, true}, Case{kSs, true}, Case{kBti, false}}) {
    Bench bench;
    auto& memory = bench.environment.allocate(kBase, 256).bytes;
    fill_with_counting_bytes(memory);
    const BufferSurface state{.valid = true, .scratch = false, .base = kBase + 64, .size = 30};
    bench.environment.bindless = state;
    bench.environment.binding_table = state;
    if (surface.in_register) {
      bench.instruction.send.extended_descriptor_in_register = true;
      bench.instruction.send.extended_bindless_offset = true;
      bench.instruction.send.extended_descriptor_subregister = 2;
      bench.thread.address[4] = 0x0440;  // a0.2:ud
      bench.thread.address[5] = 0x0012;
    } else {
      bench.instruction.send.extended_descriptor = 5u << 24;
    }
    for (unsigned lane = 0; lane < 8; ++lane) {
      bench.put<std::uint32_t>(Bench::kAddresses, lane, 4 * lane);
    }
    EXPECT(bench.send(SharedFunction::Ugm, kLoad | kA32 | kD32 | surface.type | lengths(1, 1), 0, 8,
                      0xFF)
               .outcome == MessageOutcome::Done);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 6),
              read_memory<std::uint32_t>(memory, 64 + 24));
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 7), 0);  // bytes 28..31 of 30
    if (surface.in_register) {
      EXPECT_EQ(bench.environment.asked_surface, 0x00120440u);
    } else {
      EXPECT_EQ(bench.environment.asked_index, 5);
    }
  }
}

// Hardware compares a 32-bit address with the bounds before it adds the immediate offset.
void immediate_offsets_do_not_wrap_negative_addresses_around() {
  constexpr std::uint32_t kEight = 8u << 12;
  constexpr std::uint32_t kNotNull = 1u << 28;  // which pointers to local memory have set
  for (const bool local : {false, true}) {
    Bench bench;
    bench.platform = Platform::Xe2;
    auto& memory = local ? bench.environment.slm : bench.environment.allocate(kBase, 256).bytes;
    fill_with_counting_bytes(memory);
    bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 256};
    bench.instruction.send.extended_descriptor = local ? kEight : kEight | 5u << 24;
    const std::uint32_t type = local ? 0 : kBti;
    const auto function = local ? SharedFunction::Slm : SharedFunction::Ugm;
    for (unsigned lane = 0; lane < 16; ++lane) {
      bench.put<std::uint32_t>(Bench::kAddresses, lane, 4 * lane - 8);
      bench.put<std::uint32_t>(Bench::kData, lane, 0x700 + lane);
    }
    if (local) bench.put<std::uint32_t>(Bench::kAddresses, 15, kNotNull | 52);
    const auto load = kLoad | kA32 | kD32 | type | lengths(1, 1);
    EXPECT(bench.send(function, load, 0, 16, 0xFFFF).outcome == MessageOutcome::Done);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), 0);
    for (unsigned lane = 2; lane < 16; ++lane) {
      EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane),
                read_memory<std::uint32_t>(memory, 4 * lane));
    }
    const auto first = read_memory<std::uint64_t>(memory, 0);
    const auto store = kStore | kA32 | kD32 | type | lengths(1, 0);
    EXPECT(bench.send(function, store, 1, 16, 0xFFFF).outcome == MessageOutcome::Done);
    EXPECT_EQ(read_memory<std::uint64_t>(memory, 0), first);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, 60), 0x70F);
  }
}

void scratch_surfaces_reach_the_scratch_space() {
  Bench bench;
  bench.environment.bindless = {.valid = true, .scratch = true, .base = 0, .size = 4096};
  bench.instruction.send.extended_descriptor_in_register = true;
  bench.instruction.send.extended_bindless_offset = true;
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 256);
  for (unsigned element = 0; element < 8; ++element) {
    bench.put<std::uint32_t>(Bench::kData, element, 0x900 + element);
  }
  EXPECT(bench.send(SharedFunction::Ugm,
                    kStore | kA32 | kD32 | kSs | vector(4) | kTransposed | lengths(1, 0), 1, 1, 1)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.scratch, 256 + 28), 0x907);
}

void a_surface_that_is_not_there_is_reported() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 0);
  bench.instruction.send.extended_descriptor = 9u << 24;
  const auto result =
      bench.send(SharedFunction::Ugm, kLoad | kA32 | kD32 | kBti | lengths(1, 1), 0, 8, 1);
  EXPECT(result.outcome == MessageOutcome::Unsupported);
  EXPECT(result.report.find("load.ugm.d32.a32.bti[9]") != std::string::npos);
  EXPECT(result.report.find("no surface state") != std::string::npos);
}

void fences_answer_in_their_response_register() {
  Bench bench;
  EXPECT(bench.send(SharedFunction::Slm, kFence | lengths(1, 1), 0, 1, 1).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint64_t>(Bench::kResponse, 3), 0);
  EXPECT_EQ(bench.get<std::uint64_t>(Bench::kResponse + 1, 0), 0xEEEEEEEEEEEEEEEEu);
}

void payloads_too_short_for_their_lanes_are_refused() {
  Bench bench;
  bench.environment.allocate(kBase, 64);
  EXPECT(bench.send(SharedFunction::Ugm, kLoad | kA64 | kD32 | lengths(1, 1), 0, 8, 1).outcome ==
         MessageOutcome::Unsupported);
  Bench response;
  response.environment.allocate(kBase, 64);
  response.put<std::uint64_t>(Bench::kAddresses, 0, kBase);
  EXPECT(response.send(SharedFunction::Ugm, kLoad | kA64 | kD64 | lengths(2, 1), 0, 8, 1).outcome ==
         MessageOutcome::Unsupported);
  Bench beyond;
  beyond.instruction.destination = Bench::grf(255);
  EXPECT(beyond.send(SharedFunction::Slm, kLoad | kA32 | kD64 | lengths(1, 2), 0, 8, 1).outcome ==
         MessageOutcome::Unsupported);
}

}  // namespace

int main() {
  return run_tests({
      {"load_d32", load_d32_scatters_to_lanes_and_leaves_disabled_lanes},
      {"vector_blocks", vector_components_are_one_block_of_registers_each},
      {"store_d64_x2", store_d64_x2_mirrors_the_layout_of_loads},
      {"narrow", narrow_data_are_zero_extended_or_put_high},
      {"packed", packed_bytes_and_words_take_their_own_size_in_registers},
      {"transposed", transposed_data_follow_each_other_whatever_lane_is_enabled},
      {"quad", quad_messages_transfer_only_enabled_components},
      {"strided_stores", strided_stores_start_at_the_base_and_advance_by_the_pitch},
      {"slm_shapes", shared_local_memory_has_quads_and_strides_too},
      {"strided", strided_lanes_start_at_the_base_and_advance_by_the_pitch},
      {"single_lane", a_single_lane_has_the_payload_of_eight},
      {"channel_offset", payload_elements_count_from_the_channel_offset},
      {"surfaces", surfaces_add_their_base_and_end_at_their_size},
      {"immediate_wrap", immediate_offsets_do_not_wrap_negative_addresses_around},
      {"scratch", scratch_surfaces_reach_the_scratch_space},
      {"no_surface", a_surface_that_is_not_there_is_reported},
      {"fence", fences_answer_in_their_response_register},
      {"short_payload", payloads_too_short_for_their_lanes_are_refused},
  });
}
