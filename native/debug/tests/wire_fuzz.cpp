// Random and damaged bytes against both ends: a connection may end, nothing else may happen.
//   wire_fuzz [SEED [ROUNDS]]
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <memory>
#include <random>

#include "debug/channel.hpp"
#include "debug/endpoint.hpp"
#include "debug/session_state.hpp"
#include "support/debuggee.hpp"

namespace xesim::debug::tests {

namespace {

using Random = std::mt19937_64;
using Bytes = std::vector<std::byte>;

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

// Values at the edges of what is allowed turn up more often than chance would have it.
std::uint64_t interesting(Random& random) {
  constexpr std::array<std::uint64_t, 12> kEdges{
      0, 1, 2, 6, 255, 256, 4095, 4096, 1u << 20, 0xFFFFFFFF, 1ull << 63, ~0ull};
  return below(random, 3) == 0 ? random() : kEdges[below(random, kEdges.size())];
}

std::uint32_t interesting32(Random& random) {
  return static_cast<std::uint32_t>(interesting(random));
}

Bytes noise(Random& random, std::size_t size) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<std::uint32_t> ordinals(Random& random) {
  std::vector<std::uint32_t> threads(below(random, 5));
  for (std::uint32_t& thread : threads) thread = interesting32(random) % 5000;
  return threads;
}

// A well-formed request with arbitrary fields.
Bytes request(Random& random, std::uint64_t module_address) {
  const std::uint32_t sequence = interesting32(random);
  const std::uint64_t address = below(random, 2) == 0 ? module_address : interesting(random);
  const auto small = static_cast<std::uint32_t>(below(random, 300));
  switch (below(random, 10)) {
    case 0:
      return wire::encode(wire::ReadMemory{interesting32(random), interesting32(random) % 4,
                                           address, interesting(random), interesting32(random)},
                          sequence);
    case 1:
      return wire::encode(wire::ReadMemory{wire::kNoThread, 0, address, small, small}, sequence);
    case 2:
      return wire::encode(wire::WriteMemory{interesting32(random), interesting32(random) % 4,
                                            interesting(random) | 1, interesting(random),
                                            noise(random, small)},
                          sequence);
    case 3:
      return wire::encode(wire::ReadRegisters{static_cast<std::uint32_t>(below(random, 10)),
                                              static_cast<std::uint32_t>(below(random, 14)),
                                              interesting32(random), interesting32(random),
                                              static_cast<std::uint32_t>(below(random, 34))},
                          sequence);
    case 4:
      return wire::encode(wire::WriteRegisters{static_cast<std::uint32_t>(below(random, 10)),
                                               static_cast<std::uint32_t>(below(random, 14)),
                                               small, small, noise(random, small * 32)},
                          sequence);
    case 5:
      return wire::encode(wire::Interrupt{{interesting32(random), interesting32(random),
                                           interesting32(random), interesting32(random)}},
                          sequence);
    case 6:
      return wire::encode(wire::Resume{ordinals(random)}, sequence);
    case 7:
      return wire::encode(wire::ReadExceptionReason{interesting32(random)}, sequence);
    case 8:
      return wire::encode(wire::Attend{interesting32(random)}, sequence);
    default:
      return wire::encode(wire::Acknowledge{interesting(random) % 4}, sequence);
  }
}

Bytes damaged(Random& random, Bytes bytes) {
  switch (below(random, 4)) {
    case 0:
      bytes[below(random, bytes.size())] = static_cast<std::byte>(random());
      break;
    case 1:
      bytes.resize(below(random, bytes.size()) + 1);
      break;
    case 2: {
      const Bytes more = noise(random, below(random, 64));
      bytes.insert(bytes.end(), more.begin(), more.end());
      break;
    }
    default:
      bytes = noise(random, below(random, 4000) + 1);
  }
  return bytes;
}

// What attackers have learnt.
struct Loot {
  std::uint64_t answers = 0;        // messages that the server sent
  std::uint64_t image_address = 0;  // of a module
};

// Takes in what has come, waiting a moment for it; false when the server has hung up.
bool take_in(Channel& channel, Loot& loot) {
  pollfd wait{channel.descriptor(), POLLIN, 0};
  if (::poll(&wait, 1, 100) <= 0) return true;  // not everything is answered
  const bool open = channel.receive() == Channel::Status::Open;
  while (const auto frame = channel.next_frame()) {
    ++loot.answers;
    if (frame->kind != wire::Kind::ModuleLoaded) continue;
    loot.image_address = wire::decode<wire::ModuleLoaded>(frame->payload).value().begin;
  }
  return open;
}

// One hostile connection: a greeting or noise, then requests, some of them damaged.
void attack_server(Random& random, Loot& loot) {
  Connection connection = connect_to(own_pid());
  if (connection.result != ZE_RESULT_SUCCESS) return;
  Channel channel(std::move(connection.socket));
  wire::Hello hello;
  hello.topology = "dg2";
  Bytes greeting = wire::encode(hello);
  if (below(random, 8) == 0) greeting = damaged(random, greeting);
  bool open = channel.send(greeting) && take_in(channel, loot);
  const std::uint64_t count = below(random, 30);
  for (std::uint64_t index = 0; open && index < count; ++index) {
    Bytes bytes = request(random, loot.image_address);
    if (below(random, 10) == 0) bytes = damaged(random, bytes);
    open = channel.send(bytes);
    if (below(random, 4) == 0) open = open && take_in(channel, loot);
  }
}

void server_survives(Random& random, int rounds) {
  Debuggee debuggee;
  debuggee.server->queue_created();
  ModuleDescription module;
  module.id = 1;
  module.load_address = 0x1000;
  module.debug_image.assign(400, std::byte{5});
  debuggee.server->module_loaded(module);
  for (const std::uint32_t ordinal : {0u, 1u, 2u, 6u}) scripted::place(debuggee.device, ordinal);
  Loot loot;
  for (int round = 0; round < rounds; ++round) attack_server(random, loot);
  // They were not all turned away at the door.
  CHECK(loot.answers > static_cast<std::uint64_t>(rounds) && loot.image_address != 0);

  // A debugger that behaves is still served. The last attacker may take a moment to be dropped.
  std::unique_ptr<Session> session;
  ze_result_t result = ZE_RESULT_NOT_READY;
  for (int attempt = 0; attempt < 200 && result != ZE_RESULT_SUCCESS; ++attempt) {
    result = Session::attach(topology(), own_pid(), session);
    if (result != ZE_RESULT_SUCCESS) ::poll(nullptr, 0, 20);
  }
  CHECK(result == ZE_RESULT_SUCCESS);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY);
  CHECK(next_event(*session).type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD);
}

// A message of the debuggee with arbitrary fields.
Bytes event(Random& random) {
  const auto small = static_cast<std::uint32_t>(below(random, 5));
  switch (below(random, 8)) {
    case 0:
      return wire::encode(wire::ModuleLoaded{interesting(random) % 8, interesting(random),
                                             interesting(random), interesting(random),
                                             interesting32(random),
                                             static_cast<std::uint8_t>(random())});
    case 1:
      return wire::encode(wire::ModuleUnloaded{interesting(random) % 8});
    case 2:
      return wire::encode(wire::ThreadsStopped{ordinals(random)});
    case 3:
      return wire::encode(wire::InterruptAnswer{
          {small, small, small, small}, ordinals(random), ordinals(random)});
    case 4: {
      auto threads = ordinals(random);
      const auto bytes = threads.size() * read_ahead_bytes(eu::Platform::XeHpg);
      return wire::encode(wire::ThreadSnapshots{std::move(threads), noise(random, bytes)});
    }
    case 5:
      return wire::encode(wire::PageFault{interesting(random)});
    case 6:
      return wire::encode(wire::Reply{interesting32(random), noise(random, small)});
    default:
      return wire::encode(wire::QueuesChanged{interesting32(random)});
  }
}

// What a debuggee sends goes straight to the state that a session keeps.
void session_survives(Random& random, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::array<int, 2> ends{};
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    Channel debuggee{FileDescriptor(ends[0])};
    Channel debugger{FileDescriptor(ends[1])};
    SessionState state(topology(), [](std::uint64_t) {});
    const auto view = std::make_shared<SessionView>(topology());
    state.add_view(view);
    bool sensible = true;
    for (int index = 0; sensible && index < 50; ++index) {
      Bytes bytes = event(random);
      if (below(random, 10) == 0) bytes = damaged(random, bytes);
      CHECK(debuggee.send(bytes));
      sensible = debugger.receive() == Channel::Status::Open;
      while (const auto frame = debugger.next_frame()) {
        sensible = sensible && state.frame_received(*frame);
      }
      zet_debug_event_t read;
      if (below(random, 2) == 0) static_cast<void>(state.read_event(*view, 0, &read));
      const auto small = static_cast<std::uint32_t>(below(random, 5));
      static_cast<void>(state.begin_interrupt(*view, {small, small, small, small}));
      static_cast<void>(state.begin_resume({device::ThreadId::kAny, 0, 0, 0}));
    }
    state.connection_ended();
    zet_debug_event_t last{};
    zet_debug_event_t read;
    while (state.read_event(*view, UINT64_MAX, &read) == ZE_RESULT_SUCCESS) last = read;
    CHECK(last.type == ZET_DEBUG_EVENT_TYPE_DETACHED);
  }
}

}  // namespace

}  // namespace xesim::debug::tests

int main(int count, char** arguments) {
  using namespace xesim::debug::tests;
  const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 0) : 1;
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 300;
  Random random(seed);
  session_survives(random, rounds);
  server_survives(random, rounds);
  return 0;
}
