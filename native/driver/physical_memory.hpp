// Memory without an address, to be mapped at reserved ones.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "device/shared_pages.hpp"
#include "driver/device.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class PhysicalMemory : public Object<PhysicalMemory> {
 public:
  PhysicalMemory(std::shared_ptr<const device::SharedPages> pages, Device* device, std::size_t size)
      : pages_(std::move(pages)), device_(device), size_(size) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  // The object of a handle that came as a pointer; null when it is none.
  static PhysicalMemory* find(const void* handle) {
    const auto typed = static_cast<ze_physical_mem_handle_t>(const_cast<void*>(handle));
    return is_live(typed) ? object_of<PhysicalMemory>(typed) : nullptr;
  }

  [[nodiscard]] const std::shared_ptr<const device::SharedPages>& pages() const { return pages_; }
  [[nodiscard]] Device* device() const { return device_; }  // null: host memory
  [[nodiscard]] std::size_t size() const { return size_; }  // bytes

 private:
  std::shared_ptr<const device::SharedPages> pages_;
  Device* device_;
  std::size_t size_;
};

}  // namespace xesim::driver
