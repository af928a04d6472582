/* properties: what the driver and the device report, as one "name value" a line, after
 * the checks that hold for every device: pNext and stype survive, counts follow the protocol. */
#include "host.h"

/* ZE_extension_device_ip_version, newer than the headers of Debian 12. */
enum { IP_VERSION_STYPE = 0x1000f };
struct ip_version {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t ip_version;
};

static void device(ze_device_handle_t handle) {
  ze_eu_count_ext_t eu_count = {.stype = ZE_STRUCTURE_TYPE_EU_COUNT_EXT};
  struct ip_version ip = {.stype = (ze_structure_type_t)IP_VERSION_STYPE, .pNext = &eu_count};
  ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &ip};
  CHECK(zeDeviceGetProperties(handle, &device));
  EXPECT(device.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES && device.pNext == &ip);
  EXPECT(ip.pNext == &eu_count && ip.stype == (ze_structure_type_t)IP_VERSION_STYPE);
  EXPECT(device.type == ZE_DEVICE_TYPE_GPU);
  printf("name %s\nvendor 0x%x\ndevice 0x%x\n", device.name, device.vendorId, device.deviceId);
  printf("threads %u\n", device.numSlices * device.numSubslicesPerSlice * device.numEUsPerSubslice *
                             device.numThreadsPerEU);
  printf("threads_per_eu %u\neus_per_subslice %u\nsubslices_per_slice %u\nslices %u\n",
         device.numThreadsPerEU, device.numEUsPerSubslice, device.numSubslicesPerSlice,
         device.numSlices);
  printf("simd %u\neu_count %u\nip_version 0x%x\nns_per_tick %llu\n", device.physicalEUSimdWidth,
         eu_count.numTotalEUs, ip.ip_version, (unsigned long long)device.timerResolution);

  ze_device_properties_t cycles = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
  CHECK(zeDeviceGetProperties(handle, &cycles));
  printf("ticks_per_second %llu\n", (unsigned long long)cycles.timerResolution);
  EXPECT(memcmp(&cycles.uuid, &device.uuid, sizeof(device.uuid)) == 0);

  uint32_t count = 0;
  CHECK(zeDeviceGetSubDevices(handle, &count, NULL));
  printf("subdevices %u\n", count);
}

static void compute(ze_device_handle_t handle) {
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  CHECK(zeDeviceGetComputeProperties(handle, &compute));
  printf("group_size %u\nslm %u\nsub_groups", compute.maxTotalGroupSize,
         compute.maxSharedLocalMemory);
  for (uint32_t index = 0; index < compute.numSubGroupSizes; ++index) {
    printf(" %u", compute.subGroupSizes[index]);
  }
  ze_scheduling_hint_exp_properties_t hints = {
      .stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES};
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                          .pNext = &hints};
  CHECK(zeDeviceGetModuleProperties(handle, &module));
  EXPECT(hints.schedulingHintFlags == (ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST |
                                       ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
                                       ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN));
  printf("\nfp64 %d\n", (module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0);
}

static void queues(ze_device_handle_t handle) {
  uint32_t count = 0;
  CHECK(zeDeviceGetCommandQueueGroupProperties(handle, &count, NULL));
  EXPECT(count >= 1);
  ze_command_queue_group_properties_t groups[8];
  memset(groups, 0, sizeof(groups));
  for (uint32_t index = 0; index < 8; ++index) {
    groups[index].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  }
  uint32_t more = 8; /* more than there are: the count is corrected */
  CHECK(zeDeviceGetCommandQueueGroupProperties(handle, &more, groups));
  EXPECT(more == count);
  EXPECT((groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) != 0);
  EXPECT(groups[0].numQueues >= 1);
  EXPECT(groups[0].stype == ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
  printf("queue_groups %u\n", count);
}

static void memory(ze_device_handle_t handle) {
  uint32_t count = 1;
  ze_device_memory_ext_properties_t more = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES};
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES,
                                          .pNext = &more};
  CHECK(zeDeviceGetMemoryProperties(handle, &count, &memory));
  EXPECT(more.physicalSize >= memory.totalSize && more.readBandwidth != 0);
  printf("memory %llu\n", (unsigned long long)memory.totalSize);
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  CHECK(zeDeviceGetMemoryAccessProperties(handle, &access));
  printf("system_memory %d\n", access.sharedSystemAllocCapabilities != 0);
  ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
  count = 1;
  CHECK(zeDeviceGetCacheProperties(handle, &count, &cache));
  ze_device_external_memory_properties_t external = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  CHECK(zeDeviceGetExternalMemoryProperties(handle, &external));
  ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  CHECK(zeDeviceGetImageProperties(handle, &image));
}

static void extensions(ze_driver_handle_t driver) {
  uint32_t count = 0;
  CHECK(zeDriverGetExtensionProperties(driver, &count, NULL));
  ze_driver_extension_properties_t* list = calloc(count, sizeof(*list));
  EXPECT(list != NULL);
  CHECK(zeDriverGetExtensionProperties(driver, &count, list));
  for (uint32_t index = 0; index < count; ++index) {
    printf("extension %s\n", list[index].name);
  }
  free(list);
}

int main(void) {
  const struct host host = open_device();
  CHECK(zeInit(0)); /* again, as some clients do */
  ze_api_version_t version = 0;
  CHECK(zeDriverGetApiVersion(host.driver, &version));
  printf("api %u.%u\n", ZE_MAJOR_VERSION(version), ZE_MINOR_VERSION(version));
  ze_driver_properties_t driver = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  CHECK(zeDriverGetProperties(host.driver, &driver));
  device(host.device);
  compute(host.device);
  queues(host.device);
  memory(host.device);
  extensions(host.driver);
  uint64_t host_time = 0;
  uint64_t device_time = 0;
  CHECK(zeDeviceGetGlobalTimestamps(host.device, &host_time, &device_time));
  EXPECT(host_time != 0);
  CHECK(zeDeviceGetStatus(host.device));
  CHECK(zeContextGetStatus(host.context));
  CHECK(zeContextDestroy(host.context));
  puts("properties: ok");
  return 0;
}
