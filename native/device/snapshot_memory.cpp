// Global memory to and from a snapshot.
#include <algorithm>
#include <cstring>

#include "device/address_range.hpp"
#include "device/snapshot.hpp"

namespace xesim::device {

namespace {

bool is_zero(const std::byte* page) {
  static constexpr std::array<std::byte, kPageBytes> kZeroes{};
  return std::memcmp(page, kZeroes.data(), kPageBytes) == 0;
}

std::string describe(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

std::vector<AllocationState> capture(const Memory& memory) {
  std::vector<AllocationState> states;
  for (const Allocation& allocation : memory.allocations()) {
    AllocationState& state = states.emplace_back();
    state.address = allocation.address;
    state.mapped = allocation.mapped;
    state.kind = allocation.kind;
    const auto* bytes = reinterpret_cast<const std::byte*>(allocation.address);
    for (std::uint64_t at = 0; at < allocation.mapped; at += kPageBytes) {
      const bool used = !is_zero(bytes + at);
      state.used.push_back(used);
      if (used) {
        state.pages.insert(state.pages.end(), bytes + at, bytes + at + kPageBytes);
      }
    }
  }
  return states;
}

std::optional<std::string> check(const std::vector<AllocationState>& states,
                                 const Memory& memory) {
  for (const AllocationState& state : states) {
    const auto found = memory.find(state.address);
    if (!found || found->address != state.address || found->mapped != state.mapped ||
        found->kind != state.kind) {
      return "the allocation of " + std::to_string(state.mapped) + " bytes at " +
             describe(state.address) + " is not there any more";
    }
    const auto used = static_cast<std::uint64_t>(
        std::ranges::count_if(state.used, [](std::uint8_t flag) { return flag != 0; }));
    if (state.used.size() != state.mapped / kPageBytes || state.pages.size() != used * kPageBytes) {
      return "the contents of the allocation at " + describe(state.address) + " are incomplete";
    }
  }
  return std::nullopt;
}

void apply(const std::vector<AllocationState>& states) {
  for (const AllocationState& state : states) {
    auto* bytes = reinterpret_cast<std::byte*>(state.address);
    const std::byte* page = state.pages.data();
    for (const std::uint8_t used : state.used) {
      if (used != 0) {
        std::memcpy(bytes, page, kPageBytes);
        page += kPageBytes;
      } else if (!is_zero(bytes)) {  // and does not take a page from the host otherwise
        std::memset(bytes, 0, kPageBytes);
      }
      bytes += kPageBytes;
    }
  }
}

}  // namespace xesim::device
