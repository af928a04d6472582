#include "device/program_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "device/address_range.hpp"

namespace xesim::device {

namespace {

// linux/mman.h: faults the pages in as a read or a write would, and fails where that would end in a
// signal. C libraries before 2.35 do not name them.
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;

constexpr std::uint64_t kPagesAtOnce = 4096;
constexpr std::uint64_t kBlockBytes = 64 * 1024;

// About a long turn of a thread, which itself looks only once.
constexpr std::chrono::microseconds kLookHolds{50};

// What a thread of the host found last. A kernel of many short threads would else have Linux look at
// each page of a block for every one of them.
struct Look {
  std::uint64_t generation = 0;
  std::chrono::steady_clock::time_point until;
  ProgramMemory::Part part;
};
thread_local std::array<Look, 4> looks;
thread_local std::size_t next_look = 0;

// Of all program memories together, so that each stands for one state of one of them.
std::atomic<std::uint64_t> last_generation{0};

std::uint64_t page_of(std::uint64_t address) { return address & ~(kPageBytes - 1); }

bool populate(std::uint64_t page, std::uint64_t size, MemoryUse use) {
  return madvise(reinterpret_cast<void*>(page), size,
                 use == MemoryUse::Write ? kPopulateWrite : kPopulateRead) == 0;
}

// Whether Linux knows the advice at all: it can be given for a page that is surely there.
bool can_populate() {
  alignas(kPageBytes) static std::array<std::byte, kPageBytes> page{};
  static const bool can =
      populate(reinterpret_cast<std::uint64_t>(page.data()), kPageBytes, MemoryUse::Read);
  return can;
}

// From a page on, kPagesAtOnce of them at most.
bool is_usable(std::uint64_t page, std::uint64_t size, MemoryUse use) {
  if (can_populate()) {
    return populate(page, size, use);
  }
  std::array<unsigned char, kPagesAtOnce> residence;
  return mincore(reinterpret_cast<void*>(page), size, residence.data()) == 0 || errno != ENOMEM;
}

// proc_pid_maps(5): "begin-end rwxp offset device inode path", by address.
std::vector<ProgramMemory::Part> list_parts() {
  std::vector<ProgramMemory::Part> parts;
  std::ifstream list("/proc/self/maps");
  for (std::string line; std::getline(list, line);) {
    ProgramMemory::Part part;
    std::array<char, 5> permissions{};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &part.begin, &part.end,
                    permissions.data()) != 3 ||
        permissions[0] != 'r') {
      continue;
    }
    part.writable = permissions[1] == 'w';
    if (!parts.empty() && parts.back().end == part.begin &&
        parts.back().writable == part.writable) {
      parts.back().end = part.end;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace

std::optional<std::uint64_t> first_unusable(std::uint64_t address, std::uint64_t size,
                                            MemoryUse use) {
  const std::uint64_t end = address + size;
  for (std::uint64_t at = page_of(address); at < end; at += kPageBytes * kPagesAtOnce) {
    const std::uint64_t stretch = std::min(at + kPageBytes * kPagesAtOnce, end);
    if (is_usable(at, stretch - at, use)) {
      continue;
    }
    // All of them may be usable by now: the program maps memory meanwhile.
    for (std::uint64_t page = at; page < stretch; page += kPageBytes) {
      if (!is_usable(page, kPageBytes, use)) {
        return std::max(page, address);
      }
    }
  }
  return std::nullopt;
}

ProgramMemory::ProgramMemory() : generation_(++last_generation) {}

std::optional<ProgramMemory::Part> ProgramMemory::stretch(std::uint64_t address) {
  const auto find = [&]() -> std::optional<Part> {
    const auto after = std::ranges::upper_bound(parts_, address, {}, &Part::begin);
    if (after == parts_.begin() || address >= std::prev(after)->end) {
      return std::nullopt;
    }
    return *std::prev(after);
  };
  const std::scoped_lock lock(mutex_);
  if (const auto found = find()) {
    return found;
  }
  parts_ = list_parts();
  return find();
}

std::optional<ProgramMemory::Part> ProgramMemory::block(std::uint64_t address) {
  const std::uint64_t generation = generation_;
  const auto now = std::chrono::steady_clock::now();
  for (const Look& look : looks) {
    if (address >= look.part.begin && address < look.part.end && look.generation == generation &&
        now < look.until) {
      return look.part;
    }
  }
  const auto found = look_at_block(address);
  if (found) {
    looks[next_look++ % looks.size()] = {generation, now + kLookHolds, *found};
  }
  return found;
}

std::optional<ProgramMemory::Part> ProgramMemory::look_at_block(std::uint64_t address) {
  for (const bool is_listed_anew : {false, true}) {
    if (is_listed_anew) {
      forget();
    }
    const auto whole = stretch(address);
    if (!whole) {
      return std::nullopt;
    }
    for (const std::uint64_t size : {kBlockBytes, kPageBytes}) {
      const std::uint64_t begin = std::max(whole->begin, address & ~(size - 1));
      const std::uint64_t end = std::min(whole->end, (address & ~(size - 1)) + size);
      if (!first_unusable(begin, end - begin, MemoryUse::Read)) {
        return Part{begin, end, whole->writable};
      }
    }
  }
  return std::nullopt;
}

void ProgramMemory::forget() {
  const std::scoped_lock lock(mutex_);
  parts_.clear();
  generation_ = ++last_generation;
}

}  // namespace xesim::device
