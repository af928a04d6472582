// The debugger's end of a connection: sends requests, and hands what comes back to whoever waits.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "debug/channel.hpp"
#include "debug/file_descriptor.hpp"

namespace xesim::debug {

// Called on the client's reader thread.
class ClientListener {
 public:
  virtual ~ClientListener() = default;
  // Every frame that is no reply. False: it makes no sense, and the connection ends.
  virtual bool frame_received(const Frame& frame) = 0;
  // The last call.
  virtual void connection_ended() = 0;
};

class Client {
 public:
  // Connects and greets; fails with what zetDebugAttach is to return.
  static ze_result_t connect(std::uint32_t pid, std::uint32_t device, std::string_view topology,
                             std::unique_ptr<Client>& client);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // `listener` must outlive the client.
  void start(ClientListener& listener);
  // Ends the connection and the reader thread; from one thread at a time.
  void end();

  // A debuggee answers at once unless someone has stopped the whole process.
  static constexpr std::chrono::seconds kReplyTimeout{30};

  // Waits for the reply. Nothing: the connection ended, or the debuggee does not answer.
  template <class Message>
  std::optional<wire::Reply> request(const Message& message,
                                     std::chrono::seconds timeout = kReplyTimeout) {
    const std::uint32_t sequence = ++sequence_;
    return exchange(wire::encode(message, sequence), sequence, timeout);
  }
  // Sends without waiting. False: the connection ended.
  template <class Message>
  bool post(const Message& message) {
    return send(wire::encode(message));
  }
  // Whether the connection has ended.
  bool has_ended();

 private:
  struct Waiter;

  Client(std::uint32_t pid, Channel channel);
  ze_result_t greet(std::string_view topology);
  bool send(const std::vector<std::byte>& bytes);
  std::optional<wire::Reply> exchange(const std::vector<std::byte>& bytes, std::uint32_t sequence,
                                      std::chrono::seconds timeout);
  void read(ClientListener& listener);
  bool dispatch(const Frame& frame, ClientListener& listener);
  void release_waiters();

  Channel channel_;
  FileDescriptor process_;           // readable when the debuggee has ended
  WakeEvent stop_;
  std::thread reader_;
  std::atomic<std::uint32_t> sequence_{0};

  std::mutex send_mutex_;
  std::mutex waiters_mutex_;
  std::map<std::uint32_t, Waiter*> waiters_;
  bool ended_ = false;               // guarded by waiters_mutex_
};

}  // namespace xesim::debug
