#include "device/assert_output.hpp"

#include <cstring>

namespace xesim::device {
namespace {

struct Header {
  std::uint32_t size = kAssertBufferBytes;
  std::uint32_t failed = 0;
  std::uint32_t used = sizeof(std::uint32_t) * 3;
};

}  // namespace

void begin_assert_buffer(std::uint64_t address) {
  const Header header;
  std::memcpy(reinterpret_cast<void*>(address), &header, sizeof header);
}

std::optional<PrintfOutput> read_assert_buffer(const Memory& memory, std::uint64_t address) {
  Header header;
  std::memcpy(&header, reinterpret_cast<const void*>(address), sizeof header);
  if (header.failed == 0) {
    return std::nullopt;
  }
  return read_print_records(memory, address, sizeof header, header.used, kAssertBufferBytes);
}

}  // namespace xesim::device
