// Which memory each of two host threads has used that execute hardware threads side by side, so
// that neither ever touches what the other one has written, nor writes what it has read.
//
// A claim comes before the access, so that two that would race never happen: whoever comes second
// throws. What was written can be taken back. The method is that of transactional memory in which
// conflicts are found when they arise and memory is changed in place (Moore and others, "LogTM",
// HPCA 2006), with two transactions.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "eu/thread/slots.hpp"

namespace xesim::eu {

// The access cannot be made side by side with another host thread: it has not been made.
class ClaimRefused : public std::exception {
 public:
  // A string literal.
  explicit ClaimRefused(const char* reason) : reason_(reason) {}
  [[nodiscard]] const char* what() const noexcept override { return reason_; }

 private:
  const char* reason_;
};

// What both have claimed of a range of memory, by dwords.
class ClaimTable {
 public:
  static constexpr std::uint64_t kLineBytes = 64;
  static constexpr unsigned kDwordBytes = 4;
  static constexpr unsigned kParties = 2;

  // Of one party, on a line: bits 63:32 the period that they were made in, 31:16 dwords that it
  // wrote, 15:0 dwords that it read.
  using Claims = std::atomic<std::uint64_t>;
  using Line = std::array<Claims, kParties>;

  // For the `size` bytes of memory at `base`, a multiple of a line. Takes address space of a quarter
  // of that, and memory for what is claimed.
  ClaimTable(std::uint64_t base, std::uint64_t size);
  ~ClaimTable();
  ClaimTable(const ClaimTable&) = delete;
  ClaimTable& operator=(const ClaimTable&) = delete;

  // False: the host has no room for it, and nothing can be claimed.
  [[nodiscard]] bool usable() const { return lines_ != nullptr; }

  // Drops all claims. Nobody may be claiming.
  void begin_period();
  [[nodiscard]] std::uint32_t period() const { return period_; }

  // The line's number, or one beyond lines() for memory outside the range.
  [[nodiscard]] std::uint64_t line_of(std::uintptr_t address) const {
    return (address - base_) / kLineBytes;
  }
  [[nodiscard]] std::uint64_t lines() const { return line_count_; }
  [[nodiscard]] Line& at(std::uint64_t line) const { return lines_[line]; }
  // Where the line's bytes are.
  [[nodiscard]] std::byte* host(std::uint64_t line) const {
    return reinterpret_cast<std::byte*>(base_ + line * kLineBytes);
  }

 private:
  std::uint64_t base_;
  std::uint64_t line_count_;
  Line* lines_ = nullptr;
  std::uint32_t period_ = 0;
};

// One party's claims of the current period.
class MemoryClaims {
 public:
  // `party`: 0 or 1, each used by one host thread at a time.
  MemoryClaims(ClaimTable& table, unsigned party) : table_(table), party_(party) {}

  // Before `size` bytes (at least 1) at `host` are read or written. Throws ClaimRefused.
  void claim(const std::byte* host, std::uint32_t size, bool write) {
    const auto address = reinterpret_cast<std::uintptr_t>(host);
    const std::uint64_t last = table_.line_of(address + size - 1);
    std::uint32_t first_byte = address % ClaimTable::kLineBytes;
    for (std::uint64_t line = table_.line_of(address);; ++line) {
      const std::uint32_t last_byte =
          line == last ? (address + size - 1) % ClaimTable::kLineBytes : ClaimTable::kLineBytes - 1;
      claim_dwords(line, dwords(first_byte, last_byte), write);
      if (line == last) return;
      first_byte = 0;
    }
  }

  // The same for `size` bytes at the place of each slot of `slots`.
  template <typename Hosts>
  void claim_slots(const Hosts& hosts, std::uint32_t slots, std::uint32_t size, bool write) {
    std::uint64_t line = UINT64_MAX;
    std::uint32_t mask = 0;  // of dwords of `line` that are not claimed yet
    for_each_slot(slots, [&](unsigned slot) {
      const auto address = reinterpret_cast<std::uintptr_t>(hosts[slot]);
      const std::uint32_t first_byte = address % ClaimTable::kLineBytes;
      const std::uint64_t here = table_.line_of(address);
      if (first_byte + size > ClaimTable::kLineBytes) {
        claim(hosts[slot], size, write);
        return;
      }
      if (here != line) {
        if (mask != 0) claim_dwords(line, mask, write);
        line = here;
        mask = 0;
      }
      mask |= dwords(first_byte, first_byte + size - 1);
    });
    if (mask != 0) claim_dwords(line, mask, write);
  }

  // Puts back what was in memory that the party wrote in this period; nobody may be executing.
  void take_back();
  // What was written stays.
  void keep() { written_.clear(); }

 private:
  struct Written {
    std::byte* line;
    std::uint32_t mask;   // of its dwords
    std::array<std::byte, ClaimTable::kLineBytes> before;
  };

  static std::uint32_t dwords(std::uint32_t first_byte, std::uint32_t last_byte) {
    const std::uint32_t first = first_byte / ClaimTable::kDwordBytes;
    const std::uint32_t last = last_byte / ClaimTable::kDwordBytes;
    return (2u << last) - (1u << first);
  }

  void claim_dwords(std::uint64_t line, std::uint32_t mask, bool write) {
    if (line >= table_.lines()) {
      outside(write);
      return;
    }
    const std::uint64_t mine =
        table_.at(line)[party_].load(std::memory_order_relaxed);
    const auto wrote = static_cast<std::uint32_t>(mine >> 16 & 0xFFFF);
    const std::uint32_t has = write ? wrote : wrote | static_cast<std::uint32_t>(mine & 0xFFFF);
    if (mine >> 32 != table_.period() || (mask & ~has) != 0) {
      claim_more(line, mine, mask, write);
    }
  }

  void claim_more(std::uint64_t line, std::uint64_t mine, std::uint32_t mask, bool write);
  static void outside(bool write);

  ClaimTable& table_;
  unsigned party_;
  std::vector<Written> written_;
};

}  // namespace xesim::eu
