// Images: texels in device memory, and views that read them otherwise.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>

#include "device/image_state.hpp"
#include "driver/context.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

// Memory of an image. Leaving takes it back: a kernel that still uses it meets a page fault.
class ImageStorage {
 public:
  ImageStorage(std::shared_ptr<Context> context, std::uint64_t address, std::uint64_t size,
               std::uint64_t id)
      : context_(std::move(context)), address_(address), size_(size), id_(id) {}
  ~ImageStorage();
  ImageStorage(const ImageStorage&) = delete;
  ImageStorage& operator=(const ImageStorage&) = delete;

  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }  // bytes
  [[nodiscard]] std::uint64_t id() const { return id_; }
  // The descriptor of its memory, which is closed with it; -1 when the system has no room for one.
  [[nodiscard]] int descriptor() const;

 private:
  std::shared_ptr<Context> context_;
  std::uint64_t address_;
  std::uint64_t size_;
  std::uint64_t id_;
};

class Image : public Object<Image> {
 public:
  // `description` lies in `storage`.
  Image(std::shared_ptr<ImageStorage> storage, const device::ImageDescription& description)
      : storage_(std::move(storage)), description_(description) {}
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  [[nodiscard]] const std::shared_ptr<ImageStorage>& storage() const { return storage_; }
  [[nodiscard]] const device::ImageDescription& description() const { return description_; }

 private:
  std::shared_ptr<ImageStorage> storage_;
  device::ImageDescription description_;
};

}  // namespace xesim::driver
