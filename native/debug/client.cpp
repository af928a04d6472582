#include "debug/client.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <utility>

#include "debug/endpoint.hpp"
#include "debug/process.hpp"
#include "debug/service_thread.hpp"

namespace xesim::debug {

namespace {

constexpr std::chrono::milliseconds kWelcomeTimeout{2000};

}  // namespace

struct Client::Waiter {
  std::condition_variable arrived;
  bool done = false;
  std::optional<wire::Reply> reply;
};

ze_result_t Client::connect(std::uint32_t pid, std::uint32_t device,
                            std::string_view topology, std::unique_ptr<Client>& client) {
  Connection connection = connect_to(pid, device);
  if (connection.result != ZE_RESULT_SUCCESS) return connection.result;
  std::unique_ptr<Client> made(new Client(pid, Channel(std::move(connection.socket))));
  const ze_result_t result = made->greet(topology);
  if (result == ZE_RESULT_SUCCESS) client = std::move(made);
  return result;
}

Client::Client(std::uint32_t pid, Channel channel)
    : channel_(std::move(channel)), process_(watch_process(pid)) {}

Client::~Client() { end(); }

void Client::end() {
  if (!reader_.joinable()) return;
  stop_.signal();
  channel_.shut_down();
  reader_.join();
}

ze_result_t Client::greet(std::string_view topology) {
  wire::Hello hello;
  hello.topology = topology;
  // A debuggee that is taken says so without waiting for this, and hangs up.
  static_cast<void>(channel_.send(wire::encode(hello)));
  const auto deadline = std::chrono::steady_clock::now() + kWelcomeTimeout;
  for (;;) {
    if (const auto frame = channel_.next_frame()) {
      const auto welcome = frame->kind == wire::Kind::Welcome
                               ? wire::decode<wire::Welcome>(frame->payload)
                               : std::nullopt;
      if (!welcome || welcome->magic != wire::kMagic) return ZE_RESULT_ERROR_UNKNOWN;
      return static_cast<ze_result_t>(welcome->result);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return ZE_RESULT_NOT_READY;
    pollfd wait{channel_.descriptor(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(left.count()));
    if (wait.revents == 0) continue;
    const Channel::Status status = channel_.receive();
    if (status == Channel::Status::Malformed) return ZE_RESULT_ERROR_UNKNOWN;
    if (status == Channel::Status::Closed) return ZE_RESULT_ERROR_DEVICE_LOST;
  }
}

void Client::start(ClientListener& listener) {
  reader_ = start_service_thread([this, &listener] { read(listener); });
}

bool Client::send(const std::vector<std::byte>& bytes) {
  const std::lock_guard lock(send_mutex_);
  return channel_.send(bytes, stop_.get());
}

std::optional<wire::Reply> Client::exchange(const std::vector<std::byte>& bytes,
                                            std::uint32_t sequence,
                                            std::chrono::seconds timeout) {
  Waiter waiter;
  {
    const std::lock_guard lock(waiters_mutex_);
    if (ended_) return std::nullopt;
    waiters_.emplace(sequence, &waiter);
  }
  const bool sent = send(bytes);
  std::unique_lock lock(waiters_mutex_);
  if (sent) waiter.arrived.wait_for(lock, timeout, [&waiter] { return waiter.done; });
  waiters_.erase(sequence);
  return std::move(waiter.reply);
}

void Client::read(ClientListener& listener) {
  Channel::Status status = Channel::Status::Open;
  bool process_ended = false;
  bool sensible = true;
  for (;;) {
    while (sensible) {
      const auto frame = channel_.next_frame();
      if (!frame) break;
      sensible = dispatch(*frame, listener);
    }
    if (!sensible || status != Channel::Status::Open) break;
    // Once the process has ended nothing more is sent: empty the socket, then stop, even if a
    // child of the process still holds it.
    std::array<pollfd, 3> waits{pollfd{channel_.descriptor(), POLLIN, 0},
                                pollfd{stop_.get(), POLLIN, 0},
                                pollfd{process_ended ? -1 : process_.get(), POLLIN, 0}};
    const int ready = ::poll(waits.data(), waits.size(), process_ended ? 0 : -1);
    if (waits[1].revents != 0) break;
    if (waits[0].revents != 0) {
      status = channel_.receive();
    } else if (process_ended && ready == 0) {
      break;
    }
    process_ended = process_ended || waits[2].revents != 0;
  }
  channel_.shut_down();
  release_waiters();
  listener.connection_ended();
}

bool Client::dispatch(const Frame& frame, ClientListener& listener) {
  if (frame.kind != wire::Kind::Reply) return listener.frame_received(frame);
  auto reply = wire::decode<wire::Reply>(frame.payload);
  if (!reply) return false;
  const std::lock_guard lock(waiters_mutex_);
  const auto waiter = waiters_.find(frame.sequence);
  if (waiter == waiters_.end()) return true;  // came too late
  waiter->second->reply = std::move(reply);
  waiter->second->done = true;
  waiter->second->arrived.notify_one();
  return true;
}

bool Client::has_ended() {
  const std::lock_guard lock(waiters_mutex_);
  return ended_;
}

void Client::release_waiters() {
  const std::lock_guard lock(waiters_mutex_);
  ended_ = true;
  for (const auto& [sequence, waiter] : waiters_) {
    waiter->done = true;
    waiter->arrived.notify_one();
  }
}

}  // namespace xesim::debug
