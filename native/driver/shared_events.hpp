// The states of a pool's events in pages that several processes have.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "device/shared_pages.hpp"
#include "driver/event_state.hpp"

namespace xesim::driver {

class SharedEvents {
 public:
  // Of the flags, with those of the API: the events count what signals them.
  static constexpr std::uint32_t kCounterBased = 1u << 31;

  // Null when there is no room.
  static std::unique_ptr<SharedEvents> create(std::uint32_t count, std::uint32_t flags);
  // Those that another process created; null when the pages are none.
  static std::unique_ptr<SharedEvents> open(std::shared_ptr<const device::SharedPages> pages);
  ~SharedEvents();
  SharedEvents(const SharedEvents&) = delete;
  SharedEvents& operator=(const SharedEvents&) = delete;

  [[nodiscard]] const device::SharedPages& pages() const { return *pages_; }
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] std::uint32_t flags() const;
  [[nodiscard]] EventState& state(std::uint32_t index);

  // Has every process look at what it waits for.
  void notify();

 private:
  struct Pages;
  SharedEvents(std::shared_ptr<const device::SharedPages> pages, Pages* mapped);
  void watch(std::uint32_t seen);  // the count of changes that are known

  std::shared_ptr<const device::SharedPages> pages_;
  Pages* mapped_;
  std::atomic<bool> ends_{false};
  std::thread watcher_;  // passes changes by others on to the Monitor
};

}  // namespace xesim::driver
