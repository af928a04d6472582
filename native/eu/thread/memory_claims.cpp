#include "eu/thread/memory_claims.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstring>

namespace xesim::eu {

namespace {

// Lines that may be kept to be taken back: 5 MB for each party.
constexpr std::size_t kMostWritten = 65536;

constexpr std::uint64_t writes(std::uint32_t mask) { return std::uint64_t{mask} << 16; }

}  // namespace

ClaimTable::ClaimTable(std::uint64_t base, std::uint64_t size)
    : base_(base), line_count_(size / kLineBytes) {
  if (line_count_ == 0) {
    return;
  }
  void* const place = mmap(nullptr, line_count_ * sizeof(Line), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // Zeroed memory is a table without claims: its period is none that begin_period() gives.
  lines_ = place == MAP_FAILED ? nullptr : static_cast<Line*>(place);
}

ClaimTable::~ClaimTable() {
  if (lines_ != nullptr) {
    munmap(static_cast<void*>(lines_), line_count_ * sizeof(Line));
  }
}

void ClaimTable::begin_period() {
  if (++period_ == 0) {
    // Periods of this number are in the table.
    madvise(static_cast<void*>(lines_), line_count_ * sizeof(Line), MADV_DONTNEED);
    period_ = 1;
  }
}

// Each party publishes its claim first and looks at the other's then, both in the one order of
// sequentially consistent operations: of two that meet at least one sees the other.
void MemoryClaims::claim_more(std::uint64_t line, std::uint64_t mine, std::uint32_t mask,
                              bool write) {
  ClaimTable::Line& claims = table_.at(line);
  if (mine >> 32 != table_.period()) {
    mine = std::uint64_t{table_.period()} << 32;
  }
  const std::uint32_t already = static_cast<std::uint32_t>(mine >> 16 & 0xFFFF);
  claims[party_].exchange(mine | (write ? writes(mask) : mask));
  const std::uint64_t others = claims[1 - party_].load();
  if (others >> 32 == table_.period() &&
      (others & (write ? writes(mask) | mask : writes(mask))) != 0) {
    throw ClaimRefused("another work-group uses the same memory");
  }
  if (!write) {
    return;
  }
  if (written_.size() == kMostWritten) {
    throw ClaimRefused("more was written than can be taken back");
  }
  Written& entry = written_.emplace_back();
  entry.line = table_.host(line);
  entry.mask = mask & ~already;
  for (std::uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
    const unsigned at = static_cast<unsigned>(std::countr_zero(rest)) * ClaimTable::kDwordBytes;
    std::memcpy(entry.before.data() + at, entry.line + at, ClaimTable::kDwordBytes);
  }
}

void MemoryClaims::outside(bool write) {
  // Code, payloads and the states of surfaces and samplers, which are read all the time; what
  // nobody writes needs no claim.
  if (write) {
    throw ClaimRefused("a write to the driver's own memory");
  }
}

void MemoryClaims::take_back() {
  for (const Written& entry : written_) {
    for (std::uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
      const unsigned at = static_cast<unsigned>(std::countr_zero(rest)) * ClaimTable::kDwordBytes;
      std::memcpy(entry.line + at, entry.before.data() + at, ClaimTable::kDwordBytes);
    }
  }
  written_.clear();
}

}  // namespace xesim::eu
