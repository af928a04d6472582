/* devices: the product id of each device that is listed, and how many sub-devices it has. */
#include "host.h"

int main(void) {
  enum { MOST = 16 };
  ze_driver_handle_t driver = NULL;
  ze_device_handle_t devices[MOST];
  uint32_t count = 1;
  CHECK(zeInit(ZE_INIT_FLAG_GPU_ONLY));
  CHECK(zeDriverGet(&count, &driver));
  count = 0;
  CHECK(zeDeviceGet(driver, &count, NULL));
  EXPECT(count <= MOST);
  if (count != 0) {
    CHECK(zeDeviceGet(driver, &count, devices));
  }
  for (uint32_t i = 0; i < count; ++i) {
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    uint32_t tiles = 0;
    CHECK(zeDeviceGetProperties(devices[i], &properties));
    CHECK(zeDeviceGetSubDevices(devices[i], &tiles, NULL));
    printf("%#x:%u\n", properties.deviceId, tiles);
  }
  return 0;
}
