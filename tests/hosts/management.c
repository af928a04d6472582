/* management: what system management says of the devices. With a loader that has zesInit by it, else by
 * the handles of the core API, for which ZES_ENABLE_SYSMAN=1 is set. */
#include <dlfcn.h>
#include <level_zero/zes_api.h>

#include "host.h"

enum { MOST = 8, SIZE = 1 << 20 };

typedef ze_result_t (*init_function)(uint32_t flags);
typedef ze_result_t (*driver_get_function)(uint32_t* count, zes_driver_handle_t* drivers);
typedef ze_result_t (*device_get_function)(zes_driver_handle_t driver, uint32_t* count,
                                           zes_device_handle_t* devices);
typedef ze_result_t (*by_uuid_function)(zes_driver_handle_t driver, ze_device_uuid_t uuid,
                                        zes_device_handle_t* device, ze_bool_t* on_subdevice,
                                        uint32_t* subdevice);

/* The free bytes of the memory of each tile, and their sum. */
static uint64_t free_memory(zes_device_handle_t device, uint64_t* of_tiles) {
  zes_mem_handle_t memories[MOST];
  uint32_t count = MOST;
  CHECK(zesDeviceEnumMemoryModules(device, &count, memories));
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
    CHECK(zesMemoryGetProperties(memories[i], &properties));
    EXPECT(properties.onSubdevice == (count > 1) && properties.subdeviceId == i);
    zes_mem_state_t state = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
    CHECK(zesMemoryGetState(memories[i], &state));
    EXPECT(state.health == ZES_MEM_HEALTH_OK && state.size == properties.physicalSize);
    EXPECT(state.free <= state.size);
    of_tiles[i] = state.free;
    sum += state.free;
  }
  EXPECT_RESULT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zesMemoryGetState(memories[0], NULL));
  return sum;
}

static void check_device(const struct host* host, zes_device_handle_t managed) {
  ze_device_properties_t core = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK(zeDeviceGetProperties(host->device, &core));
  zes_device_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK(zesDeviceGetProperties(managed, &properties));
  EXPECT(memcmp(&properties.core.uuid, &core.uuid, sizeof(core.uuid)) == 0);
  EXPECT(strcmp(properties.modelName, core.name) == 0);

  ze_pci_ext_properties_t place = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  CHECK(zeDevicePciGetPropertiesExt(host->device, &place));
  zes_pci_properties_t pci = {.stype = ZES_STRUCTURE_TYPE_PCI_PROPERTIES};
  CHECK(zesDevicePciGetProperties(managed, &pci));
  EXPECT(pci.address.bus == place.address.bus && pci.maxSpeed.width == place.maxSpeed.width);
  zes_pci_state_t link = {.stype = ZES_STRUCTURE_TYPE_PCI_STATE};
  CHECK(zesDevicePciGetState(managed, &link));
  EXPECT(link.status == ZES_PCI_LINK_STATUS_GOOD && link.speed.gen == pci.maxSpeed.gen);

  uint64_t before[MOST], during[MOST];
  const uint64_t sum = free_memory(managed, before);
  void* memory = allocate_device(host, SIZE);
  EXPECT(free_memory(managed, during) == sum - SIZE);
  uint32_t one = 1;
  zes_process_state_t process = {.stype = ZES_STRUCTURE_TYPE_PROCESS_STATE};
  CHECK(zesDeviceProcessesGetState(managed, &one, &process));
  EXPECT(one == 1 && process.memSize >= SIZE);
  CHECK(zeMemFree(host->context, memory));
  EXPECT(free_memory(managed, during) == sum);

  uint32_t fans = 1, domains = 1;
  zes_fan_handle_t fan;
  zes_freq_handle_t domain;
  CHECK(zesDeviceEnumFans(managed, &fans, &fan));
  CHECK(zesDeviceEnumFrequencyDomains(managed, &domains, &domain));
  EXPECT(fans == 0 && domains == 0);
  zes_device_state_t state = {.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE};
  CHECK(zesDeviceGetState(managed, &state));
  EXPECT(state.reset == 0);
  EXPECT(zesDeviceReset(managed, 0) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

int main(void) {
  void* loader = dlopen(NULL, RTLD_NOW);
  const init_function init = (init_function)dlsym(loader, "zesInit");
  if (init == NULL) {
    setenv("ZES_ENABLE_SYSMAN", "1", 1);
  }
  const struct host host = open_device();
  if (init == NULL) {
    check_device(&host, host.device);
    puts("management: ok");
    return 0;
  }
  const driver_get_function get_drivers = (driver_get_function)dlsym(loader, "zesDriverGet");
  const device_get_function get_devices = (device_get_function)dlsym(loader, "zesDeviceGet");
  const by_uuid_function find = (by_uuid_function)dlsym(loader, "zesDriverGetDeviceByUuidExp");
  EXPECT(get_drivers != NULL && get_devices != NULL && find != NULL);
  CHECK(init(0));
  uint32_t count = 1;
  zes_driver_handle_t driver;
  CHECK(get_drivers(&count, &driver));
  zes_device_handle_t devices[MOST];
  count = MOST;
  CHECK(get_devices(driver, &count, devices));
  EXPECT(count == 1);
  check_device(&host, devices[0]);

  ze_device_handle_t tiles[MOST];
  uint32_t tile_count = MOST;
  CHECK(zeDeviceGetSubDevices(host.device, &tile_count, tiles));
  for (uint32_t i = 0; i < tile_count; ++i) {
    ze_device_properties_t tile = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    CHECK(zeDeviceGetProperties(tiles[i], &tile));
    zes_device_handle_t found = NULL;
    ze_bool_t on_subdevice = 0;
    uint32_t number = UINT32_MAX;
    CHECK(find(driver, tile.uuid, &found, &on_subdevice, &number));
    EXPECT(found == devices[0] && on_subdevice && number == i);
  }
  printf("tiles: %u\nmanagement: ok\n", tile_count);
}
