// Memory that messages access: faults before any effect, windows that touch, bounds, observers.
#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr std::uint32_t kLoad64 = 0x04180580;      // load.ugm.d32.a64, SIMD8
constexpr std::uint32_t kStore64 = 0x040E0584;     // store.ugm.d32.a64
constexpr std::uint32_t kLoadSlm = 0x02180500;     // load.slm.d32.a32
constexpr std::uint32_t kStoreSlm = 0x020E0504;    // store.slm.d32.a32
constexpr std::uint32_t kLoadBlock = 0x0218C580;   // load.ugm.d32x8t.a64
constexpr std::uint32_t kStoreBlock = 0x020EC584;  // store.ugm.d32x8t.a64
constexpr std::uint32_t kAtomicAdd = 0x0410058C;   // atomic_iadd.ugm.d32.a64 with return

void a_faulting_store_writes_nothing_at_all() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 12 * lane + 2);
    bench.put<std::uint32_t>(Bench::kData, lane, 0x55);
  }
  bench.observed = true;
  const auto result = bench.send(SharedFunction::Ugm, kStore64, 1, 8, 0xFF);
  EXPECT(result.outcome == MessageOutcome::PageFault);
  EXPECT(result.fault.present && result.fault.access == FaultAccess::Write);
  EXPECT_EQ(result.fault.lane, 5);
  EXPECT_EQ(result.fault.address, kBase + 64);  // lane 5 begins at byte 62
  EXPECT(std::memcmp(memory.data(), std::vector<std::byte>(64).data(), 64) == 0);
  EXPECT(bench.observer.accesses.empty());
}

void a_faulting_load_writes_no_register() {
  Bench bench;
  bench.environment.allocate(kBase, 64);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, lane == 7 ? 0x10 : kBase);
  }
  const auto result = bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 0xFF);
  EXPECT(result.outcome == MessageOutcome::PageFault);
  EXPECT(result.fault.access == FaultAccess::Read);
  EXPECT(result.fault.reason == FaultReason::NotMapped);
  EXPECT_EQ(result.fault.lane, 7);
  EXPECT_EQ(result.fault.address, 0x10);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0xEEEEEEEEu);
}

void disabled_lanes_do_not_fault() {
  Bench bench;
  bench.environment.allocate(kBase, 64);
  bench.put<std::uint64_t>(Bench::kAddresses, 2, kBase);  // the others are 0xEE...
  EXPECT(bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 0b100).outcome == MessageOutcome::Done);
  EXPECT(bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 0).outcome == MessageOutcome::Done);
}

void read_only_memory_faults_on_writes_and_atomics_only() {
  Bench bench;
  bench.environment.allocate(kBase, 64, /*writable=*/false);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 8);
  EXPECT(bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 1).outcome == MessageOutcome::Done);
  const auto atomic = bench.send(SharedFunction::Ugm, kAtomicAdd, 1, 8, 1);
  EXPECT(atomic.outcome == MessageOutcome::PageFault);
  EXPECT(atomic.fault.access == FaultAccess::Atomic);
  EXPECT(atomic.fault.reason == FaultReason::ReadOnly);
  const auto store = bench.send(SharedFunction::Ugm, kStore64, 1, 8, 1);
  EXPECT(store.outcome == MessageOutcome::PageFault);
  EXPECT_EQ(store.fault.address, kBase + 8);
}

// Whatever an offset is relative to. Beyond a surface nothing faults: that is out of bounds.
void a_fault_has_the_global_address_for_every_kind_of_offset() {
  constexpr std::uint32_t kOffset = 0x2000;
  constexpr std::uint32_t kBindless = 1u << 29, kScratchSurface = 2u << 29, kBindingTable = 3u << 29;
  constexpr std::uint32_t kLoad32 = 0x02180500;     // load.ugm.d32.a32, SIMD8
  constexpr std::uint32_t kStore32 = 0x020E0504;    // store.ugm.d32.a32
  constexpr std::uint32_t kAtomic32 = 0x0210050C;   // atomic_iadd.ugm.d32.a32 with return
  constexpr std::uint32_t kUntypedRead = 0x02106E00;  // HDC, SIMD8; its last byte is the surface
  struct Message {
    SharedFunction function;
    std::uint32_t descriptor;
    unsigned data_registers;
    FaultAccess access;
  };
  constexpr Message kMessages[] = {
      {SharedFunction::Ugm, kLoad32, 0, FaultAccess::Read},
      {SharedFunction::Ugm, kLoad32 | kBindless, 0, FaultAccess::Read},
      {SharedFunction::Ugm, kLoad32 | kScratchSurface, 0, FaultAccess::Read},
      {SharedFunction::Ugm, kLoad32 | kBindingTable, 0, FaultAccess::Read},
      {SharedFunction::Ugm, kStore32 | kBindless, 1, FaultAccess::Write},
      {SharedFunction::Ugm, kStore32 | kBindingTable, 1, FaultAccess::Write},
      {SharedFunction::Ugm, kAtomic32 | kBindless, 1, FaultAccess::Atomic},
      {SharedFunction::Ugm, kAtomic32 | kBindingTable, 1, FaultAccess::Atomic},
      {SharedFunction::Dc1, kUntypedRead | 5, 0, FaultAccess::Read},      // binding table
      {SharedFunction::Dc1, kUntypedRead | 0xFC, 0, FaultAccess::Read},   // bindless
      {SharedFunction::Dc1, kUntypedRead | 0xFD, 0, FaultAccess::Read},   // stateless
  };
  for (const Message& message : kMessages) {
    Bench bench;
    bench.environment.allocate(kBase, 64);
    bench.environment.state_base = kBase;
    const BufferSurface surface{.valid = true, .scratch = false, .base = kBase, .size = 0x10000};
    bench.environment.bindless = surface;
    bench.environment.binding_table = surface;
    for (unsigned lane = 0; lane < 8; ++lane) {
      bench.put<std::uint32_t>(Bench::kAddresses, lane, lane == 3 ? kOffset : 4 * lane);
    }
    const auto result =
        bench.send(message.function, message.descriptor, message.data_registers, 8, 0xFF);
    EXPECT(result.outcome == MessageOutcome::PageFault);
    EXPECT_EQ(result.fault.address, kBase + kOffset);
    EXPECT(result.fault.access == message.access);
    EXPECT(result.fault.reason == FaultReason::NotMapped);
    EXPECT(result.fault.space == MemorySpace::Global);
    EXPECT_EQ(result.fault.lane, 3);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0xEEEEEEEEu);
  }
}

void an_access_may_straddle_two_windows() {
  Bench bench;
  auto& lower = bench.environment.allocate(kBase, 6).bytes;
  auto& upper = bench.environment.allocate(kBase + 6, 100).bytes;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 4);
  bench.put<std::uint32_t>(Bench::kData, 0, 0x44332211);
  EXPECT(bench.send(SharedFunction::Ugm, kStore64, 1, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint16_t>(lower, 4), 0x2211);
  EXPECT_EQ(read_memory<std::uint16_t>(upper, 0), 0x4433);

  bench.instruction.destination = Bench::grf(Bench::kResponse);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 4);
  EXPECT(bench.send(SharedFunction::Ugm, kLoadBlock, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x44332211);
}

void a_block_that_leaves_memory_faults_at_the_first_missing_byte() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 22).bytes;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 4);
  const auto result = bench.send(SharedFunction::Ugm, kStoreBlock, 1, 1, 1);
  EXPECT(result.outcome == MessageOutcome::PageFault);
  EXPECT_EQ(result.fault.address, kBase + 22);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 4), 0);
}

void shared_local_memory_drops_what_is_beyond_it() {
  Bench bench;
  bench.environment.slm.assign(32, std::byte{0x77});
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 28);
  bench.put<std::uint32_t>(Bench::kAddresses, 1, 32);
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 30);  // half of it
  EXPECT(bench.send(SharedFunction::Slm, kLoadSlm, 0, 8, 0b111).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x77777777u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), 0);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 2), 0);
  for (unsigned lane = 0; lane < 3; ++lane) {
    bench.put<std::uint32_t>(Bench::kData, lane, 0x11111111u * (lane + 1));
  }
  EXPECT(bench.send(SharedFunction::Slm, kStoreSlm, 1, 8, 0b111).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 28), 0x11111111u);
}

void shared_local_memory_ignores_the_bit_that_makes_pointers_valid() {
  Bench bench;
  write_memory<std::uint32_t>(bench.environment.slm, 64, 0x1234);
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 0x10000040);
  bench.observed = true;
  EXPECT(bench.send(SharedFunction::Slm, kLoadSlm, 0, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x1234);
  EXPECT_EQ(bench.observer.accesses.at(0).address, 64);
  EXPECT(bench.send(SharedFunction::Dc1, 0x02106EFE, 0, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x1234);
}

void the_last_lane_wins_where_stores_collide() {
  Bench bench;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 16);
    bench.put<std::uint32_t>(Bench::kData, lane, lane);
  }
  EXPECT(bench.send(SharedFunction::Slm, kStoreSlm, 1, 8, 0x7F).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 16), 6);
}

void a_response_may_overwrite_the_addresses() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 4 * lane);
    write_memory<std::uint32_t>(memory, 4 * lane, 0x100 + lane);
  }
  bench.instruction.destination = Bench::grf(Bench::kAddresses);
  EXPECT(bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 0xFF).outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kAddresses, lane), 0x100 + lane);
  }
}

void many_allocations_are_all_found() {
  Bench bench;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::uint64_t base = kBase + 0x10000 * lane;
    write_memory<std::uint32_t>(bench.environment.allocate(base, 16).bytes, 8, 0x700 + lane);
    bench.put<std::uint64_t>(Bench::kAddresses, lane, base + 8);
  }
  EXPECT(bench.send(SharedFunction::Ugm, kLoad64, 0, 8, 0xFF).outcome == MessageOutcome::Done);
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane), 0x700 + lane);
  }
}

void observers_see_each_lane_before_it_is_written() {
  class Before final : public Observer {
   public:
    explicit Before(const std::vector<std::byte>& memory) : memory_(memory) {}
    void memory(const ThreadState&, const MemoryAccess& access) override {
      EXPECT(access.kind == AccessKind::Write && access.space == MemorySpace::Global);
      EXPECT_EQ(access.size, 4);
      EXPECT_EQ(access.address, kBase + 4 * access.lane);
      EXPECT_EQ(read_memory<std::uint32_t>(memory_, 4 * access.lane), 0);
      lanes |= 1u << access.lane;
    }
    std::uint32_t lanes = 0;

   private:
    const std::vector<std::byte>& memory_;
  };
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 4 * lane);
    bench.put<std::uint32_t>(Bench::kData, lane, 1);
  }
  Before observer(memory);
  bench.send(SharedFunction::Ugm, kStore64, 1, 8, 0);  // sets the instruction up
  execute_send(Platform::XeHpg, bench.thread, bench.instruction, 0b1101, bench.environment,
               bench.windows, &observer);
  EXPECT_EQ(observer.lanes, 0b1101);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 12), 1);
}

void a_prefetch_never_faults() {
  Bench bench;
  bench.instruction.destination = Operand{};
  EXPECT(bench.send(SharedFunction::Ugm, 0x04080580, 0, 8, 0xFF).outcome == MessageOutcome::Done);
}

}  // namespace

int main() {
  return run_tests({
      {"faulting_store", a_faulting_store_writes_nothing_at_all},
      {"faulting_load", a_faulting_load_writes_no_register},
      {"disabled_lanes", disabled_lanes_do_not_fault},
      {"read_only", read_only_memory_faults_on_writes_and_atomics_only},
      {"every_offset", a_fault_has_the_global_address_for_every_kind_of_offset},
      {"straddle", an_access_may_straddle_two_windows},
      {"block_fault", a_block_that_leaves_memory_faults_at_the_first_missing_byte},
      {"slm_bounds", shared_local_memory_drops_what_is_beyond_it},
      {"slm_tag", shared_local_memory_ignores_the_bit_that_makes_pointers_valid},
      {"last_lane", the_last_lane_wins_where_stores_collide},
      {"overwrite_addresses", a_response_may_overwrite_the_addresses},
      {"many_allocations", many_allocations_are_all_found},
      {"observers", observers_see_each_lane_before_it_is_written},
      {"prefetch", a_prefetch_never_faults},
  });
}
