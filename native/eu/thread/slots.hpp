// The lanes of a message that something is done for.
#pragma once

#include <bit>
#include <cstdint>

namespace xesim::eu {

// Calls `visit(slot)` for every set bit.
template <typename Visitor>
inline void for_each_slot(std::uint32_t slots, Visitor visit) {
  // Lanes that are all enabled are most frequent, and need no search for the next one.
  if (slots == 0xFFFF) {
    for (unsigned slot = 0; slot < 16; ++slot) visit(slot);
    return;
  }
  if (slots == 0xFF) {
    for (unsigned slot = 0; slot < 8; ++slot) visit(slot);
    return;
  }
  for (; slots != 0; slots &= slots - 1) {
    visit(static_cast<unsigned>(std::countr_zero(slots)));
  }
}

}  // namespace xesim::eu
