#include "driver/shared_events.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#include "device/address_range.hpp"
#include "driver/monitor.hpp"

namespace xesim::driver {

// Zeroed pages are the states of events that are not signalled.
struct SharedEvents::Pages {
  std::atomic<std::uint32_t> changes;  // a futex
  std::uint32_t count;
  std::uint32_t flags;
  EventState states[];
};

namespace {

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

SharedEvents::SharedEvents(std::shared_ptr<const device::SharedPages> pages, Pages* mapped)
    : pages_(std::move(pages)),
      mapped_(mapped),
      // What changes from now on is reported, also before the thread has begun.
      watcher_([this, seen = mapped->changes.load()] { watch(seen); }) {}

std::unique_ptr<SharedEvents> SharedEvents::create(std::uint32_t count, std::uint32_t flags) {
  const auto size =
      device::round_up(sizeof(Pages) + std::uint64_t{count} * sizeof(EventState), device::kPageBytes);
  auto pages = device::SharedPages::create(*size);
  if (pages == nullptr) {
    return nullptr;
  }
  const std::uint32_t head[] = {0, count, flags};
  if (pwrite(pages->descriptor(), head, sizeof(head), 0) != sizeof(head)) {
    return nullptr;
  }
  return open(std::move(pages));
}

std::unique_ptr<SharedEvents> SharedEvents::open(
    std::shared_ptr<const device::SharedPages> pages) {
  void* place = mmap(nullptr, pages->size(), PROT_READ | PROT_WRITE, MAP_SHARED,
                     pages->descriptor(), 0);
  if (place == MAP_FAILED) {
    return nullptr;
  }
  auto* mapped = static_cast<Pages*>(place);
  const std::uint64_t needed = sizeof(Pages) + std::uint64_t{mapped->count} * sizeof(EventState);
  if (needed > pages->size()) {
    munmap(place, pages->size());
    return nullptr;
  }
  return std::unique_ptr<SharedEvents>(new SharedEvents(std::move(pages), mapped));
}

SharedEvents::~SharedEvents() {
  ends_ = true;
  notify();
  watcher_.join();
  munmap(mapped_, pages_->size());
}

std::uint32_t SharedEvents::count() const { return mapped_->count; }
std::uint32_t SharedEvents::flags() const { return mapped_->flags; }
EventState& SharedEvents::state(std::uint32_t index) { return mapped_->states[index]; }

void SharedEvents::notify() {
  ++mapped_->changes;
  futex(mapped_->changes, FUTEX_WAKE, INT_MAX);
}

void SharedEvents::watch(std::uint32_t seen) {
  while (!ends_) {
    futex(mapped_->changes, FUTEX_WAIT, seen);
    const std::uint32_t now = mapped_->changes;
    if (now != seen) {
      seen = now;
      // With the lock, so that nobody is between looking and sleeping.
      const Monitor::Lock lock = Monitor::instance().lock();
      Monitor::instance().notify();
    }
  }
}

}  // namespace xesim::driver
