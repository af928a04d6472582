#include "device/memory.hpp"

#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

#include "device/address_range.hpp"

namespace xesim::device {

namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

// Fixed places in the lower half of the address space, far from where Linux puts programs,
// libraries, stacks and sanitizer shadows, and below bit 47.
constexpr std::uint64_t kInstructionHeap = 0x4000'0000'0000;
constexpr std::uint64_t kGeneralStateHeap = 0x4001'0000'0000;
constexpr std::uint64_t kSurfaceStateHeap = 0x4002'0000'0000;
constexpr std::uint64_t kData = 0x4100'0000'0000;

// What 32-bit offsets from the instruction and the general state base reach.
constexpr std::uint64_t kOffsetReach = 4 * kGib;
// 2^18 surface states: more arguments than any program has in flight.
constexpr std::uint64_t kSurfaceStateBytes = 16 * 1024 * 1024;
constexpr std::uint64_t kDataReach = 1024 * kGib;

constexpr std::uint64_t kCodeAlignment = 64 * 1024;
constexpr std::uint64_t kPrefetchPadding = 512;

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// What a thread of the host found last, while nothing was allocated or released: the lock is shared,
// but taking it is not free where two threads execute.
struct Recent {
  std::uint64_t generation = 0;
  std::array<Allocation, 4> found{};
  std::size_t next = 0;
};
thread_local Recent recent;

bool holds(const Allocation& allocation, std::uint64_t address) {
  return address - allocation.address < allocation.mapped;
}

// Generations of all memories together, so that each stands for one state of one of them.
std::atomic<std::uint64_t> last_generation{0};

bool lives_on_device(AllocationKind kind) {
  return kind != AllocationKind::Host && kind != AllocationKind::Shared;
}

}  // namespace

struct Memory::Impl {
  explicit Impl(std::uint64_t bytes) : device_bytes_left(bytes) {}

  AddressRange code{kInstructionHeap, kOffsetReach, 16 * kCodeAlignment};
  AddressRange heap{kGeneralStateHeap, kOffsetReach, 16 * kCodeAlignment};
  AddressRange surfaces{kSurfaceStateHeap, kSurfaceStateBytes, kSurfaceStateBytes};
  AddressRange data{kData, kDataReach, kGib};
  std::uint64_t surface_bytes = 0;
  std::uint64_t device_bytes_left;

  // Not a shared one: when the program has ended, the C library takes those of its device's threads,
  // which run for a moment longer, for held (DeviceProcess says why).
  mutable std::mutex mutex;
  std::map<std::uint64_t, Allocation> table;  // by address
  std::uint64_t next_id = 1;
  std::atomic<std::uint64_t> generation{++last_generation};

  AddressRange& range_of(AllocationKind kind) {
    switch (kind) {
      case AllocationKind::Code: return code;
      case AllocationKind::Heap: return heap;
      default: return data;
    }
  }
};

Memory::Memory(std::uint64_t device_bytes) : impl_(std::make_unique<Impl>(device_bytes)) {
  // Offset 0 of a base means "none" in several fields, so the first pages stay unused.
  (void)impl_->code.take(kCodeAlignment, kCodeAlignment);
  (void)impl_->heap.take(kCodeAlignment, kCodeAlignment);
  const std::uint64_t size = impl_->surfaces.size();
  if (size != 0 && impl_->surfaces.take(size, kPageBytes)) {
    impl_->surface_bytes = size;
    impl_->table.emplace(impl_->surfaces.base(),
                         Allocation{impl_->surfaces.base(), size, size, AllocationKind::Heap,
                                    impl_->next_id++, nullptr, nullptr});
  }
}

Memory::~Memory() = default;

std::optional<Allocation> Memory::allocate(AllocationKind kind, std::uint64_t size,
                                           std::uint64_t alignment, const void* owner,
                                           const void* device) {
  const bool is_code = kind == AllocationKind::Code;
  const std::uint64_t granule = is_code ? kCodeAlignment : kPageBytes;
  if (alignment == 0) {
    alignment = granule;
  }
  if (size == 0 || !is_power_of_two(alignment) || size > UINT64_MAX - kPrefetchPadding) {
    return std::nullopt;
  }
  const auto mapped = round_up(is_code ? size + kPrefetchPadding : size, granule);
  if (!mapped) {
    return std::nullopt;
  }
  const std::scoped_lock lock(impl_->mutex);
  const bool is_local = lives_on_device(kind);
  if (is_local && *mapped > impl_->device_bytes_left) {
    return std::nullopt;
  }
  const auto address =
      impl_->range_of(kind).take(*mapped, alignment < granule ? granule : alignment);
  if (!address) {
    return std::nullopt;
  }
  const Allocation allocation{*address, size, *mapped, kind,
                              impl_->next_id++, owner, device};
  impl_->table.emplace(*address, allocation);
  impl_->device_bytes_left -= is_local ? *mapped : 0;
  impl_->generation = ++last_generation;
  return allocation;
}

bool Memory::release(std::uint64_t address) {
  const std::scoped_lock lock(impl_->mutex);
  const auto found = impl_->table.find(address);
  if (found == impl_->table.end() || address == impl_->surfaces.base()) {
    return false;
  }
  impl_->range_of(found->second.kind).give_back(address, found->second.mapped);
  impl_->device_bytes_left += lives_on_device(found->second.kind) ? found->second.mapped : 0;
  impl_->table.erase(found);
  impl_->generation = ++last_generation;
  return true;
}

std::optional<Allocation> Memory::find(std::uint64_t address) const {
  if (recent.generation == impl_->generation) {
    for (const Allocation& allocation : recent.found) {
      if (holds(allocation, address)) {
        return allocation;
      }
    }
  }
  const std::scoped_lock lock(impl_->mutex);
  auto next = impl_->table.upper_bound(address);
  if (next == impl_->table.begin()) {
    return std::nullopt;
  }
  const Allocation& candidate = std::prev(next)->second;
  if (!holds(candidate, address)) {
    return std::nullopt;
  }
  if (recent.generation != impl_->generation) {
    recent = {.generation = impl_->generation, .found = {}, .next = 0};
  }
  recent.found[recent.next++ % recent.found.size()] = candidate;
  return candidate;
}

std::vector<Allocation> Memory::allocations() const {
  const std::scoped_lock lock(impl_->mutex);
  std::vector<Allocation> all;
  for (const auto& [address, allocation] : impl_->table) {
    all.push_back(allocation);
  }
  return all;
}

std::uint64_t Memory::instruction_base() const { return impl_->code.base(); }
std::uint64_t Memory::general_state_base() const { return impl_->heap.base(); }
std::uint64_t Memory::surface_state_base() const { return impl_->surfaces.base(); }
std::uint64_t Memory::surface_state_size() const { return impl_->surface_bytes; }
std::uint64_t Memory::data_base() const { return impl_->data.base(); }
std::uint64_t Memory::data_size() const { return impl_->data.size(); }
std::uint64_t Memory::generation() const { return impl_->generation.load(); }

}  // namespace xesim::device
