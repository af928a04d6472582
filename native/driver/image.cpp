// The image's entry points.
#include "driver/image.hpp"

#include <optional>
#include <variant>
#include <vector>

#include "driver/device.hpp"
#include "driver/image_formats.hpp"
#include "driver/later_api.hpp"
#include "driver/report.hpp"

namespace xesim::driver {

ImageStorage::~ImageStorage() {
  const auto held = context_->pause_devices();
  context_->memory().release(address_);
}

int ImageStorage::descriptor() const {
  const auto held = context_->pause_devices();
  const auto pages = context_->memory().share(address_);
  return pages != nullptr ? pages->descriptor() : -1;
}

namespace {

using device::ImageDescription;

constexpr ze_image_flags_t kFlags = ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED;

ze_result_t refuse(ze_result_t result, const std::string& line) {
  report("image: " + line);
  return result;
}

// What the validation of headers asks of every call that takes a descriptor.
ze_result_t check_call(ze_device_handle_t device, const ze_image_desc_t* description,
                       const void* result) {
  if (device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (description == nullptr || result == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  // As a number: an enumeration may hold what it does not name.
  if ((description->flags & ~kFlags) != 0 ||
      static_cast<unsigned>(description->type) > ZE_IMAGE_TYPE_BUFFER) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  return object_of<Device>(device)->topology().has_images ? ZE_RESULT_SUCCESS
                                                          : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

// What the extensions of a descriptor say: how an image shares its memory with others.
struct Sharing {
  bool is_shared = false;
  std::optional<int> imported;                 // descriptor of the memory
  ze_external_memory_type_flags_t types = 0;   // in which ways
  bool has_planes = false;                     // of media formats

  explicit Sharing(const ze_image_desc_t& description) {
    for_each_extension(description.pNext, [this](const ExtensionHead& head) { read(head); });
  }

  // Planes of media formats are none of this device's features.
  [[nodiscard]] ze_result_t check() const {
    if ((types & ~kExternalMemoryTypes) != 0) {
      return ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
    }
    return has_planes ? refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                               "planes of media formats are not supported")
                      : ZE_RESULT_SUCCESS;
  }

 private:
  void read(const ExtensionHead& head) {
    switch (head.stype) {
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC:
        share(reinterpret_cast<const ze_external_memory_export_desc_t&>(head).flags);
        break;
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD:
        share(reinterpret_cast<const ze_external_memory_import_fd_t&>(head).flags);
        imported = reinterpret_cast<const ze_external_memory_import_fd_t&>(head).fd;
        break;
      case ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32:
        share(reinterpret_cast<const ze_external_memory_import_win32_handle_t&>(head).flags);
        break;
      case ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC:
        has_planes = true;
        break;
      default:
        break;
    }
  }
  void share(ze_external_memory_type_flags_t flags) {
    is_shared = true;
    types |= flags;
  }
};

// An image of one texel in each dimension that `type` does not have.
struct Extents {
  eu::ImageShape shape = eu::ImageShape::Plane;
  bool is_array = false;
  std::uint64_t width = 1;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;
  std::uint64_t most_width = device::kMostImageExtent;
};

Extents extents_of(const ze_image_desc_t& from, std::uint32_t texel_bytes) {
  using eu::ImageShape;
  switch (from.type) {
    case ZE_IMAGE_TYPE_1D: return {.shape = ImageShape::Line, .width = from.width};
    case ZE_IMAGE_TYPE_1DARRAY:
      return {.shape = ImageShape::Line,
              .is_array = true,
              .width = from.width,
              .depth = from.arraylevels};
    case ZE_IMAGE_TYPE_2DARRAY:
      return {.is_array = true,
              .width = from.width,
              .height = from.height,
              .depth = from.arraylevels};
    case ZE_IMAGE_TYPE_3D:
      return {.shape = ImageShape::Volume,
              .width = from.width,
              .height = from.height,
              .depth = from.depth};
    case ZE_IMAGE_TYPE_BUFFER:  // its width is given in bytes
      return {.shape = ImageShape::Buffer,
              .width = from.width / texel_bytes,
              .most_width = device::kMostImageBufferTexels};
    default: return {.width = from.width, .height = from.height};
  }
}

// The image that a checked descriptor asks for, without an address.
std::variant<ImageDescription, ze_result_t> describe(const ze_image_desc_t& from) {
  const Sharing sharing(from);
  if (const ze_result_t result = sharing.check()) {
    return result;
  }
  if (from.miplevels != 0) {
    return refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                  "miplevels must be 0, not " + std::to_string(from.miplevels));
  }
  auto description = describe_format(from.format);
  if (!description) {
    return refuse(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
                  "layout " + std::to_string(from.format.layout) + " with type " +
                      std::to_string(from.format.type) + " and swizzle " +
                      std::to_string(from.format.x) + "," + std::to_string(from.format.y) + "," +
                      std::to_string(from.format.z) + "," + std::to_string(from.format.w) +
                      " is no format of this device");
  }
  const Extents extents = extents_of(from, description->format->bytes);
  if (extents.width == 0 || extents.height == 0 || extents.depth == 0 ||
      extents.width > extents.most_width || extents.height > device::kMostImageExtent ||
      extents.depth > device::kMostImageDepth) {
    return refuse(ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
                  std::to_string(extents.width) + "x" + std::to_string(extents.height) + "x" +
                      std::to_string(extents.depth) +
                      " texels are beyond what zeDeviceGetImageProperties reports");
  }
  description->shape = extents.shape;
  description->is_array = extents.is_array;
  description->width = static_cast<std::uint32_t>(extents.width);
  description->height = static_cast<std::uint32_t>(extents.height);
  description->depth = static_cast<std::uint32_t>(extents.depth);
  // A descriptor does not say how far rows are apart.
  description->is_packed = sharing.is_shared;
  return *description;
}

ze_result_t create_view(ze_context_handle_t context, ze_device_handle_t device,
                        const ze_image_desc_t* from, ze_image_handle_t image,
                        ze_image_handle_t* view) {
  if (context == nullptr || image == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (const ze_result_t result = check_call(device, from, view)) {
    return result;
  }
  return guarded([&] {
    auto described = describe(*from);
    if (const auto* result = std::get_if<ze_result_t>(&described)) {
      return *result;
    }
    auto& description = std::get<ImageDescription>(described);
    const Image& whole = *object_of<Image>(image);
    // Rows and slices of a view must lie where the image has them.
    const ImageDescription& other = whole.description();
    description.is_packed = other.is_packed;
    if (description.row_pitch() != other.row_pitch() || description.size() > other.size() ||
        (description.depth > 1 && description.slice_pitch() != other.slice_pitch())) {
      return refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                    "the view's rows and slices do not lie where those of its image do");
    }
    description.base = other.base;
    *view = publish<ze_image_handle_t>(std::make_shared<Image>(whole.storage(), description));
    return ZE_RESULT_SUCCESS;
  });
}

}  // namespace

}  // namespace xesim::driver

using namespace xesim::driver;
using xesim::device::AllocationKind;

ze_result_t zeImageGetProperties(ze_device_handle_t hDevice, const ze_image_desc_t* desc,
                                 ze_image_properties_t* pImageProperties) {
  if (const ze_result_t result = check_call(hDevice, desc, pImageProperties)) {
    return result;
  }
  const auto description = describe_format(desc->format);
  pImageProperties->samplerFilterFlags = 0;  // of formats that there are not, and of buffers
  if (description && desc->type != ZE_IMAGE_TYPE_BUFFER) {
    pImageProperties->samplerFilterFlags =
        ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT |
        (description->format->is_integer() ? 0 : ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                          const ze_image_desc_t* desc, ze_image_handle_t* phImage) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (const ze_result_t result = check_call(hDevice, desc, phImage)) {
    return result;
  }
  return guarded([&] {
    auto described = describe(*desc);
    if (const auto* result = std::get_if<ze_result_t>(&described)) {
      return *result;
    }
    auto& description = std::get<ImageDescription>(described);
    Context& context = *object_of<Context>(hContext);
    Device& device = *object_of<Device>(hDevice);
    const auto imported = Sharing(*desc).imported;
    const auto allocation =
        imported ? import_descriptor(context, &device, AllocationKind::Image, *imported,
                                     description.size(), 0)
                 : device.memory().allocate(AllocationKind::Image, description.size(), 0, &context,
                                            &device);
    if (!allocation) {
      return imported ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    description.base = allocation->address;
    *phImage = publish<ze_image_handle_t>(std::make_shared<Image>(
        std::make_shared<ImageStorage>(context.shared_from_this(), allocation->address,
                                       allocation->size, allocation->id),
        description));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageDestroy(ze_image_handle_t hImage) {
  if (hImage == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    withdraw(object_of<Image>(hImage));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetAllocPropertiesExt(
    ze_context_handle_t hContext, ze_image_handle_t hImage,
    ze_image_allocation_ext_properties_t* pImageAllocProperties) {
  if (hContext == nullptr || hImage == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pImageAllocProperties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const Image& image = *object_of<Image>(hImage);
    pImageAllocProperties->id = image.storage()->id();
    for_each_extension(pImageAllocProperties->pNext, [&](ExtensionHead& head) {
      if (head.stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) {
        reinterpret_cast<ze_external_memory_export_fd_t&>(head).fd =
            image.description().is_packed ? image.storage()->descriptor() : -1;
      }
    });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetMemoryPropertiesExp(ze_image_handle_t hImage,
                                          ze_image_memory_properties_exp_t* pMemoryProperties) {
  if (hImage == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pMemoryProperties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const Image& image = *object_of<Image>(hImage);
  pMemoryProperties->size = image.storage()->size();
  pMemoryProperties->rowPitch = image.description().row_pitch();
  pMemoryProperties->slicePitch = image.description().slice_pitch();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageViewCreateExp(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                 const ze_image_desc_t* desc, ze_image_handle_t hImage,
                                 ze_image_handle_t* phImageView) {
  return create_view(hContext, hDevice, desc, hImage, phImageView);
}

ze_result_t later::image_view_create(ze_context_handle_t context, ze_device_handle_t device,
                                     const ze_image_desc_t* description, ze_image_handle_t image,
                                     ze_image_handle_t* view) {
  return create_view(context, device, description, image, view);
}

// Every image is resident from the start, so there is nothing to make so, or to evict.
ze_result_t zeContextMakeImageResident(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                       ze_image_handle_t hImage) {
  return hContext == nullptr || hDevice == nullptr || hImage == nullptr
             ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
             : ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictImage(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                ze_image_handle_t hImage) {
  return zeContextMakeImageResident(hContext, hDevice, hImage);
}

// Bindless images need what no kernel of this device's compilers was seen to have.
ze_result_t later::image_get_device_offset(ze_image_handle_t image, std::uint64_t* offset) {
  if (image == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return offset == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER
                           : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t later::mem_get_pitch_for_2d_image(ze_context_handle_t context,
                                              ze_device_handle_t device, std::size_t width,
                                              std::size_t height, unsigned element_bytes,
                                              std::size_t* pitch) {
  if (context == nullptr || device == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pitch == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (!object_of<Device>(device)->topology().has_images) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  constexpr std::size_t kMostBytes = 16;  // of a texel
  if (width == 0 || height == 0 || element_bytes == 0 || element_bytes > kMostBytes ||
      width > xesim::device::kMostImageExtent || height > xesim::device::kMostImageExtent) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  constexpr std::size_t kGranule = 64;  // as image_state.cpp lays rows out
  *pitch = (width * element_bytes + kGranule - 1) / kGranule * kGranule;
  return ZE_RESULT_SUCCESS;
}
