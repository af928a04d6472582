#include "device/memory.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

#include "device/address_range.hpp"

namespace xesim::device {

namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

// Fixed places in the lower half of the address space, far from where Linux puts programs,
// libraries, stacks and sanitizer shadows, and below bit 47.
// Below them 64 TiB are free in one piece, for a program that reserves as much.
constexpr std::uint64_t kData = 0x4100'0000'0000;
constexpr std::uint64_t kInstructionHeap = 0x4200'0000'0000;
constexpr std::uint64_t kGeneralStateHeap = 0x4201'0000'0000;
constexpr std::uint64_t kSurfaceStateHeap = 0x4202'0000'0000;

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

// The host may always read and write what is mapped: the device keeps to the access attributes.
bool map_pages(const SharedPages& pages, std::uint64_t address, std::uint64_t size,
               std::uint64_t offset) {
  return mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED, pages.descriptor(),
              static_cast<off_t>(offset)) != MAP_FAILED;
}

void hide_pages(std::uint64_t address, std::uint64_t size) {
  mmap(reinterpret_cast<void*>(address), size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

// Puts the `size` bytes at `address` into `pages`, but for pages of zeroes.
bool copy_to(const SharedPages& pages, std::uint64_t address, std::uint64_t size) {
  static constexpr std::array<std::byte, kPageBytes> kZeroes{};
  for (std::uint64_t at = 0; at < size; at += kPageBytes) {
    const auto* page = reinterpret_cast<const std::byte*>(address + at);
    if (std::memcmp(page, kZeroes.data(), kPageBytes) != 0 &&
        pwrite(pages.descriptor(), page, kPageBytes, static_cast<off_t>(at)) !=
            static_cast<ssize_t>(kPageBytes)) {
      return false;
    }
  }
  return true;
}

bool lives_on_device(AllocationKind kind) {
  return kind != AllocationKind::Host && kind != AllocationKind::Shared &&
         kind != AllocationKind::Mapped && kind != AllocationKind::MappedHost;
}

}  // namespace

struct Memory::Impl {
  Impl(std::uint64_t bytes, bool shares) : device_bytes_left(bytes), shares_program(shares) {}

  AddressRange code{kInstructionHeap, kOffsetReach, 16 * kCodeAlignment};
  AddressRange heap{kGeneralStateHeap, kOffsetReach, 16 * kCodeAlignment};
  AddressRange surfaces{kSurfaceStateHeap, kSurfaceStateBytes, kSurfaceStateBytes};
  AddressRange data{kData, kDataReach, kGib};
  std::map<std::uint64_t, AddressRange> reserved_apart;  // what `data` has no room for, by address
  std::uint64_t surface_bytes = 0;
  std::uint64_t device_bytes_left;
  const bool shares_program;
  ProgramMemory program;

  // Not a shared one: when the program has ended, the C library takes those of its device's threads,
  // which run for a moment longer, for held (DeviceProcess says why).
  mutable std::mutex mutex;
  std::map<std::uint64_t, Allocation> table;  // by address
  std::map<std::uint64_t, std::shared_ptr<const SharedPages>> shared;  // pages of allocations
  VirtualRanges ranges;
  std::uint64_t next_id = 1;
  std::atomic<std::uint64_t> generation{++last_generation};

  // Lists the mappings of the reservation that holds `address` as they are now.
  void list_mappings(std::uint64_t address) {
    const auto [base, size] = *ranges.reservation(address);
    table.erase(table.lower_bound(base), table.lower_bound(base + size));
    for (const auto& [start, mapping] : ranges.within(base, size)) {
      if (mapping->access == MemoryAccess::None) continue;
      table[start] = {start, mapping->size, mapping->size,
                      mapping->is_host ? AllocationKind::MappedHost : AllocationKind::Mapped,
                      mapping->id, mapping->owner, mapping->device,
                      mapping->access == MemoryAccess::ReadWrite,
                      mapping->pages->identity(), mapping->offset};
    }
    generation = ++last_generation;
  }

  AddressRange& range_of(AllocationKind kind) {
    switch (kind) {
      case AllocationKind::Code: return code;
      case AllocationKind::Heap: return heap;
      default: return data;
    }
  }
};

Memory::Memory(std::uint64_t device_bytes, bool shares_program_memory)
    : impl_(std::make_unique<Impl>(device_bytes, shares_program_memory)) {
  // Offset 0 of a base means "none" in several fields, so the first pages stay unused.
  (void)impl_->code.take(kCodeAlignment, kCodeAlignment);
  (void)impl_->heap.take(kCodeAlignment, kCodeAlignment);
  const std::uint64_t size = impl_->surfaces.size();
  if (size != 0 && impl_->surfaces.take(size, kPageBytes)) {
    impl_->surface_bytes = size;
    impl_->table.emplace(impl_->surfaces.base(),
                         Allocation{impl_->surfaces.base(), size, size, AllocationKind::Heap,
                                    impl_->next_id++, nullptr, nullptr, true});
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
                              impl_->next_id++, owner, device, true};
  impl_->table.emplace(*address, allocation);
  impl_->device_bytes_left -= is_local ? *mapped : 0;
  impl_->generation = ++last_generation;
  return allocation;
}

bool Memory::release(std::uint64_t address) {
  const std::scoped_lock lock(impl_->mutex);
  const auto found = impl_->table.find(address);
  if (found == impl_->table.end() || address == impl_->surfaces.base() ||
      impl_->ranges.reservation(address)) {
    return false;
  }
  impl_->range_of(found->second.kind).give_back(address, found->second.mapped);
  impl_->device_bytes_left += lives_on_device(found->second.kind) ? found->second.mapped : 0;
  impl_->shared.erase(address);
  impl_->table.erase(found);
  impl_->generation = ++last_generation;
  return true;
}

std::shared_ptr<const SharedPages> Memory::share(std::uint64_t address) {
  const std::scoped_lock lock(impl_->mutex);
  const auto found = impl_->table.find(address);
  if (found == impl_->table.end() || &impl_->range_of(found->second.kind) != &impl_->data ||
      impl_->ranges.reservation(address)) {
    return nullptr;
  }
  auto& pages = impl_->shared[address];
  if (pages == nullptr) {
    const std::uint64_t size = found->second.mapped;
    // It may be imported as physical memory, which has larger pages.
    auto made = SharedPages::create(round_up(size, kPhysicalPageBytes).value_or(size));
    if (made == nullptr || !copy_to(*made, address, size) || !map_pages(*made, address, size, 0)) {
      impl_->shared.erase(address);
      return nullptr;
    }
    pages = std::move(made);
    found->second.pages = pages->identity();
    impl_->generation = ++last_generation;
  }
  return pages;
}

Memory::Place Memory::shared(std::uint64_t address) const {
  const std::scoped_lock lock(impl_->mutex);
  if (const auto mapped = impl_->ranges.mapping(address)) {
    return {mapped->second->pages, mapped->second->offset + (address - mapped->first)};
  }
  auto next = impl_->shared.upper_bound(address);
  if (next == impl_->shared.begin()) {
    return {};
  }
  const auto& [start, pages] = *std::prev(next);
  const std::uint64_t offset = address - start;
  return offset < impl_->table.at(start).mapped ? Place{pages, offset} : Place{};
}

std::optional<Allocation> Memory::import(const std::shared_ptr<const SharedPages>& pages,
                                         AllocationKind kind, std::uint64_t size,
                                         std::uint64_t alignment, const void* owner,
                                         const void* device) {
  const auto allocation = allocate(kind, size, alignment, owner, device);
  if (!allocation) {
    return std::nullopt;
  }
  const std::scoped_lock lock(impl_->mutex);
  if (pages->size() < allocation->mapped ||
      !map_pages(*pages, allocation->address, allocation->mapped, 0)) {
    impl_->range_of(kind).give_back(allocation->address, allocation->mapped);
    impl_->device_bytes_left += lives_on_device(kind) ? allocation->mapped : 0;
    impl_->table.erase(allocation->address);
    impl_->generation = ++last_generation;
    return std::nullopt;
  }
  impl_->shared[allocation->address] = pages;
  Allocation& imported = impl_->table[allocation->address];
  imported.pages = pages->identity();
  impl_->generation = ++last_generation;
  return imported;
}

std::optional<std::uint64_t> Memory::reserve(std::uint64_t size, std::uint64_t start) {
  const std::scoped_lock lock(impl_->mutex);
  auto address = impl_->data.reserve(size, kPageBytes, start);
  if (!address) {
    AddressRange apart(start, size, size);
    if (apart.size() == 0) {
      return std::nullopt;
    }
    address = apart.base();
    impl_->reserved_apart.emplace(*address, std::move(apart));
  }
  impl_->ranges.reserve(*address, size);
  return address;
}

bool Memory::unreserve(std::uint64_t address, std::uint64_t size) {
  const std::scoped_lock lock(impl_->mutex);
  if (!impl_->ranges.release(address, size)) {
    return false;
  }
  impl_->table.erase(impl_->table.lower_bound(address), impl_->table.lower_bound(address + size));
  if (impl_->reserved_apart.erase(address) == 0) {
    impl_->data.give_back(address, size);
  }
  impl_->generation = ++last_generation;
  return true;
}

bool Memory::map(std::uint64_t address, VirtualRanges::Mapping mapping) {
  const std::scoped_lock lock(impl_->mutex);
  const std::uint64_t size = mapping.size;
  const std::uint64_t offset = mapping.offset;
  const auto pages = mapping.pages;
  mapping.id = impl_->next_id++;
  if (!impl_->ranges.is_reserved(address, size) || offset > pages->size() ||
      size > pages->size() - offset || !impl_->ranges.map(address, std::move(mapping))) {
    return false;
  }
  if (!map_pages(*pages, address, size, offset)) {
    impl_->ranges.unmap(address);
    return false;
  }
  impl_->list_mappings(address);
  return true;
}

bool Memory::unmap(std::uint64_t address, std::uint64_t size) {
  const std::scoped_lock lock(impl_->mutex);
  if (!impl_->ranges.is_reserved(address, size)) {
    return false;
  }
  for (const auto& [start, mapping] : impl_->ranges.within(address, size)) {
    hide_pages(start, mapping->size);
    impl_->ranges.unmap(start);
  }
  impl_->list_mappings(address);
  return true;
}

bool Memory::set_access(std::uint64_t address, std::uint64_t size, MemoryAccess access) {
  const std::scoped_lock lock(impl_->mutex);
  if (!impl_->ranges.is_reserved(address, size)) {
    return false;
  }
  impl_->ranges.set_access(address, access);
  for (const auto& [start, mapping] : impl_->ranges.within(address, size)) {
    mapping->access = access;
  }
  impl_->list_mappings(address);
  return true;
}

std::optional<std::pair<MemoryAccess, std::uint64_t>> Memory::access(std::uint64_t address) const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->ranges.access(address);
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

void Memory::read_all(const std::function<void(const Allocation&)>& read) const {
  const std::scoped_lock lock(impl_->mutex);
  for (const auto& [address, allocation] : impl_->table) {
    read(allocation);
  }
}

bool Memory::read_at(std::uint64_t address,
                     const std::function<void(const Allocation&)>& read) const {
  const std::scoped_lock lock(impl_->mutex);
  const auto next = impl_->table.upper_bound(address);
  if (next == impl_->table.begin() || !holds(std::prev(next)->second, address)) {
    return false;
  }
  read(std::prev(next)->second);
  return true;
}

bool Memory::owns(std::uint64_t address) const {
  for (const AddressRange* range :
       {&impl_->code, &impl_->heap, &impl_->surfaces, &impl_->data}) {
    if (range->holds(address)) {
      return true;
    }
  }
  const std::scoped_lock lock(impl_->mutex);
  const auto next = impl_->reserved_apart.upper_bound(address);
  return next != impl_->reserved_apart.begin() && std::prev(next)->second.holds(address);
}

ProgramMemory* Memory::program_memory(std::uint64_t address) const {
  return impl_->shares_program && !owns(address) ? &impl_->program : nullptr;
}

bool Memory::shares_program_memory() const { return impl_->shares_program; }

void Memory::forget_program_memory() const { impl_->program.forget(); }

std::uint64_t Memory::instruction_base() const { return impl_->code.base(); }
std::uint64_t Memory::general_state_base() const { return impl_->heap.base(); }
std::uint64_t Memory::surface_state_base() const { return impl_->surfaces.base(); }
std::uint64_t Memory::surface_state_size() const { return impl_->surface_bytes; }
std::uint64_t Memory::generation() const { return impl_->generation.load(); }

}  // namespace xesim::device
