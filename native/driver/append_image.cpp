// Commands that copy images.
#include <level_zero/ze_api.h>

#include <cstring>
#include <string>
#include <utility>

#include "driver/command_list.hpp"
#include "driver/host_access.hpp"
#include "driver/image.hpp"
#include "driver/report.hpp"

using namespace xesim::driver;
using xesim::device::ImageDescription;
using xesim::device::MemoryUse;
using xesim::eu::ImageShape;

namespace {

// A region as slices of rows of texels: the elements of an array count as slices.
struct Box {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t depth = 0;

  [[nodiscard]] bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  [[nodiscard]] bool has_size_of(const Box& other) const {
    return width == other.width && height == other.height && depth == other.depth;
  }
  [[nodiscard]] bool overlaps(const Box& other) const {
    const auto cross = [](std::uint32_t a, std::uint32_t a_size, std::uint32_t b,
                          std::uint32_t b_size) { return a < b + b_size && b < a + a_size; };
    return cross(x, width, other.x, other.width) && cross(y, height, other.y, other.height) &&
           cross(z, depth, other.z, other.depth);
  }
};

ze_result_t refuse(ze_result_t result, const std::string& line) {
  report("image copy: " + line);
  return result;
}

// The region, or the whole image without one. Regions of a 1D array may name its elements in y, as
// OpenCL does, or in z.
Box box_of(const ImageDescription& image, const ze_image_region_t* region) {
  if (region == nullptr) {
    return {.width = image.width, .height = image.height, .depth = image.depth};
  }
  Box box{region->originX, region->originY, region->originZ,
          region->width,   region->height,  region->depth};
  if (image.shape == ImageShape::Line && image.is_array && box.depth <= 1 && box.z == 0) {
    box.z = std::exchange(box.y, 0);
    box.depth = std::exchange(box.height, 1);
  }
  // Dimensions that the image does not have are not looked at, as with Intel's driver.
  if (image.shape == ImageShape::Line || image.shape == ImageShape::Buffer) {
    box.y = 0;
    box.height = box.is_empty() ? 0 : 1;
  }
  if (image.shape != ImageShape::Volume && !image.is_array) {
    box.z = 0;
    box.depth = box.is_empty() ? 0 : 1;
  }
  return box;
}

ze_result_t check_inside(const ImageDescription& image, const Box& box) {
  const auto fits = [](std::uint32_t origin, std::uint32_t size, std::uint32_t limit) {
    return std::uint64_t{origin} + size <= limit;
  };
  if (box.is_empty()) {
    return ZE_RESULT_SUCCESS;  // nothing is copied, but the command's events count
  }
  if (fits(box.x, box.width, image.width) && fits(box.y, box.height, image.height) &&
      fits(box.z, box.depth, image.depth)) {
    return ZE_RESULT_SUCCESS;
  }
  return refuse(ZE_RESULT_ERROR_INVALID_SIZE, "the region reaches beyond its image");
}

std::byte* row_of(const ImageDescription& image, const Box& box, std::uint32_t y,
                  std::uint32_t z) {
  return reinterpret_cast<std::byte*>(image.base) + (box.z + z) * image.slice_pitch() +
         std::uint64_t{box.y + y} * image.row_pitch() + std::uint64_t{box.x} * image.format->bytes;
}

// Memory beside an image, rows and slices `row_pitch` and `slice_pitch` bytes apart.
struct Texels {
  std::byte* base = nullptr;
  std::uint64_t row_pitch = 0;
  std::uint64_t slice_pitch = 0;
};

enum class Direction : std::uint8_t { ToMemory, FromMemory };

Loss copy_rows(Device& device, const ImageDescription& image, const Box& box, const Texels& memory,
               Direction direction) {
  const std::size_t size = std::size_t{box.width} * image.format->bytes;
  for (std::uint32_t z = 0; z < box.depth; ++z) {
    for (std::uint32_t y = 0; y < box.height; ++y) {
      std::byte* beside = memory.base + z * memory.slice_pitch + y * memory.row_pitch;
      const bool is_target = direction == Direction::ToMemory;
      if (Loss loss = check_host_access(
              device, is_target ? "image copy target" : "image copy source", beside, size,
              is_target ? MemoryUse::Write : MemoryUse::Read)) {
        return loss;
      }
      std::byte* row = row_of(image, box, y, z);
      std::memmove(is_target ? beside : row, is_target ? row : beside, size);
    }
  }
  return std::nullopt;
}

// A copy between an image and memory. A pitch of 0 stands for rows or slices without gaps; with one that
// is less than a row or slice takes, they overlap, as with Intel's driver.
ze_result_t append_copy(const AppendArguments& arguments, ze_image_handle_t image_handle,
                        void* memory, const ze_image_region_t* region, std::uint32_t row_pitch,
                        std::uint32_t slice_pitch, Direction direction) {
  if (arguments.list == nullptr || image_handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (memory == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const auto image = object_of<Image>(image_handle)->shared_from_this();
    const ImageDescription& description = image->description();
    const Box box = box_of(description, region);
    if (const ze_result_t result = check_inside(description, box)) {
      return result;
    }
    const std::uint64_t row_bytes = std::uint64_t{box.width} * description.format->bytes;
    Texels texels{static_cast<std::byte*>(memory), row_pitch != 0 ? row_pitch : row_bytes, 0};
    const std::uint64_t slice_bytes = texels.row_pitch * box.height;
    texels.slice_pitch = slice_pitch != 0 ? slice_pitch : slice_bytes;
    return append_command(
        arguments, [image, box, texels, direction,
                    &device = object_of<CommandList>(arguments.list)->device()] {
          return copy_rows(device, image->description(), box, texels, direction);
        });
  });
}

ze_result_t append_copy(const AppendArguments& arguments, ze_image_handle_t target_handle,
                        ze_image_handle_t source_handle, const ze_image_region_t* target_region,
                        const ze_image_region_t* source_region) {
  if (arguments.list == nullptr || target_handle == nullptr || source_handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    const auto target = object_of<Image>(target_handle)->shared_from_this();
    const auto source = object_of<Image>(source_handle)->shared_from_this();
    const Box to = box_of(target->description(), target_region);
    const Box from = box_of(source->description(), source_region);
    if (const ze_result_t result = check_inside(target->description(), to)) {
      return result;
    }
    if (const ze_result_t result = check_inside(source->description(), from)) {
      return result;
    }
    if (!to.has_size_of(from)) {
      return refuse(ZE_RESULT_ERROR_INVALID_SIZE, "source and target differ in size");
    }
    if (target->description().format->bytes != source->description().format->bytes) {
      return refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT, "source and target differ in format");
    }
    if (target->storage() == source->storage() && to.overlaps(from)) {
      return ZE_RESULT_ERROR_OVERLAPPING_REGIONS;
    }
    return append_command(arguments, [target, source, to, from]() -> Loss {
      const std::size_t size = std::size_t{to.width} * target->description().format->bytes;
      for (std::uint32_t z = 0; z < to.depth; ++z) {
        for (std::uint32_t y = 0; y < to.height; ++y) {
          std::memmove(row_of(target->description(), to, y, z),
                       row_of(source->description(), from, y, z), size);
        }
      }
      return std::nullopt;
    });
  });
}

}  // namespace

ze_result_t zeCommandListAppendImageCopy(ze_command_list_handle_t hCommandList,
                                         ze_image_handle_t hDstImage, ze_image_handle_t hSrcImage,
                                         ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                         ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hDstImage,
                     hSrcImage, nullptr, nullptr);
}

ze_result_t zeCommandListAppendImageCopyRegion(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage,
    ze_image_handle_t hSrcImage, const ze_image_region_t* pDstRegion,
    const ze_image_region_t* pSrcRegion, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hDstImage,
                     hSrcImage, pDstRegion, pSrcRegion);
}

ze_result_t zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t hCommandList,
                                                 void* dstptr, ze_image_handle_t hSrcImage,
                                                 const ze_image_region_t* pSrcRegion,
                                                 ze_event_handle_t hSignalEvent,
                                                 uint32_t numWaitEvents,
                                                 ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hSrcImage, dstptr,
                     pSrcRegion, 0, 0, Direction::ToMemory);
}

ze_result_t zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t hCommandList,
                                                   ze_image_handle_t hDstImage, const void* srcptr,
                                                   const ze_image_region_t* pDstRegion,
                                                   ze_event_handle_t hSignalEvent,
                                                   uint32_t numWaitEvents,
                                                   ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hDstImage,
                     const_cast<void*>(srcptr), pDstRegion, 0, 0, Direction::FromMemory);
}

ze_result_t zeCommandListAppendImageCopyToMemoryExt(
    ze_command_list_handle_t hCommandList, void* dstptr, ze_image_handle_t hSrcImage,
    const ze_image_region_t* pSrcRegion, uint32_t destRowPitch, uint32_t destSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hSrcImage, dstptr,
                     pSrcRegion, destRowPitch, destSlicePitch, Direction::ToMemory);
}

ze_result_t zeCommandListAppendImageCopyFromMemoryExt(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage, const void* srcptr,
    const ze_image_region_t* pDstRegion, uint32_t srcRowPitch, uint32_t srcSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return append_copy({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hDstImage,
                     const_cast<void*>(srcptr), pDstRegion, srcRowPitch, srcSlicePitch,
                     Direction::FromMemory);
}
