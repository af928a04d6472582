// Barriers and the end of threads.
#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

void a_barrier_counts_the_thread_in_and_marks_it_as_waiting() {
  Bench bench;
  bench.observed = true;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x05040000);
  EXPECT(bench.send(SharedFunction::Gateway, 0x02000004, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.thread.barrier_pending, 1);
  EXPECT_EQ(bench.environment.barriers, 1);
  EXPECT_EQ(bench.environment.barrier_id, 0);
  EXPECT_EQ(bench.environment.barrier_producers, 4);
  EXPECT_EQ(bench.environment.barrier_consumers, 5);
  EXPECT_EQ(bench.observer.barriers.size(), 1);
}

void a_named_barrier_has_its_own_bit() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x02020003);
  EXPECT(bench.send(SharedFunction::Gateway, 0x02000004, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.thread.barrier_pending, 1u << 3);
  EXPECT_EQ(bench.environment.barrier_id, 3);
}

void a_producer_signals_and_does_not_wait() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x02014003);
  EXPECT(bench.send(SharedFunction::Gateway, 0x02000004, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.thread.barrier_pending, 0);
  EXPECT(bench.environment.barrier_role == BarrierRole::Producer);
  EXPECT_EQ(bench.environment.barrier_producers, 1);
  EXPECT_EQ(bench.environment.barrier_consumers, 2);
}

void a_consumer_waits() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x02018003);
  EXPECT(bench.send(SharedFunction::Gateway, 0x02000004, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.thread.barrier_pending, 1u << 3);
  EXPECT(bench.environment.barrier_role == BarrierRole::Consumer);
}

void a_reserved_role_is_reported() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x0202C003);
  const auto result = bench.send(SharedFunction::Gateway, 0x02000004, 0, 1, 1);
  EXPECT(result.outcome == MessageOutcome::Unsupported);
  EXPECT_EQ(bench.thread.barrier_pending, 0);
  EXPECT_EQ(bench.environment.barriers, 0);
}

void the_end_of_a_thread_is_its_own_outcome() {
  Bench bench;
  bench.instruction.send.end_of_thread = true;
  EXPECT(bench.send(SharedFunction::Gateway, 0x02000010, 0, 8, 0xFF).outcome ==
         MessageOutcome::EndOfThread);
}

void a_store_may_end_its_thread() {
  Bench bench;
  bench.instruction.send.end_of_thread = true;
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 0);
  bench.put<std::uint32_t>(Bench::kData, 0, 7);
  EXPECT(bench.send(SharedFunction::Slm, 0x020E0504, 1, 8, 1).outcome ==
         MessageOutcome::EndOfThread);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 0), 7);
}

}  // namespace

int main() {
  return run_tests({
      {"barrier", a_barrier_counts_the_thread_in_and_marks_it_as_waiting},
      {"named", a_named_barrier_has_its_own_bit},
      {"producer", a_producer_signals_and_does_not_wait},
      {"consumer", a_consumer_waits},
      {"reserved_role", a_reserved_role_is_reported},
      {"end_of_thread", the_end_of_a_thread_is_its_own_outcome},
      {"store_and_end", a_store_may_end_its_thread},
  });
}
