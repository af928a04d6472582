// An immutable copy of a stretch of memory, in pages. Copies of the same memory at several times share
// the pages that did not change, and a page of zeroes takes no room.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace xesim::device {

inline constexpr std::size_t kFrozenPageBytes = 4096;

class FrozenBytes {
 public:
  FrozenBytes() = default;
  // `size` zeroes.
  explicit FrozenBytes(std::uint64_t size);
  // A copy of `bytes`, which shares with `earlier` what is equal there (null: nothing). `total` counts
  // the bytes of pages for as long as they live, over every copy that has it; null: nobody counts.
  // From `used` bytes on, rounded up to a page, there are zeroes, which are not looked at.
  static FrozenBytes freeze(std::span<const std::byte> bytes, const FrozenBytes* earlier = nullptr,
                            const std::shared_ptr<std::atomic<std::uint64_t>>& total = nullptr,
                            std::uint64_t used = UINT64_MAX);

  [[nodiscard]] std::uint64_t size() const { return size_; }  // bytes
  [[nodiscard]] std::size_t pages() const { return pages_.size(); }
  // The bytes of page `index`, those of the last one may be fewer; null: they are zeroes.
  [[nodiscard]] const std::byte* page(std::size_t index) const {
    return pages_[index] == nullptr ? nullptr : pages_[index]->bytes.data();
  }
  [[nodiscard]] std::size_t page_size(std::size_t index) const;
  void set_page(std::size_t index, const std::byte* bytes);

  // Whether `other` has this very page, which it need not compare then.
  [[nodiscard]] bool shares_page(std::size_t index, const FrozenBytes& other) const {
    return index < other.pages_.size() && pages_[index] == other.pages_[index];
  }
  [[nodiscard]] bool page_equals(std::size_t index, const std::byte* bytes) const;
  // Writes page `index` there, unless it is there already: memory that stays as it is takes no page
  // of the host's.
  void copy_page(std::size_t index, std::byte* to) const;
  // All of them; `to` has size() bytes.
  void copy_to(std::byte* to) const;

 private:
  struct Page {
    Page(const std::byte* from, std::size_t size,
         std::shared_ptr<std::atomic<std::uint64_t>> counter);
    ~Page();
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    std::array<std::byte, kFrozenPageBytes> bytes{};
    std::shared_ptr<std::atomic<std::uint64_t>> total;
  };
  std::uint64_t size_ = 0;
  std::vector<std::shared_ptr<const Page>> pages_;  // null: zeroes
};

}  // namespace xesim::device
