// Checks the address space and surface states; prints the addresses of a fixed sequence of
// allocations, so that two runs can be compared. Exit 1 and one line when something is wrong.
#include <cstring>
#include <iostream>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "device/memory.hpp"
#include "device/surface_state.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim::device;

void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

void allocations() {
  Memory memory(std::uint64_t{1} << 30);
  for (const auto kind : {AllocationKind::Host, AllocationKind::Device, AllocationKind::Code,
                          AllocationKind::Heap, AllocationKind::Private}) {
    const auto made = memory.allocate(kind, 5000, 0, nullptr);
    require(made.has_value(), "allocation");
    std::cout << std::hex << made->address << ' ' << made->mapped << '\n';
    require(made->address < std::uint64_t{1} << 47, "below bit 47");
    const auto* bytes = reinterpret_cast<const unsigned char*>(made->address);
    require(bytes[0] == 0 && bytes[4999] == 0, "zeroed");
    std::memset(reinterpret_cast<void*>(made->address), 0xA5, 5000);
    require(memory.find(made->address + made->mapped - 1)->id == made->id, "interior pointer");
    require(!memory.find(made->address + made->mapped).has_value(), "one beyond");
    require(!memory.release(made->address + 1), "release needs the start");
    const std::uint64_t generation = memory.generation();
    require(memory.release(made->address) && memory.generation() != generation, "release");
    require(!memory.find(made->address).has_value(), "released");
    const auto again = memory.allocate(kind, 5000, 0, nullptr);
    require(again->address == made->address && again->id != made->id, "first fit");
    require(*reinterpret_cast<const unsigned char*>(again->address) == 0, "zeroed again");
  }
  const auto aligned = memory.allocate(AllocationKind::Shared, 1, 1 << 21, nullptr);
  require(aligned->address % (1 << 21) == 0, "alignment");
  require(!memory.allocate(AllocationKind::Device, 1, 3, nullptr), "no power of two");
  require(!memory.allocate(AllocationKind::Device, UINT64_MAX, 0, nullptr), "absurd size");
  require(!memory.allocate(AllocationKind::Device, std::uint64_t{1} << 30, 0, nullptr), "no room");
  const auto code = memory.allocate(AllocationKind::Code, 65536, 0, nullptr);
  require(code->mapped == 2 * 65536, "room for prefetch after code");
  require(code->address - memory.instruction_base() < std::uint64_t{1} << 32, "in the heap");
}

void surfaces() {
  // Sizes around every border of the split into width, height and depth.
  for (const unsigned bit : {0u, 1u, 6u, 7u, 8u, 20u, 21u, 22u, 31u}) {
    for (const std::uint64_t change : {-1, 0, 1}) {
      const std::uint64_t size = (std::uint64_t{1} << bit) + change;
      if (size == 0) {
        continue;
      }
      const auto surface = decode_surface_state(buffer_surface_state(0x4100'1234'5040, size));
      require(surface.valid && !surface.scratch && surface.base == 0x4100'1234'5040 &&
                  surface.size == size,
              "buffer of " + std::to_string(size));
    }
  }
  require(!decode_surface_state(buffer_surface_state(0, 0)).valid, "null surface");
  require(!decode_surface_state({}).valid, "a one-dimensional image");
  const auto scratch = decode_surface_state(scratch_surface_state(0x4100'0000'0000, 8192, 4096));
  require(scratch.valid && scratch.scratch && scratch.size == 8192, "scratch");

  Memory memory;
  SurfaceHeap heap(memory);
  const auto first = heap.add(buffer_surface_state(0x1000, 64));
  const auto second = heap.add(buffer_surface_state(0x2000, 64));
  require(*first != 0 && *first % kSurfaceStateBytes == 0 && *second != *first, "slots");
  require(decode_surface_state(heap.read(*second)).base == 0x2000, "stored");
  heap.remove(*first);
  require(!decode_surface_state(heap.read(*first)).valid, "removed");
  require(*heap.add(buffer_surface_state(0x3000, 64)) == *first, "used again");
  require(!decode_surface_state(heap.read(*second + 4)).valid, "not aligned");
  require(!decode_surface_state(heap.read(0xFFFF'FFC0)).valid, "outside the heap");
  std::vector<std::uint32_t> entries(17);
  std::iota(entries.begin(), entries.end(), 100);
  const auto table = heap.add_table(entries);
  require(*table % kSurfaceStateBytes == 0 && *table > *second, "a table of its own");
  require(heap.table_entry(*table, 0) == 100 && heap.table_entry(*table, 16) == 116, "its entries");
  const auto after = heap.add(buffer_surface_state(0x5000, 64));
  require(*after == *table + 2 * kSurfaceStateBytes, "after the table");
  heap.remove_table(*table, entries.size());
  require(!decode_surface_state(heap.read(*table + kSurfaceStateBytes)).valid, "removed table");
  heap.remove(*first);
  require(*heap.add_table(entries) == *table, "neighbouring slots are used again");
  heap.remove_table(*table, entries.size());
  require(heap.add_table(std::span(entries).first(16)).has_value(), "a table of one slot");
  std::uint32_t count = 3;
  while (heap.add(buffer_surface_state(0x4000, 64))) {
    ++count;
  }
  require(count == memory.surface_state_size() / kSurfaceStateBytes - 1, "all slots but the null");
}

}  // namespace

int main() {
  return xesim::tests::run_program([] {
    allocations();
    surfaces();
  });
}
