#include "device/frozen_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace xesim::device {

namespace {

bool is_zero(const std::byte* bytes, std::size_t size) {
  static constexpr std::array<std::byte, kFrozenPageBytes> kZeroes{};
  return std::memcmp(bytes, kZeroes.data(), size) == 0;
}

}  // namespace

FrozenBytes::Page::Page(const std::byte* from, std::size_t size,
                        std::shared_ptr<std::atomic<std::uint64_t>> counter)
    : total(std::move(counter)) {
  std::memcpy(bytes.data(), from, size);
  if (total != nullptr) {
    *total += sizeof(Page);
  }
}

FrozenBytes::Page::~Page() {
  if (total != nullptr) {
    *total -= sizeof(Page);
  }
}

FrozenBytes::FrozenBytes(std::uint64_t size)
    : size_(size), pages_((size + kFrozenPageBytes - 1) / kFrozenPageBytes) {}

FrozenBytes FrozenBytes::freeze(std::span<const std::byte> bytes, const FrozenBytes* earlier,
                                const std::shared_ptr<std::atomic<std::uint64_t>>& total,
                                std::uint64_t used) {
  FrozenBytes frozen(bytes.size());
  for (std::size_t index = 0; index < frozen.pages() && index * kFrozenPageBytes < used; ++index) {
    const std::byte* const from = bytes.data() + index * kFrozenPageBytes;
    const std::size_t size = frozen.page_size(index);
    if (earlier != nullptr && earlier->size_ == frozen.size_ && earlier->page_equals(index, from)) {
      frozen.pages_[index] = earlier->pages_[index];
    } else if (!is_zero(from, size)) {
      frozen.pages_[index] = std::make_shared<const Page>(from, size, total);
    }
  }
  return frozen;
}

std::size_t FrozenBytes::page_size(std::size_t index) const {
  return std::min<std::uint64_t>(kFrozenPageBytes, size_ - index * kFrozenPageBytes);
}

void FrozenBytes::set_page(std::size_t index, const std::byte* bytes) {
  pages_[index] = std::make_shared<const Page>(bytes, page_size(index), nullptr);
}

bool FrozenBytes::page_equals(std::size_t index, const std::byte* bytes) const {
  const std::size_t size = page_size(index);
  return pages_[index] == nullptr
             ? is_zero(bytes, size)
             : std::memcmp(pages_[index]->bytes.data(), bytes, size) == 0;
}

void FrozenBytes::copy_page(std::size_t index, std::byte* to) const {
  if (page_equals(index, to)) {
    return;
  }
  const std::size_t size = page_size(index);
  if (pages_[index] == nullptr) {
    std::memset(to, 0, size);
  } else {
    std::memcpy(to, pages_[index]->bytes.data(), size);
  }
}

void FrozenBytes::copy_to(std::byte* to) const {
  for (std::size_t index = 0; index < pages(); ++index) {
    copy_page(index, to + index * kFrozenPageBytes);
  }
}

}  // namespace xesim::device
