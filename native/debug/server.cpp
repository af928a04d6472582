#include "debug/server.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "debug/channel.hpp"
#include "debug/endpoint.hpp"
#include "debug/module_registry.hpp"
#include "debug/process.hpp"
#include "debug/register_sets.hpp"
#include "debug/request_handler.hpp"
#include "debug/service_thread.hpp"
#include "debug/thread_control.hpp"
#include "debug/time_requests.hpp"
#include "debug/wake_relay.hpp"
#include "debug/watch_requests.hpp"
#include "device/device_process.hpp"

namespace xesim::debug {

namespace {

constexpr std::chrono::milliseconds kHelloTimeout{1000};
constexpr std::chrono::milliseconds kRetryAccept{50};
constexpr std::size_t kSnapshotsPerMessage = 2048;  // keeps a message far below its bound

}  // namespace

// The service thread alone touches the connection, and every other descriptor: they are in a table
// of its own. The program's threads change what is under `mutex_`, put messages into `outbox_` and
// wake it.
struct Server::Impl {
  explicit Impl(device::Device& device)
      : device_(device),
        threads_(device, relay_),
        past_(device),
        time_requests_(device, past_),
        watches_(device, past_),
        requests_(device, threads_, past_, modules_, mutex_) {}

  // --- the program's threads ---

  // A child that the program forks has a copy of the server, but not its thread.
  [[nodiscard]] bool is_owner() const { return owner_ == device::DeviceProcess::program(); }

  template <class Message>
  void post(const Message& message) {  // with mutex_ held
    if (!attached_) return;
    outbox_.push_back(wire::encode(message));
    relay_.signal();
  }

  [[nodiscard]] device::Tiles tiles_with_queues() const {  // with mutex_ held
    device::Tiles tiles = 0;
    for (const auto& [of_tiles, count] : queues_) tiles |= of_tiles;
    return tiles;
  }

  // --- the service thread ---

  enum class Phase { Idle, Greeting, Attached };

  // Listens as device `index` and serves; `listening` gets whether that worked.
  void run(std::uint32_t index, std::promise<bool>& listening);
  void serve();
  void wait_for_work();
  void serve_connection();
  void accept_connection();
  bool handle(const Frame& frame);
  bool greet(const Frame& frame);
  void attach();
  enum class Leave { Orderly, Gone };   // it has taken its breakpoints out, or could not
  void release(Leave leave);
  void disconnect();
  // What the program's threads have posted.
  bool send_events();
  // That, and what stopped.
  void flush();
  bool send_snapshots(const StoppedThreads& threads);
  // Asked during a long request: whether the debugger has cancelled it, or there is nobody to answer.
  bool is_cancelled();
  template <class Message>
  bool send(const Message& message, std::uint32_t sequence = 0) {
    return connection_->send(wire::encode(message, sequence), stop_descriptor());
  }
  [[nodiscard]] int stop_descriptor() const { return relay_.stop_event().get(); }

  device::Device& device_;
  std::unique_ptr<Listener> listener_;
  const pid_t owner_ = device::DeviceProcess::program();
  WakeRelay relay_;      // signal: outbox or stopped threads; stop: the server ends

  std::mutex mutex_;
  std::condition_variable acknowledged_;
  ModuleRegistry modules_;
  std::vector<std::vector<std::byte>> outbox_;
  std::map<device::Tiles, std::size_t> queues_;  // how many there are of the tiles
  bool attached_ = false;
  bool stopping_ = false;

  ThreadControl threads_;
  time::TimeMachine past_;
  TimeRequests time_requests_;
  WatchRequests watches_;
  RequestHandler requests_;
  Phase phase_ = Phase::Idle;
  std::optional<Channel> connection_;
  FileDescriptor debugger_;   // readable when the debugger's process has ended
  std::chrono::steady_clock::time_point greeting_ends_;
  bool connection_ready_ = false;
  bool listener_ready_ = false;

  device::DeviceThread service_;
};

void Server::Impl::run(std::uint32_t index, std::promise<bool>& listening) {
  leave_descriptors_of_program();
  listener_ = Listener::open(index);
  if (listener_ == nullptr) {
    listening.set_value(false);
    return;
  }
  relay_.begin();
  listening.set_value(true);
  serve();
  relay_.end();
  listener_.reset();
}

void Server::Impl::serve() {
  for (;;) {
    wait_for_work();
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) break;
    }
    if (connection_ready_) serve_connection();
    flush();
    if (listener_ready_) accept_connection();
  }
  disconnect();
}

void Server::Impl::wait_for_work() {
  // poll skips the descriptors of what is not there: they are negative.
  std::array<pollfd, 5> waits{pollfd{stop_descriptor(), POLLIN, 0},
                              pollfd{relay_.wake_descriptor(), POLLIN, 0},
                              pollfd{listener_->descriptor(), POLLIN, 0},
                              pollfd{connection_ ? connection_->descriptor() : -1, POLLIN, 0},
                              pollfd{debugger_.get(), POLLIN, 0}};
  int timeout = -1;
  if (phase_ == Phase::Greeting) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        greeting_ends_ - std::chrono::steady_clock::now());
    timeout = std::max(0, static_cast<int>(left.count()) + 1);
  }
  const int ready = ::poll(waits.data(), waits.size(), timeout);
  if (ready == 0) disconnect();  // it connected and said nothing
  if (ready > 0 && waits[1].revents != 0) relay_.clear();
  listener_ready_ = ready > 0 && waits[2].revents != 0;
  connection_ready_ = ready > 0 && (waits[3].revents != 0 || waits[4].revents != 0);
  if (ready > 0 && waits[4].revents != 0) disconnect();  // even if a child of it has the socket
}

void Server::Impl::serve_connection() {
  if (!connection_) return;
  const Channel::Status status = connection_->receive();
  while (connection_) {
    const auto frame = connection_->next_frame();
    if (!frame) break;
    if (!handle(*frame)) disconnect();
  }
  if (connection_ && status != Channel::Status::Open) disconnect();
}

void Server::Impl::accept_connection() {
  FileDescriptor socket = listener_->accept();
  if (!socket) {
    // The program has used up its descriptors: the connection waits; do not spin.
    if (errno == EMFILE || errno == ENFILE) relay_.stop_event().wait(kRetryAccept);
    return;
  }
  // The one that is attached may have left just before this one came.
  serve_connection();
  if (connection_) {
    Channel(std::move(socket))
        .send(wire::encode(wire::Welcome{.result = ZE_RESULT_ERROR_NOT_AVAILABLE}),
              stop_descriptor());
    return;
  }
  connection_.emplace(std::move(socket));
  phase_ = Phase::Greeting;
  greeting_ends_ = std::chrono::steady_clock::now() + kHelloTimeout;
}

bool Server::Impl::handle(const Frame& frame) {
  if (phase_ == Phase::Greeting) return greet(frame);
  switch (frame.kind) {
    case wire::Kind::Interrupt: {
      const auto request = wire::decode<wire::Interrupt>(frame.payload);
      if (!request) return false;
      if (past_.in_past()) return send(wire::InterruptAnswer{request->threads, {}, {}});
      device_.wait_until_settled();
      const StoppedThreads halted = threads_.interrupt(request->threads);
      // In the order of Intel's driver: what stopped by itself meanwhile is reported after the answer.
      const StoppedThreads stopped = threads_.take_stopped();
      return send_events() && send_snapshots(halted) && send_snapshots(stopped) &&
             send(wire::InterruptAnswer{request->threads, halted.ordinals, stopped.ordinals});
    }
    case wire::Kind::Attend: {
      const auto request = wire::decode<wire::Attend>(frame.payload);
      if (!request) return false;
      threads_.attend(request->tiles);
      return send(wire::Reply{}, frame.sequence);
    }
    case wire::Kind::Acknowledge: {
      const auto request = wire::decode<wire::Acknowledge>(frame.payload);
      if (!request) return false;
      {
        const std::lock_guard lock(mutex_);
        modules_.acknowledge(request->module);
      }
      acknowledged_.notify_all();
      return true;
    }
    case wire::Kind::Detach: {
      if (!wire::decode<wire::Detach>(frame.payload)) return false;
      release(Leave::Orderly);
      static_cast<void>(send(wire::Reply{}, frame.sequence));
      return false;
    }
    case wire::Kind::WriteRegisters:
      return requests_.write_registers(frame);
    case wire::Kind::Cancel:  // too late
      return wire::decode<wire::Cancel>(frame.payload).has_value();
    default: {
      if (TimeRequests::answers(frame.kind)) {
        const auto reply = time_requests_.answer(frame, [this] { return is_cancelled(); });
        return reply && send(*reply, frame.sequence);
      }
      const auto reply = WatchRequests::answers(frame.kind) ? watches_.answer(frame)
                                                            : requests_.answer(frame);
      return reply && send(*reply, frame.sequence);
    }
  }
}

bool Server::Impl::greet(const Frame& frame) {
  if (frame.kind != wire::Kind::Hello) return false;
  const auto hello = wire::decode<wire::Hello>(frame.payload);
  if (!hello || hello->magic != wire::kMagic) return false;
  wire::Welcome welcome;
  {
    const std::lock_guard lock(mutex_);
    if (hello->version != wire::kVersion) {
      welcome.result = ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
    } else if (hello->topology != device_.topology().key) {
      welcome.result = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    }
  }
  // Debugging is on before the debugger hears of it.
  if (welcome.result == ZE_RESULT_SUCCESS) attach();
  return send(welcome) && welcome.result == ZE_RESULT_SUCCESS;
}

void Server::Impl::attach() {
  phase_ = Phase::Attached;
  debugger_ = watch_process(peer_pid(connection_->descriptor()));
  {
    const std::lock_guard lock(mutex_);
    attached_ = true;
    if (!queues_.empty()) post(wire::QueuesChanged{tiles_with_queues()});
    for (const std::uint64_t module : modules_.loaded()) post(modules_.announcement(module));
  }
  threads_.begin();
  past_.begin();
}

void Server::Impl::release(Leave leave) {
  if (phase_ != Phase::Attached) return;
  phase_ = Phase::Idle;
  past_.end();
  watches_.end();
  threads_.end();
  requests_.forget_breakpoints(leave == Leave::Gone);
  {
    const std::lock_guard lock(mutex_);
    attached_ = false;
    outbox_.clear();
    modules_.acknowledge_all();
    modules_.forget_unloaded();
  }
  acknowledged_.notify_all();
}

void Server::Impl::disconnect() {
  release(Leave::Gone);
  phase_ = Phase::Idle;
  connection_.reset();
  debugger_.reset();
}

bool Server::Impl::send_events() {
  std::vector<std::vector<std::byte>> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(outbox_);
  }
  return std::ranges::all_of(messages, [this](const std::vector<std::byte>& message) {
    return connection_->send(message, stop_descriptor());
  });
}

void Server::Impl::flush() {
  if (phase_ != Phase::Attached) return;
  bool sent = send_events();
  if (past_.in_past()) {  // the present's stops are reported when it is back
    if (!sent) disconnect();
    return;
  }
  const StoppedThreads stopped = threads_.take_stopped();
  if (!stopped.ordinals.empty()) {
    sent = sent && send_snapshots(stopped) && send(wire::ThreadsStopped{stopped.ordinals});
  }
  if (!sent) disconnect();
}

bool Server::Impl::is_cancelled() {
  std::array<pollfd, 3> waits{pollfd{stop_descriptor(), POLLIN, 0},
                              pollfd{debugger_.get(), POLLIN, 0},
                              pollfd{connection_->descriptor(), POLLIN, 0}};
  if (::poll(waits.data(), waits.size(), 0) <= 0) return false;
  if (waits[0].revents != 0 || waits[1].revents != 0) return true;
  return connection_->receive() != Channel::Status::Open || connection_->take(wire::Kind::Cancel);
}

bool Server::Impl::send_snapshots(const StoppedThreads& threads) {
  const std::size_t bytes = read_ahead_bytes(device_.topology().platform);
  const std::size_t count = threads.ordinals.size();
  for (std::size_t first = 0; first < count; first += kSnapshotsPerMessage) {
    const std::size_t last = std::min(first + kSnapshotsPerMessage, count);
    const auto part = [](const auto& whole, std::size_t begin, std::size_t end) {
      return std::remove_cvref_t<decltype(whole)>(
          whole.begin() + static_cast<std::ptrdiff_t>(begin),
          whole.begin() + static_cast<std::ptrdiff_t>(end));
    };
    if (!send(wire::ThreadSnapshots{part(threads.ordinals, first, last),
                                    part(threads.registers, first * bytes, last * bytes)})) {
      return false;
    }
  }
  return true;
}

std::unique_ptr<Server> Server::start(device::Device& device, std::uint32_t index) {
  std::unique_ptr<Server> server(new Server(device));
  const auto listening = std::make_shared<std::promise<bool>>();
  auto answer = listening->get_future();
  server->impl_->service_ = device::DeviceThread(
      [impl = server->impl_.get(), index, listening] { impl->run(index, *listening); });
  return answer.get() ? std::move(server) : nullptr;
}

Server::Server(device::Device& device) : impl_(std::make_unique<Impl>(device)) {}

Server::~Server() {
  if (!impl_->is_owner()) {
    // In a forked child neither the thread nor the socket's file are ours, and locks may be held
    // by threads that do not exist here: leave everything as it is.
    static_cast<void>(impl_.release());
    return;
  }
  {
    const std::lock_guard lock(impl_->mutex_);
    impl_->stopping_ = true;
    impl_->modules_.acknowledge_all();
  }
  impl_->relay_.stop();
  impl_->service_.join();
  impl_->acknowledged_.notify_all();
}

void Server::queue_created(device::Tiles tiles) {
  if (!impl_->is_owner()) return;
  const std::lock_guard lock(impl_->mutex_);
  if (++impl_->queues_[tiles] == 1) impl_->post(wire::QueuesChanged{impl_->tiles_with_queues()});
}

void Server::queue_destroyed(device::Tiles tiles) {
  if (!impl_->is_owner()) return;
  const std::lock_guard lock(impl_->mutex_);
  const auto queues = impl_->queues_.find(tiles);
  if (queues == impl_->queues_.end() || --queues->second > 0) return;
  impl_->queues_.erase(queues);
  impl_->post(wire::QueuesChanged{impl_->tiles_with_queues()});
}

void Server::module_loaded(const ModuleDescription& module) {
  if (!impl_->is_owner()) return;
  std::unique_lock lock(impl_->mutex_);
  impl_->modules_.add(module, impl_->attached_);
  if (!impl_->attached_) return;
  impl_->post(impl_->modules_.announcement(module.id));
  impl_->acknowledged_.wait(lock,
                            [&] { return !impl_->modules_.awaits_acknowledge(module.id); });
}

void Server::module_unloaded(std::uint64_t id) {
  if (!impl_->is_owner()) return;
  const std::lock_guard lock(impl_->mutex_);
  if (!impl_->modules_.contains(id)) return;
  impl_->modules_.remove(id);
  if (impl_->attached_) {
    impl_->post(wire::ModuleUnloaded{id});
  } else {
    impl_->modules_.forget_unloaded();
  }
}

void Server::page_fault(std::uint64_t address) {
  if (!impl_->is_owner()) return;
  const std::lock_guard lock(impl_->mutex_);
  impl_->post(wire::PageFault{address});
}

}  // namespace xesim::debug
