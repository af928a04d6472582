// Checks that what a program can read and write of its own memory is found out without a signal, also when it
// changes under way. Exit 1 and one line when something is wrong.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "device/address_range.hpp"
#include "device/memory.hpp"
#include "device/memory_view.hpp"
#include "device/program_memory.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim::device;

constexpr std::uint64_t kPages = 40;

void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

std::uint64_t map(int protection, int file = -1) {
  void* const pages = mmap(nullptr, kPages * kPageBytes, protection,
                           file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
  require(pages != MAP_FAILED, "mmap");
  return reinterpret_cast<std::uint64_t>(pages);
}

void protect(std::uint64_t address, int protection) {
  require(mprotect(reinterpret_cast<void*>(address), kPageBytes, protection) == 0, "mprotect");
}

void unmap(std::uint64_t address, std::uint64_t pages) {
  require(munmap(reinterpret_cast<void*>(address), pages * kPageBytes) == 0, "munmap");
}

void uses() {
  const std::uint64_t pages = map(PROT_READ | PROT_WRITE);
  const std::uint64_t all = kPages * kPageBytes;
  require(!first_unusable(pages + 5, all - 5, MemoryUse::Write), "all of it is writable");
  protect(pages + 7 * kPageBytes, PROT_READ);
  require(!first_unusable(pages, all, MemoryUse::Read), "all of it is readable");
  require(first_unusable(pages + 5, all - 5, MemoryUse::Write) == pages + 7 * kPageBytes,
          "a read-only page");
  protect(pages + 6 * kPageBytes, PROT_NONE);
  require(first_unusable(pages, all, MemoryUse::Read) == pages + 6 * kPageBytes, "a hidden page");
  unmap(pages + 3 * kPageBytes, 1);
  require(first_unusable(pages, all, MemoryUse::Read) == pages + 3 * kPageBytes, "a hole");
  require(first_unusable(pages + 3 * kPageBytes + 9, 1, MemoryUse::Read) ==
              pages + 3 * kPageBytes + 9,
          "inside of a hole");
  unmap(pages, kPages);
}

// What is said of a page that comes and goes is of that page, whenever it is looked at.
void another_thread_changes_it() {
  const std::uint64_t pages = map(PROT_READ | PROT_WRITE);
  const std::uint64_t changing = pages + 7 * kPageBytes;
  std::atomic<bool> done = false;
  std::thread changes([&] {
    while (!done) {
      mprotect(reinterpret_cast<void*>(changing), kPageBytes, PROT_NONE);
      mprotect(reinterpret_cast<void*>(changing), kPageBytes, PROT_READ);
    }
  });
  bool is_of_the_page = true;
  for (int round = 0; round < 20'000; ++round) {
    const auto unusable = first_unusable(pages, kPages * kPageBytes, MemoryUse::Read);
    is_of_the_page &= !unusable || *unusable == changing;
  }
  done = true;
  changes.join();
  unmap(pages, kPages);
  require(is_of_the_page, "a page that another thread hides and shows");
}

void stretches() {
  ProgramMemory memory;
  const std::uint64_t pages = map(PROT_READ | PROT_WRITE);
  protect(pages + 20 * kPageBytes, PROT_READ);
  const auto first = memory.stretch(pages + 5);
  require(first && first->begin <= pages && first->end == pages + 20 * kPageBytes &&
              first->writable,
          "as far as the read-only page");
  const auto second = memory.stretch(pages + 20 * kPageBytes);
  require(second && second->end == pages + 21 * kPageBytes && !second->writable, "read-only");
  const auto near = memory.block(pages + 18 * kPageBytes);
  require(near && near->begin <= pages + 18 * kPageBytes && near->end <= first->end &&
              near->end - near->begin <= 16 * kPageBytes,
          "a block");
  // Without a word to it: what is listed is not there any more, or is there only now.
  unmap(pages + 18 * kPageBytes, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a look holds for less
  require(!memory.block(pages + 18 * kPageBytes), "unmapped since");
  const auto beside = memory.block(pages + 17 * kPageBytes);
  require(beside && beside->end == pages + 18 * kPageBytes, "beside what was unmapped");
  require(mmap(reinterpret_cast<void*>(pages + 18 * kPageBytes), kPageBytes, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED,
          "mmap");
  require(memory.block(pages + 18 * kPageBytes).has_value(), "mapped since");
  // What a launch finds is nothing to go by for the next one.
  require(memory.block(pages).has_value(), "found before");
  unmap(pages, kPages);
  memory.forget();
  require(!memory.block(pages), "unmapped before a launch");
}

void files() {
  const int file = memfd_create("file", MFD_CLOEXEC);
  require(file >= 0 && ftruncate(file, 4 * kPageBytes) == 0, "memfd_create");
  const std::uint64_t pages = map(PROT_READ | PROT_WRITE, file);
  ProgramMemory memory;
  require(memory.block(pages + 3 * kPageBytes).has_value(), "the file's last page");
  require(!memory.block(pages + 4 * kPageBytes), "beyond the file's end");
  require(first_unusable(pages, 5 * kPageBytes, MemoryUse::Read) == pages + 4 * kPageBytes,
          "as far as the file's end");
  unmap(pages, kPages);
  close(file);
}

void addresses_of_the_device() {
  Memory memory(std::uint64_t{1} << 30, true);
  int own = 0;
  const auto address = reinterpret_cast<std::uint64_t>(&own);
  require(program_window(memory, address).size != 0, "of the program");
  require(program_window(Memory(std::uint64_t{1} << 30), address).size == 0, "not shared");
  const auto allocation = memory.allocate(AllocationKind::Device, kPageBytes, 0, nullptr);
  require(memory.owns(allocation->address) && !memory.owns(address), "whose address it is");
  require(memory.release(allocation->address), "release");
  require(program_window(memory, allocation->address).size == 0, "released is nobody's");
  const auto reserved = memory.reserve(std::uint64_t{4} << 40, 0);
  require(reserved && memory.owns(*reserved) && memory.owns(*reserved + (3ull << 40)),
          "reserved apart");
  require(memory.unreserve(*reserved, std::uint64_t{4} << 40) && !memory.owns(*reserved),
          "reserved no more");
  require(!memory.reserve(std::uint64_t{1} << 50, 0), "more than the process has");
}

void test() {
  uses();
  another_thread_changes_it();
  stretches();
  files();
  addresses_of_the_device();
}

}  // namespace

int main() { return xesim::tests::run_program(test); }
