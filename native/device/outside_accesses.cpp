#include "device/outside_accesses.hpp"

#include <sstream>

namespace xesim::device {

void OutsideAccesses::add(const eu::OutsideAccess& access,
                          const std::array<std::uint32_t, 3>& group, std::uint64_t code_offset) {
  const std::scoped_lock lock(mutex_);
  if (count_++ != 0) {
    return;
  }
  std::ostringstream text;
  text << (access.write ? "a write of " : "a read of ") << access.size << " bytes at offset "
       << access.offset;
  switch (access.space) {
    case eu::MemorySpace::Slm:
      text << " of a work-group's " << access.limit << " bytes of shared local memory";
      break;
    case eu::MemorySpace::Scratch:
      text << " of a thread's " << access.limit << " bytes of scratch space";
      break;
    case eu::MemorySpace::Global:
      text << " of a surface of " << access.limit << " bytes";
      break;
  }
  text << ", by work-group (" << group[0] << ',' << group[1] << ',' << group[2]
       << ") at kernel + 0x" << std::hex << code_offset;
  first_ = text.str();
}

std::optional<std::string> OutsideAccesses::take() {
  const std::scoped_lock lock(mutex_);
  if (count_ == 0) {
    return std::nullopt;
  }
  const std::uint64_t count = std::exchange(count_, 0);
  return std::to_string(count) +
         " accesses out of bounds: reads gave 0 and writes were dropped, as on hardware; the first "
         "was " +
         std::exchange(first_, {});
}

}  // namespace xesim::device
