// The device's global address space. A GPU virtual address is the host address of the memory that
// backs it, so that host and shared allocations mean the same to both sides; what makes an
// address valid for the GPU is that it lies inside an allocation of this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device/program_memory.hpp"
#include "device/shared_pages.hpp"
#include "device/virtual_ranges.hpp"

namespace xesim::device {

enum class AllocationKind : std::uint8_t {
  Host, Device, Shared,    // USM
  Code,                    // ISA; inside the instruction heap
  GlobalData, ConstantData,
  Heap,                    // payloads, within 4 GiB of the general state base: the driver's own
  Image,                   // texels of an image
  Private,                 // private memory and scratch of a launch
  Mapped, MappedHost,      // physical memory at reserved addresses; of the device, of the host
};

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t size = 0;      // bytes asked for
  std::uint64_t mapped = 0;    // bytes backed, page rounded
  AllocationKind kind = AllocationKind::Device;
  std::uint64_t id = 0;        // unique for the life of the process
  const void* owner = nullptr; // the driver's context, for USM queries
  const void* device = nullptr;  // the driver's device that it was made for
  bool writable = true;          // for threads of the device
  // Of pages that may be mapped at other addresses too: SharedPages::identity(), and the place of the first
  // byte in them.
  std::uint64_t pages = 0;       // 0: they are nowhere else
  std::uint64_t pages_offset = 0;
};

class Memory {
 public:
  // Reserves the instruction heap (4 GiB of address space, below bit 47) and the data heap at
  // fixed addresses where possible, so that two runs of a program see the same ones.
  // `device_bytes`: what all allocations but host and shared ones may take together.
  // `shares_program_memory`: threads of the device may use the program's own memory, too.
  explicit Memory(std::uint64_t device_bytes = UINT64_MAX, bool shares_program_memory = false);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // `alignment` is a power of two, 0 for the default: 64 KiB for Code (which is also padded by the
  // 512 bytes that instruction prefetch may touch), 4 KiB otherwise.
  // Memory starts zeroed. Null when the device or the host has no room.
  std::optional<Allocation> allocate(AllocationKind kind, std::uint64_t size,
                                     std::uint64_t alignment, const void* owner,
                                     const void* device = nullptr);
  // Takes the exact start; false if there is none. While a kernel may be running, hold a
  // Device::Pause: the kernel then faults as it would on hardware instead of taking us along.
  bool release(std::uint64_t address);

  // The pages of an allocation, which are the same ones from now on for whoever maps them. Hold a
  // Device::Pause. Null when there is no allocation of data at that exact start, or no room.
  std::shared_ptr<const SharedPages> share(std::uint64_t address);
  // Pages that the allocation or mapping at `address` (interior addresses included) has already, and the
  // place of `address` in them. Null: none that can be mapped elsewhere yet.
  struct Place {
    std::shared_ptr<const SharedPages> pages;
    std::uint64_t offset = 0;
  };
  [[nodiscard]] Place shared(std::uint64_t address) const;
  // An allocation of `size` bytes whose contents are `pages`. Null when there is no room.
  std::optional<Allocation> import(const std::shared_ptr<const SharedPages>& pages,
                                   AllocationKind kind, std::uint64_t size,
                                   std::uint64_t alignment, const void* owner,
                                   const void* device);

  // Addresses at which nothing is, in whole pages, from `start` on if that is free. As many as the process
  // has free in one piece. Null: no room.
  std::optional<std::uint64_t> reserve(std::uint64_t size, std::uint64_t start);
  // The rest needs a Device::Pause, and whole pages. False: not a reservation, or nothing in it.
  bool unreserve(std::uint64_t address, std::uint64_t size);
  // Maps what `mapping` says, but for its id; false also when something is mapped there.
  bool map(std::uint64_t address, VirtualRanges::Mapping mapping);
  bool unmap(std::uint64_t address, std::uint64_t size);
  bool set_access(std::uint64_t address, std::uint64_t size, MemoryAccess access);
  // See VirtualRanges::access().
  [[nodiscard]] std::optional<std::pair<MemoryAccess, std::uint64_t>> access(
      std::uint64_t address) const;

  // The allocation that holds `address`, interior pointers included. Each mapping is one.
  [[nodiscard]] std::optional<Allocation> find(std::uint64_t address) const;

  // All of them, by address.
  [[nodiscard]] std::vector<Allocation> allocations() const;
  // Calls `read` for each, by address. None comes or goes meanwhile, whoever else holds no Device::Pause
  // (the resources of a launch that is not running are released without one). `read` makes no call here.
  void read_all(const std::function<void(const Allocation&)>& read) const;
  // The same for the one that holds `address`; false: there is none.
  bool read_at(std::uint64_t address, const std::function<void(const Allocation&)>& read) const;

  // Whether the address is one that allocations get. What is no allocation there is nobody's.
  [[nodiscard]] bool owns(std::uint64_t address) const;
  // The program's own memory, if it is shared; null at addresses that allocations get, and when it is not.
  [[nodiscard]] ProgramMemory* program_memory(std::uint64_t address) const;
  [[nodiscard]] bool shares_program_memory() const;
  // A launch begins: the program may have mapped or unmapped something since the last one.
  void forget_program_memory() const;

  // Base that 32-bit instruction pointers are relative to.
  [[nodiscard]] std::uint64_t instruction_base() const;
  [[nodiscard]] std::uint64_t general_state_base() const;
  [[nodiscard]] std::uint64_t surface_state_base() const;
  [[nodiscard]] std::uint64_t surface_state_size() const;  // bytes, all of them backed

  // Changes with every allocate and release: lets callers keep windows, or a list of all.
  [[nodiscard]] std::uint64_t generation() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xesim::device
