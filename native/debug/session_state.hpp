// What the sessions of a connection have learnt from the debuggee: stopped threads, modules, interrupts
// under way. Turns the debuggee's messages into the API's events, for each view.
#pragma once

#include <level_zero/zet_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "debug/client.hpp"
#include "debug/session_view.hpp"
#include "debug/thread_table.hpp"

namespace xesim::debug {

class SessionState final : public ClientListener {
 public:
  // `acknowledge`: called by the reader thread with a module that waits for it and is in no view.
  SessionState(const device::Topology& topology, std::function<void(std::uint64_t)> acknowledge)
      : topology_(topology),
        acknowledge_(std::move(acknowledge)),
        threads_(topology),
        past_threads_(topology) {}

  bool frame_received(const Frame& frame) override;
  void connection_ended() override;

  // A view gets what the others got before it came.
  void add_view(const std::shared_ptr<SessionView>& view);
  // Of what it alone has the threads are taken for running. The modules that wait for it alone, to be
  // acknowledged.
  std::vector<std::uint64_t> remove_view(const SessionView& view);
  // The tiles that are in a view.
  [[nodiscard]] device::Tiles attended();

  // As zetDebugReadEvent, for an `event` that is not null.
  ze_result_t read_event(SessionView& view, std::uint64_t timeout_milliseconds,
                         zet_debug_event_t* event);

  // The module that `event` announces, to report to the debuggee. UNINITIALIZED: none does.
  struct Acknowledgement {
    ze_result_t result = ZE_RESULT_ERROR_UNINITIALIZED;
    std::optional<std::uint64_t> module;   // that waits for it, and for no other view
  };
  Acknowledgement acknowledge(const SessionView& view, const zet_debug_event_t& event);

  // Notes an interrupt, of threads as the view counts them. Whether it is to be sent; anything but
  // SUCCESS says why it is not. Of a program that has ended nothing is sent: no thread is available.
  struct Interrupt {
    ze_result_t result = ZE_RESULT_SUCCESS;
    bool is_sent = false;
  };
  Interrupt begin_interrupt(SessionView& view, const device::ThreadId& threads);
  // Takes the reported threads among `threads`, as the device counts, out: they are to be resumed.
  std::vector<std::uint32_t> begin_resume(const device::ThreadId& threads);

  // The debuggee shows the past now, with these threads, all stopped; or the present again, with the
  // threads that it had. False: it makes no sense.
  bool show(const wire::ThreadsOfTime& threads);
  [[nodiscard]] bool in_past();
  // Those of what is shown.
  [[nodiscard]] std::vector<std::uint32_t> reported(const device::ThreadId& selection);
  [[nodiscard]] bool is_reported(std::uint32_t ordinal);
  // See ThreadTable. Of registers those asked for; empty when unknown.
  std::vector<std::byte> cached_registers(std::uint32_t ordinal, const RegisterSet& set,
                                          std::uint32_t start, std::uint32_t count);
  // Before `bytes` of registers are read that are not known: the version of the thread. If one thread
  // after the other is read, also those of the next ones, to be read in the same round trip.
  std::vector<std::uint64_t> begin_read(std::uint32_t ordinal, RegisterType type,
                                        std::size_t bytes);
  void remember_registers(std::uint32_t ordinal, std::uint64_t version, RegisterType type,
                          std::span<const std::byte> registers);
  void forget_registers(std::uint32_t ordinal, RegisterType type);

 private:
  using Views = std::vector<std::shared_ptr<SessionView>>;
  struct Module {
    zet_debug_event_t load{};              // as it was delivered
    device::Tiles tiles = 0;               // that it was made for
    std::vector<const SessionView*> awaited;  // views that have to acknowledge it
  };
  struct PendingInterrupt {
    SessionView* view = nullptr;
    device::ThreadId requested;            // as the view counts
    device::ThreadId sent;                 // as the device counts
  };

  bool receive(const wire::QueuesChanged& message);
  bool receive(const wire::ModuleLoaded& message);
  bool receive(const wire::ModuleUnloaded& message);
  bool receive(const wire::ThreadSnapshots& message);
  bool receive(const wire::ThreadsStopped& message);
  bool receive(const wire::InterruptAnswer& message);
  bool receive(const wire::PageFault& message);
  [[nodiscard]] bool are_threads(const std::vector<std::uint32_t>& ordinals) const;
  // Those that are in a view: of others the debuggee wrote before it knew.
  void stop_threads(const std::vector<std::uint32_t>& ordinals, bool reported);
  // Those of threads of the view.
  [[nodiscard]] std::deque<QueuedEvent> stop_events(
      const SessionView& view, const std::vector<std::uint32_t>& ordinals) const;
  // Gives the threads that were stopped their snapshots.
  void take_snapshots();

  [[nodiscard]] ThreadTable& shown_threads() { return in_past_ ? past_threads_ : threads_; }

  const device::Topology& topology_;
  const std::function<void(std::uint64_t)> acknowledge_;
  std::mutex mutex_;
  Views views_;
  ThreadTable threads_;                            // of the present
  ThreadTable past_threads_;                       // of the past, while it is shown
  bool in_past_ = false;
  std::uint32_t next_read_ = 0;                    // the thread after the last one that was read
  std::map<std::uint64_t, Module> modules_;        // by the debuggee's id, in order of loading
  std::vector<PendingInterrupt> interrupts_;       // sent, not answered
  wire::ThreadSnapshots snapshots_;                // of threads that the next message stops
  device::Tiles tiles_with_queues_ = 0;
  bool ended_ = false;
};

}  // namespace xesim::debug
