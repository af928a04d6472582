// Server and session together: registers and memory of a device that a script drives.
#include <algorithm>
#include <array>
#include <vector>

#include "debug/register_sets.hpp"
#include "support/debuggee.hpp"

namespace xesim::debug::tests {

namespace {

constexpr auto kGrf = static_cast<std::uint32_t>(RegisterType::Grf);
constexpr auto kControl = static_cast<std::uint32_t>(RegisterType::Control);
constexpr auto kChannelEnable = static_cast<std::uint32_t>(RegisterType::ChannelEnable);
constexpr auto kStateBase = static_cast<std::uint32_t>(RegisterType::StateBaseAddress);

void registers_are_those_of_the_stop_and_writes_are_seen() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 700);
  const ze_device_thread_t thread = thread_at(700);
  std::array<std::uint32_t, 8> header{};
  CHECK(session->read_registers(thread, kGrf, 0, 1, header.data()) == ZE_RESULT_SUCCESS);
  CHECK(header[1] == 700);
  std::uint32_t mask = 0;
  CHECK(session->read_registers(thread, kChannelEnable, 0, 1, &mask) == ZE_RESULT_SUCCESS);
  CHECK(mask == 0xFFFF);
  std::array<std::uint64_t, 9> bases{};
  CHECK(session->read_registers(thread, kStateBase, 0, 9, bases.data()) == ZE_RESULT_SUCCESS);
  CHECK(bases[4] == debuggee.device.memory().instruction_base());
  std::uint64_t isa_base = 0;
  CHECK(session->read_registers(thread, kStateBase, 4, 1, &isa_base) == ZE_RESULT_SUCCESS);
  CHECK(isa_base == bases[4]);

  header.fill(7);
  CHECK(session->write_registers(thread, kGrf, 127, 1, header.data()) == ZE_RESULT_SUCCESS);
  std::array<std::uint32_t, 16> two{};
  CHECK(session->read_registers(thread, kGrf, 126, 2, two.data()) == ZE_RESULT_SUCCESS);
  CHECK(two[0] == 0 && two[8] == 7 && two[15] == 7);
  header.fill(9);
  CHECK(session->write_registers(thread, kGrf, 126, 1, header.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_registers(thread, kGrf, 126, 2, two.data()) == ZE_RESULT_SUCCESS);
  CHECK(two[0] == 9 && two[8] == 7);

  // Moving the instruction pointer moves the lanes that are enabled, and no other.
  {
    const auto pause = debuggee.device.pause();
    debuggee.device.find_thread(device::thread_id(topology(), 700))->state.channel_ip[3] = 0x900;
  }
  std::array<std::uint32_t, 4> control{};
  CHECK(session->read_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  control[2] = 0x800;
  CHECK(session->write_registers(thread, kControl, 0, 1, control.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_registers(thread, kChannelEnable, 0, 1, &mask) == ZE_RESULT_SUCCESS);
  CHECK(mask == 0xFFF7);
  const auto moved = scripted::look(debuggee.device, 700);
  CHECK(moved.state.ip == 0x800);
  CHECK(moved.state.channel_ip[0] == 0x800 && moved.state.channel_ip[3] == 0x900);
}

// Who reads one thread after the other gets the next ones in the same round trip, as they are.
void threads_are_read_in_a_row() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  for (const std::uint32_t ordinal : {3u, 4u, 5u, 6u, 8u}) {
    stop_and_report(debuggee, *session, ordinal);
  }
  const auto set = [&debuggee](std::uint32_t ordinal, std::uint32_t value) {
    const auto pause = debuggee.device.pause();
    debuggee.device.find_thread(device::thread_id(topology(), ordinal))->state.grf[32] =
        static_cast<std::byte>(value);
  };
  const auto get = [&session](std::uint32_t ordinal) {
    std::array<std::uint8_t, 32> second{};
    CHECK(session->read_registers(thread_at(ordinal), kGrf, 1, 1, second.data()) ==
          ZE_RESULT_SUCCESS);
    return second[0];
  };
  for (const std::uint32_t ordinal : {3u, 4u, 5u, 6u, 8u}) set(ordinal, ordinal + 20);
  CHECK(get(3) == 23 && get(4) == 24);
  set(5, 1);  // what no debugger sees: it has been read
  CHECK(get(5) == 25 && get(6) == 26);
  set(8, 2);  // not read yet: thread 7 runs
  CHECK(get(8) == 2);
  std::array<std::uint8_t, 32> written{9};
  CHECK(session->write_registers(thread_at(5), kGrf, 1, 1, written.data()) == ZE_RESULT_SUCCESS);
  CHECK(get(5) == 9 && get(6) == 26);
}

void register_arguments_are_checked() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 1);
  const ze_device_thread_t thread = thread_at(1);
  std::vector<std::byte> buffer(256 * 32);
  const auto read = [&](std::uint32_t type, std::uint32_t start, std::uint32_t count) {
    return session->read_registers(thread, type, start, count, buffer.data());
  };
  CHECK(read(kGrf, 0, 256) == ZE_RESULT_SUCCESS);  // also of a thread with 128
  CHECK(read(kGrf, 128, 128) == ZE_RESULT_SUCCESS);
  CHECK(read(kGrf, 255, 0) == ZE_RESULT_SUCCESS);
  CHECK(read(kGrf, 256, 0) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(kGrf, 0, 257) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(kGrf, 2, UINT32_MAX) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(0, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(read(7, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);   // TDR: not on this platform
  CHECK(read(999, 0, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  for (const std::uint32_t read_only : {kChannelEnable, kStateBase}) {
    CHECK(session->write_registers(thread, read_only, 0, 1, buffer.data()) ==
          ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  CHECK(session->read_registers(kAllThreads, kGrf, 0, 1, buffer.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_registers({8, 0, 0, 0}, kGrf, 0, 1, buffer.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void register_sets_are_those_of_the_platform() {
  struct Expected {
    std::uint32_t type, count, bytes;
    bool writeable;
  };
  constexpr std::array<Expected, 10> kExpected{{{1, 128, 32, true}, {2, 1, 32, true},
      {3, 2, 4, true}, {4, 1, 4, false}, {5, 1, 16, true}, {6, 1, 16, true}, {8, 4, 32, true},
      {9, 8, 32, true}, {11, 9, 8, false}, {12, 1, 8, true}}};
  CHECK(register_set_properties(topology(), nullptr, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  std::uint32_t count = 0;
  CHECK(register_set_properties(topology(), &count, nullptr) == ZE_RESULT_SUCCESS);
  CHECK(count == kExpected.size());
  std::vector<zet_debug_regset_properties_t> sets(count + 3);
  count = static_cast<std::uint32_t>(sets.size());
  CHECK(register_set_properties(topology(), &count, sets.data()) == ZE_RESULT_SUCCESS);
  CHECK(count == kExpected.size());
  for (std::size_t index = 0; index < kExpected.size(); ++index) {
    CHECK(sets[index].stype == ZET_STRUCTURE_TYPE_DEBUG_REGSET_PROPERTIES);
    CHECK(sets[index].type == kExpected[index].type);
    CHECK(sets[index].count == kExpected[index].count);
    CHECK(sets[index].byteSize == kExpected[index].bytes);
    CHECK(sets[index].bitSize == kExpected[index].bytes * 8);
    CHECK(sets[index].generalFlags == (kExpected[index].writeable ? 3u : 1u));
  }
  count = 2;
  CHECK(register_set_properties(topology(), &count, sets.data()) == ZE_RESULT_SUCCESS);
  CHECK(count == 2);

  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 0);
  std::array<std::uint32_t, 4> control{};
  CHECK(session->read_registers(thread_at(0), kControl, 0, 1, control.data()) ==
        ZE_RESULT_SUCCESS);
  const auto grf_count = [&] {
    std::uint32_t one = 1;
    CHECK(session->thread_register_set_properties(thread_at(0), &one, sets.data()) ==
          ZE_RESULT_SUCCESS);
    return sets[0].count;
  };
  CHECK(grf_count() == 128);
  control[0] |= eu::cr0::kLargeGrf;
  CHECK(session->write_registers(thread_at(0), kControl, 0, 1, control.data()) ==
        ZE_RESULT_SUCCESS);
  CHECK(grf_count() == 256);
  CHECK(session->thread_register_set_properties(thread_at(1), &count, sets.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
}

void memory_spaces_keep_their_rules() {
  Debuggee debuggee;
  auto session = debuggee.attach();
  stop_and_report(debuggee, *session, 2);
  const ze_device_thread_t thread = thread_at(2);
  auto& memory = debuggee.device.memory();
  const auto data = memory.allocate(device::AllocationKind::Device, 5 << 20, 0, nullptr);
  const auto code = memory.allocate(device::AllocationKind::Code, 4096, 0, nullptr);
  CHECK(data && code);

  // Larger than one message, unaligned.
  std::vector<std::byte> written((3 << 20) + 7);
  for (std::size_t index = 0; index < written.size(); ++index) {
    written[index] = static_cast<std::byte>(index * 7 + index / 4096);
  }
  auto where = space(data->address + 3);
  CHECK(session->write_memory(kAllThreads, &where, written.size(), written.data()) ==
        ZE_RESULT_SUCCESS);
  std::vector<std::byte> read(written.size());
  CHECK(session->read_memory(thread, &where, read.size(), read.data()) == ZE_RESULT_SUCCESS);
  CHECK(read == written);
  CHECK(session->read_memory(thread, &where, 0, nullptr) == ZE_RESULT_SUCCESS);

  // All or nothing, also for a transfer whose end alone is not mapped.
  const std::vector<std::byte> before(8);
  std::vector<std::byte> longer(data->mapped + (2 << 20), std::byte{0xEE});
  where = space(data->address);
  const auto refused = session->write_memory(kAllThreads, &where, longer.size(), longer.data());
  CHECK(refused != ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(read[0] != std::byte{0xEE});

  where = space(code->address);
  CHECK(session->write_memory(kAllThreads, &where, 16, written.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(kAllThreads, &where, code->mapped, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(std::equal(read.begin(), read.begin() + 16, written.begin()));
  CHECK(session->read_memory(kAllThreads, &where, code->mapped + 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  where = space(0x10);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_memory(thread, &where, 1, read.data()) == ZE_RESULT_ERROR_UNKNOWN);
  where = space(1ull << 60);
  CHECK(session->read_memory(kAllThreads, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where = space(data->address);
  CHECK(session->read_memory(thread_at(3), &where, 1, read.data()) ==
        ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK(session->read_memory({0, UINT32_MAX, 0, 0}, &where, 1, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  constexpr std::uint64_t kTag = 1ull << 28;
  where = space(kTag | 13, ZET_DEBUG_MEMORY_SPACE_TYPE_SLM);
  CHECK(session->write_memory(thread, &where, 7, written.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(thread, &where, 7, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(std::equal(read.begin(), read.begin() + 7, written.begin()));
  CHECK(session->read_memory(kAllThreads, &where, 7, read.data()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where.address = 13;
  CHECK(session->read_memory(thread, &where, 7, read.data()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  where.address = kTag | 1020;
  CHECK(session->read_memory(thread, &where, 4, read.data()) == ZE_RESULT_SUCCESS);
  CHECK(session->read_memory(thread, &where, 5, read.data()) == ZE_RESULT_ERROR_NOT_AVAILABLE);
  where = space(data->address, 2);  // the ELF is read through the default space
  CHECK(session->read_memory(thread, &where, 1, read.data()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

const std::vector<Case> kCases{
#define CASE(function) {#function, function}
    CASE(registers_are_those_of_the_stop_and_writes_are_seen),
    CASE(threads_are_read_in_a_row),
    CASE(register_arguments_are_checked),
    CASE(register_sets_are_those_of_the_platform),
    CASE(memory_spaces_keep_their_rules),
#undef CASE
};

}  // namespace

}  // namespace xesim::debug::tests

int main(int count, char** arguments) {
  return xesim::debug::tests::run_cases(xesim::debug::tests::kCases, count, arguments);
}
