// What the bytes of an IPC handle are: of memory, of event pools, and of counter-based events.
//
// It names pages that can be mapped elsewhere, by a descriptor. Programs send the descriptor beside the
// handle (SCM_RIGHTS), and put the number that they get over the first four bytes; for those that send
// the bytes alone it is taken from the process that made them.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "device/shared_pages.hpp"

namespace xesim::driver {

enum class IpcKind : std::uint32_t {
  Memory = 0x6370'696D,
  EventPool = 0x6370'6965,
  CounterBasedEvent = 0x6370'6963,
};

struct IpcHandle {
  std::int32_t descriptor = -1;
  std::uint32_t process = 0;
  IpcKind kind = IpcKind::Memory;
  std::uint32_t detail = 0;    // what the kind needs to know
  std::uint64_t size = 0;      // bytes of the pages
  std::uint64_t offset = 0;    // of what is shared in them
  std::uint64_t identity = 0;  // of the pages

  static IpcHandle of(const device::SharedPages& pages, IpcKind kind, std::uint32_t detail,
                      std::uint64_t offset);

  // `Handle` is one of the API's: an array of bytes. Nothing: its bytes are of another kind.
  template <class Handle>
  static std::optional<IpcHandle> read(const Handle& handle, IpcKind kind) {
    static_assert(sizeof(IpcHandle) <= sizeof(Handle));
    IpcHandle read;
    std::memcpy(&read, handle.data, sizeof(read));
    return read.kind == kind && read.offset <= read.size ? std::optional(read) : std::nullopt;
  }
  template <class Handle>
  [[nodiscard]] Handle bytes() const {
    Handle handle = {};
    std::memcpy(handle.data, this, sizeof(*this));
    return handle;
  }

  // The pages, for this process; null when they are out of reach.
  [[nodiscard]] std::shared_ptr<const device::SharedPages> open() const;
};

}  // namespace xesim::driver
