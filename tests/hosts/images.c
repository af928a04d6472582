/* Images and samplers: creation, copies, views, kernels that use them, and what is refused.
 * Arguments: image_dimensions.zebin and image_sampling.zebin. Without: a device without images. */
#include "host.h"

enum { WIDTH = 32, HEIGHT = 16, LAYERS = 3, TEXELS = WIDTH * HEIGHT };

static ze_image_desc_t describe(ze_image_type_t type, ze_image_format_layout_t layout,
                                ze_image_format_type_t kind, uint32_t width, uint32_t height,
                                uint32_t layers) {
  const ze_image_desc_t description = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                                       .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
                                       .type = type,
                                       .format = {layout, kind, ZE_IMAGE_FORMAT_SWIZZLE_R,
                                                  ZE_IMAGE_FORMAT_SWIZZLE_G,
                                                  ZE_IMAGE_FORMAT_SWIZZLE_B,
                                                  ZE_IMAGE_FORMAT_SWIZZLE_A},
                                       .width = width,
                                       .height = height,
                                       .depth = layers,
                                       .arraylevels = layers};
  return description;
}

static ze_image_handle_t create(const struct host* host, const ze_image_desc_t* description) {
  ze_image_handle_t image = NULL;
  CHECK(zeImageCreate(host->context, host->device, description, &image));
  return image;
}

static ze_sampler_desc_t sampling(ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter,
                                  ze_bool_t normalized) {
  const ze_sampler_desc_t description = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
                                         .addressMode = mode,
                                         .filterMode = filter,
                                         .isNormalized = normalized};
  return description;
}

static void expect_no_images(const struct host* host) {
  ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  CHECK(zeDeviceGetImageProperties(host->device, &limits));
  EXPECT(limits.maxImageDims2D == 0 && limits.maxSamplers == 0);
  const ze_image_desc_t description =
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, 4, 1);
  ze_image_handle_t image = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                zeImageCreate(host->context, host->device, &description, &image));
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                zeImageGetProperties(host->device, &description, &properties));
  const ze_sampler_desc_t how =
      sampling(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR, 1);
  ze_sampler_handle_t sampler = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                zeSamplerCreate(host->context, host->device, &how, &sampler));
}

static void expect_properties(const struct host* host) {
  ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  CHECK(zeDeviceGetImageProperties(host->device, &limits));
  EXPECT(limits.maxImageDims1D == 16384 && limits.maxImageDims2D == 16384);
  EXPECT(limits.maxImageDims3D == 2048 && limits.maxImageArraySlices == 2048);
  EXPECT(limits.maxSamplers >= 16 && limits.maxReadImageArgs >= 128);
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  ze_image_desc_t description =
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, 4, 1);
  CHECK(zeImageGetProperties(host->device, &description, &properties));
  EXPECT(properties.samplerFilterFlags ==
         (ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR));
  description.format.type = ZE_IMAGE_FORMAT_TYPE_UINT;
  CHECK(zeImageGetProperties(host->device, &description, &properties));
  EXPECT(properties.samplerFilterFlags == ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT);
  description.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  CHECK(zeImageGetProperties(host->device, &description, &properties));
  EXPECT(properties.samplerFilterFlags == 0);
}

static void expect_refused(const struct host* host, ze_result_t expected,
                           const ze_image_desc_t* description) {
  ze_image_handle_t image = NULL;
  EXPECT_RESULT(expected, zeImageCreate(host->context, host->device, description, &image));
  EXPECT(image == NULL);
}

static void expect_bad_descriptors_refused(const struct host* host) {
  const ze_image_desc_t good =
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, 4, 1);
  ze_image_handle_t image = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
                zeImageCreate(host->context, host->device, NULL, &image));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
                zeImageCreate(host->context, host->device, &good, NULL));
  ze_image_desc_t bad = good;
  bad.flags = 0x10;
  expect_refused(host, ZE_RESULT_ERROR_INVALID_ENUMERATION, &bad);
  bad = good;
  bad.type = (ze_image_type_t)9;
  expect_refused(host, ZE_RESULT_ERROR_INVALID_ENUMERATION, &bad);
  bad = good;
  bad.format.type = ZE_IMAGE_FORMAT_TYPE_UNORM; /* of 32 bits */
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, &bad);
  bad = good;
  bad.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, &bad);
  bad = good;
  bad.format.y = (ze_image_format_swizzle_t)77;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, &bad);
  bad = good;
  bad.width = 16385;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_SIZE, &bad);
  bad = good;
  bad.height = 0;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_SIZE, &bad);
  bad = good;
  bad.miplevels = 3;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, &bad);
  const ze_external_memory_export_desc_t shared = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D11_TEXTURE};
  bad = good;
  bad.pNext = &shared;
  expect_refused(host, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, &bad);
  ze_sampler_handle_t sampler = NULL;
  ze_sampler_desc_t how =
      sampling((ze_sampler_address_mode_t)9, ZE_SAMPLER_FILTER_MODE_LINEAR, 1);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                zeSamplerCreate(host->context, host->device, &how, &sampler));
  how = sampling(ZE_SAMPLER_ADDRESS_MODE_CLAMP, (ze_sampler_filter_mode_t)2, 1);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                zeSamplerCreate(host->context, host->device, &how, &sampler));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
                zeSamplerCreate(host->context, host->device, NULL, &sampler));
}

/* A loader that intercepts calls looks into handles before the driver gets them. */
static void expect_null_handles_refused(const struct host* host, ze_command_list_handle_t list) {
  const ze_image_desc_t good =
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4, 4, 1);
  ze_image_handle_t image = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
                zeImageCreate(NULL, host->device, &good, &image));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
                zeImageCreate(host->context, NULL, &good, &image));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageDestroy(NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeSamplerDestroy(NULL));
  image = create(host, &good);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
                zeCommandListAppendImageCopy(list, NULL, image, NULL, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
                zeCommandListAppendImageCopyToMemory(list, &image, NULL, NULL, NULL, 0, NULL));
  CHECK(zeImageDestroy(image));
}

/* Every kind of copy, with a synchronous immediate list. */
static void expect_copies(const struct host* host, ze_command_list_handle_t list) {
  const ze_image_desc_t plane = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32,
                                         ZE_IMAGE_FORMAT_TYPE_UINT, WIDTH, HEIGHT, 1);
  ze_image_handle_t first = create(host, &plane);
  ze_image_handle_t second = create(host, &plane);
  uint32_t* from = allocate_shared(host, TEXELS * sizeof(uint32_t));
  uint32_t* to = allocate_shared(host, TEXELS * sizeof(uint32_t));
  for (uint32_t i = 0; i < TEXELS; ++i) from[i] = i * 2654435761u;
  CHECK(zeCommandListAppendImageCopyFromMemory(list, first, from, NULL, NULL, 0, NULL));
  CHECK(zeCommandListAppendImageCopy(list, second, first, NULL, 0, NULL));
  CHECK(zeCommandListAppendImageCopyToMemory(list, to, second, NULL, NULL, 0, NULL));
  EXPECT(memcmp(from, to, TEXELS * sizeof(uint32_t)) == 0);
  /* A region of 8x4 texels from (3, 5) to (20, 11). */
  const ze_image_region_t source = {3, 5, 0, 8, 4, 1};
  const ze_image_region_t target = {20, 11, 0, 8, 4, 1};
  CHECK(zeCommandListAppendImageCopyRegion(list, second, first, &target, &source, NULL, 0, NULL));
  memset(to, 0xFF, TEXELS * sizeof(uint32_t));
  CHECK(zeCommandListAppendImageCopyToMemoryExt(list, to, second, &target, 16 * sizeof(uint32_t), 0,
                                                NULL, 0, NULL));
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 16; ++x) {
      EXPECT(to[y * 16 + x] == (x < 8 ? from[(5 + y) * WIDTH + 3 + x] : UINT32_MAX));
    }
  }
  const ze_image_region_t beyond = {30, 0, 0, 8, 4, 1};
  const ze_image_region_t narrow = {0, 0, 0, 4, 4, 1};
  const ze_image_region_t near = {5, 7, 0, 8, 4, 1};
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendImageCopyToMemory(
                                                  list, to, second, &beyond, NULL, 0, NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_SIZE,
                zeCommandListAppendImageCopyRegion(list, second, first, &narrow, &source, NULL, 0,
                                                   NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_OVERLAPPING_REGIONS,
                zeCommandListAppendImageCopyRegion(list, first, first, &near, &source, NULL, 0,
                                                   NULL));
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeCommandListAppendImageCopyFromMemory(
                                                          list, first, NULL, NULL, NULL, 0, NULL));
  ze_image_memory_properties_exp_t memory = {.stype =
                                                 ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
  CHECK(zeImageGetMemoryPropertiesExp(first, &memory));
  EXPECT(memory.rowPitch >= WIDTH * 4 && memory.slicePitch >= memory.rowPitch * HEIGHT &&
         memory.size >= memory.slicePitch);
  ze_image_allocation_ext_properties_t one = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES};
  ze_image_allocation_ext_properties_t other = one;
  CHECK(zeImageGetAllocPropertiesExt(host->context, first, &one));
  CHECK(zeImageGetAllocPropertiesExt(host->context, second, &other));
  EXPECT(one.id != 0 && one.id != other.id);
  CHECK(zeContextMakeImageResident(host->context, host->device, first));
  CHECK(zeContextEvictImage(host->context, host->device, first));
  /* The same texels seen as four bytes each. */
  const ze_image_desc_t bytes = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                         ZE_IMAGE_FORMAT_TYPE_UINT, WIDTH, HEIGHT, 1);
  ze_image_handle_t view = NULL;
  CHECK(zeImageViewCreateExp(host->context, host->device, &bytes, first, &view));
  CHECK(zeCommandListAppendImageCopyToMemory(list, to, view, NULL, NULL, 0, NULL));
  EXPECT(memcmp(from, to, TEXELS * sizeof(uint32_t)) == 0);
  CHECK(zeImageDestroy(view));
  const ze_image_desc_t wide = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32_32,
                                        ZE_IMAGE_FORMAT_TYPE_UINT, WIDTH, HEIGHT, 1);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeImageViewCreateExp(host->context, host->device, &wide, first, &view));
  CHECK(zeImageDestroy(first));
  CHECK(zeImageDestroy(second));
  /* Elements of a 1D array, as rows (as OpenCL has it) and as slices. */
  const ze_image_desc_t lines = describe(ZE_IMAGE_TYPE_1DARRAY, ZE_IMAGE_FORMAT_LAYOUT_32,
                                         ZE_IMAGE_FORMAT_TYPE_UINT, WIDTH, 1, LAYERS);
  ze_image_handle_t array = create(host, &lines);
  CHECK(zeCommandListAppendImageCopyFromMemory(list, array, from, NULL, NULL, 0, NULL));
  const ze_image_region_t rows = {0, 1, 0, WIDTH, 2, 1};
  const ze_image_region_t slices = {0, 0, 1, WIDTH, 1, 2};
  CHECK(zeCommandListAppendImageCopyToMemory(list, to, array, &rows, NULL, 0, NULL));
  EXPECT(memcmp(to, from + WIDTH, 2 * WIDTH * sizeof(uint32_t)) == 0);
  memset(to, 0, TEXELS * sizeof(uint32_t));
  CHECK(zeCommandListAppendImageCopyToMemoryExt(list, to, array, &slices, 0,
                                                2 * WIDTH * sizeof(uint32_t), NULL, 0, NULL));
  EXPECT(memcmp(to, from + WIDTH, WIDTH * sizeof(uint32_t)) == 0);
  EXPECT(memcmp(to + 2 * WIDTH, from + 2 * WIDTH, WIDTH * sizeof(uint32_t)) == 0);
  CHECK(zeImageDestroy(array));
  CHECK(zeMemFree(host->context, from));
  CHECK(zeMemFree(host->context, to));
}

/* copy_2d writes what it reads transposed. */
static void expect_kernel_writes(const struct host* host, ze_command_list_handle_t list,
                                 const char* path) {
  ze_module_handle_t module = load_module(host, path);
  ze_kernel_handle_t kernel = create_kernel(module, "copy_2d");
  const ze_image_desc_t wide = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                        ZE_IMAGE_FORMAT_TYPE_UINT, WIDTH, HEIGHT, 1);
  const ze_image_desc_t high = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                        ZE_IMAGE_FORMAT_TYPE_UINT, HEIGHT, WIDTH, 1);
  ze_image_handle_t from = create(host, &wide);
  ze_image_handle_t to = create(host, &high);
  uint32_t texels[TEXELS];
  for (uint32_t i = 0; i < TEXELS; ++i) texels[i] = i * 2246822519u;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE,
                zeKernelSetArgumentValue(kernel, 0, 4, &from));
  ze_image_handle_t nothing = NULL;
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeKernelSetArgumentValue(kernel, 0, sizeof(nothing), &nothing));
  void* memory = allocate_device(host, 4096);
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                zeKernelSetArgumentValue(kernel, 0, sizeof(memory), &memory));
  CHECK(zeMemFree(host->context, memory));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(from), &from));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(to), &to));
  CHECK(zeKernelSetGroupSize(kernel, 16, 4, 1));
  const ze_group_count_t groups = {WIDTH / 16, HEIGHT / 4, 1};
  CHECK(zeCommandListAppendImageCopyFromMemory(list, from, texels, NULL, NULL, 0, NULL));
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  uint32_t result[TEXELS];
  CHECK(zeCommandListAppendImageCopyToMemory(list, result, to, NULL, NULL, 0, NULL));
  for (uint32_t y = 0; y < HEIGHT; ++y) {
    for (uint32_t x = 0; x < WIDTH; ++x) EXPECT(result[x * HEIGHT + y] == texels[y * WIDTH + x]);
  }
  CHECK(zeImageDestroy(from));
  CHECK(zeImageDestroy(to));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
}

/* Blue, green, red, alpha in memory; halfway between two texels, and beyond them. */
static void expect_kernel_samples(const struct host* host, ze_command_list_handle_t list,
                                  const char* path) {
  ze_module_handle_t module = load_module(host, path);
  ze_kernel_handle_t kernel = create_kernel(module, "sample_2d");
  ze_image_desc_t description = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                         ZE_IMAGE_FORMAT_TYPE_UNORM, 2, 1, 1);
  description.format.x = ZE_IMAGE_FORMAT_SWIZZLE_B;
  description.format.z = ZE_IMAGE_FORMAT_SWIZZLE_R;
  ze_image_handle_t image = create(host, &description);
  const uint8_t texels[8] = {255, 0, 51, 255, 0, 255, 51, 255};
  CHECK(zeCommandListAppendImageCopyFromMemory(list, image, texels, NULL, NULL, 0, NULL));
  enum { PLACES = 16 };
  float* places = allocate_shared(host, PLACES * 2 * sizeof(float));
  float* colours = allocate_shared(host, PLACES * 4 * sizeof(float));
  for (int i = 0; i < PLACES; ++i) {
    places[2 * i] = i == 0 ? 0.5f : 4.0f;
    places[2 * i + 1] = 0.5f;
  }
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(image), &image));
  CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(places), &places));
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(colours), &colours));
  CHECK(zeKernelSetGroupSize(kernel, PLACES, 1, 1));
  const ze_group_count_t one = {1, 1, 1};
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_ARGUMENT, /* the sampler is missing */
                zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
  const ze_sampler_address_mode_t modes[] = {ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                                             ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
  for (int i = 0; i < 2; ++i) {
    const ze_sampler_desc_t how = sampling(modes[i], ZE_SAMPLER_FILTER_MODE_LINEAR, 1);
    ze_sampler_handle_t sampler = NULL;
    CHECK(zeSamplerCreate(host->context, host->device, &how, &sampler));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(sampler), &sampler));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
    const float middle[4] = {0.2f, 0.5f, 0.5f, 1};
    const float edge[4] = {0.2f, 1, 0, 1};
    for (int channel = 0; channel < 4; ++channel) {
      const float beyond = i == 0 ? edge[channel] : 0;
      EXPECT(colours[channel] > middle[channel] - 1e-5f);
      EXPECT(colours[channel] < middle[channel] + 1e-5f);
      EXPECT(colours[4 + channel] > beyond - 1e-5f && colours[4 + channel] < beyond + 1e-5f);
    }
    CHECK(zeSamplerDestroy(sampler));
  }
  CHECK(zeMemFree(host->context, places));
  CHECK(zeMemFree(host->context, colours));
  CHECK(zeImageDestroy(image));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
}

int main(int count, char** arguments) {
  const struct host host = open_device();
  if (count == 1) {
    expect_no_images(&host);
  } else {
    ze_command_list_handle_t list =
        create_immediate_list(&host, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    expect_properties(&host);
    expect_bad_descriptors_refused(&host);
    if (getenv("ZE_ENABLE_LOADER_INTERCEPT") == NULL) {
      expect_null_handles_refused(&host, list);
    }
    expect_copies(&host, list);
    expect_kernel_writes(&host, list, arguments[1]);
    expect_kernel_samples(&host, list, arguments[2]);
    CHECK(zeCommandListDestroy(list));
  }
  CHECK(zeContextDestroy(host.context));
  puts("images: ok");
  return 0;
}
