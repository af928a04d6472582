// The device's global address space. A GPU virtual address is the host address of the memory that
// backs it, so that host and shared allocations mean the same to both sides; what makes an
// address valid for the GPU is that it lies inside an allocation of this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace xesim::device {

enum class AllocationKind : std::uint8_t {
  Host, Device, Shared,    // USM
  Code,                    // ISA; inside the instruction heap
  GlobalData, ConstantData,
  Heap,                    // payloads, within 4 GiB of the general state base: the driver's own
  Image,                   // texels of an image
  Private,                 // private memory and scratch of a launch
};

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t size = 0;      // bytes asked for
  std::uint64_t mapped = 0;    // bytes backed, page rounded
  AllocationKind kind = AllocationKind::Device;
  std::uint64_t id = 0;        // unique for the life of the process
  const void* owner = nullptr; // the driver's context, for USM queries
  const void* device = nullptr;  // the driver's device that it was made for
};

class Memory {
 public:
  // Reserves the instruction heap (4 GiB of address space, below bit 47) and the data heap at
  // fixed addresses where possible, so that two runs of a program see the same ones.
  // `device_bytes`: what all allocations but host and shared ones may take together.
  explicit Memory(std::uint64_t device_bytes = UINT64_MAX);
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

  // The allocation that holds `address`, interior pointers included.
  [[nodiscard]] std::optional<Allocation> find(std::uint64_t address) const;

  // All of them, by address.
  [[nodiscard]] std::vector<Allocation> allocations() const;

  // Base that 32-bit instruction pointers are relative to.
  [[nodiscard]] std::uint64_t instruction_base() const;
  [[nodiscard]] std::uint64_t general_state_base() const;
  [[nodiscard]] std::uint64_t surface_state_base() const;
  [[nodiscard]] std::uint64_t surface_state_size() const;  // bytes, all of them backed

  // The addresses that allocations but those of code and of the driver's own heap lie in.
  [[nodiscard]] std::uint64_t data_base() const;
  [[nodiscard]] std::uint64_t data_size() const;

  // Changes with every allocate and release: lets callers cache windows.
  [[nodiscard]] std::uint64_t generation() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xesim::device
