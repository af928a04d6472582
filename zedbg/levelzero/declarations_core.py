"""C declarations of the core API that a host program and a debugger need (Level Zero 1.4).

Enumerations are 32-bit words here; their values are the Python enums of ``enums.py``. Checked
against the installed headers by ``tests/levelzero/test_levelzero_declarations.py``.
"""

CORE_DECLARATIONS = """
typedef uint32_t ze_result_t;
typedef uint32_t ze_api_version_t;
typedef uint32_t ze_command_list_flags_t;
typedef uint32_t ze_command_queue_flags_t;
typedef uint32_t ze_command_queue_group_property_flags_t;
typedef uint32_t ze_command_queue_mode_t;
typedef uint32_t ze_command_queue_priority_t;
typedef uint32_t ze_context_flags_t;
typedef uint32_t ze_device_fp_flags_t;
typedef uint32_t ze_device_mem_alloc_flags_t;
typedef uint32_t ze_device_module_flags_t;
typedef uint32_t ze_device_property_flags_t;
typedef uint32_t ze_device_type_t;
typedef uint32_t ze_event_pool_flags_t;
typedef uint32_t ze_event_scope_flags_t;
typedef uint32_t ze_fence_flags_t;
typedef uint32_t ze_host_mem_alloc_flags_t;
typedef uint32_t ze_image_flags_t;
typedef uint32_t ze_image_format_layout_t;
typedef uint32_t ze_image_format_swizzle_t;
typedef uint32_t ze_image_format_type_t;
typedef uint32_t ze_image_type_t;
typedef uint32_t ze_init_flags_t;
typedef uint32_t ze_kernel_flags_t;
typedef uint32_t ze_module_format_t;
typedef uint32_t ze_sampler_address_mode_t;
typedef uint32_t ze_sampler_filter_mode_t;
typedef uint32_t ze_structure_type_t;
typedef uint8_t ze_bool_t;

typedef struct _ze_command_list_handle_t* ze_command_list_handle_t;
typedef struct _ze_command_queue_handle_t* ze_command_queue_handle_t;
typedef struct _ze_context_handle_t* ze_context_handle_t;
typedef struct _ze_device_handle_t* ze_device_handle_t;
typedef struct _ze_driver_handle_t* ze_driver_handle_t;
typedef struct _ze_event_handle_t* ze_event_handle_t;
typedef struct _ze_event_pool_handle_t* ze_event_pool_handle_t;
typedef struct _ze_fence_handle_t* ze_fence_handle_t;
typedef struct _ze_image_handle_t* ze_image_handle_t;
typedef struct _ze_kernel_handle_t* ze_kernel_handle_t;
typedef struct _ze_module_build_log_handle_t* ze_module_build_log_handle_t;
typedef struct _ze_module_handle_t* ze_module_handle_t;
typedef struct _ze_sampler_handle_t* ze_sampler_handle_t;

typedef struct _ze_driver_uuid_t {
  uint8_t id[16];
} ze_driver_uuid_t;

typedef struct _ze_device_uuid_t {
  uint8_t id[16];
} ze_device_uuid_t;

typedef struct _ze_native_kernel_uuid_t {
  uint8_t id[16];
} ze_native_kernel_uuid_t;

typedef struct _ze_driver_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_driver_uuid_t uuid;
  uint32_t driverVersion;
} ze_driver_properties_t;

typedef struct _ze_device_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_device_type_t type;
  uint32_t vendorId;
  uint32_t deviceId;
  ze_device_property_flags_t flags;
  uint32_t subdeviceId;
  uint32_t coreClockRate;
  uint64_t maxMemAllocSize;
  uint32_t maxHardwareContexts;
  uint32_t maxCommandQueuePriority;
  uint32_t numThreadsPerEU;
  uint32_t physicalEUSimdWidth;
  uint32_t numEUsPerSubslice;
  uint32_t numSubslicesPerSlice;
  uint32_t numSlices;
  uint64_t timerResolution;
  uint32_t timestampValidBits;
  uint32_t kernelTimestampValidBits;
  ze_device_uuid_t uuid;
  char name[256];
} ze_device_properties_t;

typedef struct _ze_device_compute_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t maxTotalGroupSize;
  uint32_t maxGroupSizeX;
  uint32_t maxGroupSizeY;
  uint32_t maxGroupSizeZ;
  uint32_t maxGroupCountX;
  uint32_t maxGroupCountY;
  uint32_t maxGroupCountZ;
  uint32_t maxSharedLocalMemory;
  uint32_t numSubGroupSizes;
  uint32_t subGroupSizes[8];
} ze_device_compute_properties_t;

typedef struct _ze_device_module_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t spirvVersionSupported;
  ze_device_module_flags_t flags;
  ze_device_fp_flags_t fp16flags;
  ze_device_fp_flags_t fp32flags;
  ze_device_fp_flags_t fp64flags;
  uint32_t maxArgumentsSize;
  uint32_t printfBufferSize;
  ze_native_kernel_uuid_t nativeKernelSupported;
} ze_device_module_properties_t;

typedef struct _ze_command_queue_group_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_command_queue_group_property_flags_t flags;
  size_t maxMemoryFillPatternSize;
  uint32_t numQueues;
} ze_command_queue_group_properties_t;

typedef struct _ze_context_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_context_flags_t flags;
} ze_context_desc_t;

typedef struct _ze_device_mem_alloc_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_device_mem_alloc_flags_t flags;
  uint32_t ordinal;
} ze_device_mem_alloc_desc_t;

typedef struct _ze_host_mem_alloc_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_host_mem_alloc_flags_t flags;
} ze_host_mem_alloc_desc_t;

typedef struct _ze_module_constants_t {
  uint32_t numConstants;
  const uint32_t* pConstantIds;
  const void** pConstantValues;
} ze_module_constants_t;

typedef struct _ze_module_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_module_format_t format;
  size_t inputSize;
  const uint8_t* pInputModule;
  const char* pBuildFlags;
  const ze_module_constants_t* pConstants;
} ze_module_desc_t;

typedef struct _ze_image_format_t {
  ze_image_format_layout_t layout;
  ze_image_format_type_t type;
  ze_image_format_swizzle_t x;
  ze_image_format_swizzle_t y;
  ze_image_format_swizzle_t z;
  ze_image_format_swizzle_t w;
} ze_image_format_t;

typedef struct _ze_image_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_image_flags_t flags;
  ze_image_type_t type;
  ze_image_format_t format;
  uint64_t width;
  uint32_t height;
  uint32_t depth;
  uint32_t arraylevels;
  uint32_t miplevels;
} ze_image_desc_t;

typedef struct _ze_image_region_t {
  uint32_t originX;
  uint32_t originY;
  uint32_t originZ;
  uint32_t width;
  uint32_t height;
  uint32_t depth;
} ze_image_region_t;

typedef struct _ze_sampler_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_sampler_address_mode_t addressMode;
  ze_sampler_filter_mode_t filterMode;
  ze_bool_t isNormalized;
} ze_sampler_desc_t;

typedef struct _ze_kernel_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_kernel_flags_t flags;
  const char* pKernelName;
} ze_kernel_desc_t;

typedef struct _ze_kernel_uuid_t {
  uint8_t kid[16];
  uint8_t mid[16];
} ze_kernel_uuid_t;

typedef struct _ze_kernel_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t numKernelArgs;
  uint32_t requiredGroupSizeX;
  uint32_t requiredGroupSizeY;
  uint32_t requiredGroupSizeZ;
  uint32_t requiredNumSubGroups;
  uint32_t requiredSubgroupSize;
  uint32_t maxSubgroupSize;
  uint32_t maxNumSubgroups;
  uint32_t localMemSize;
  uint32_t privateMemSize;
  uint32_t spillMemSize;
  ze_kernel_uuid_t uuid;
} ze_kernel_properties_t;

typedef struct _ze_group_count_t {
  uint32_t groupCountX;
  uint32_t groupCountY;
  uint32_t groupCountZ;
} ze_group_count_t;

typedef struct _ze_command_queue_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t ordinal;
  uint32_t index;
  ze_command_queue_flags_t flags;
  ze_command_queue_mode_t mode;
  ze_command_queue_priority_t priority;
} ze_command_queue_desc_t;

typedef struct _ze_command_list_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t commandQueueGroupOrdinal;
  ze_command_list_flags_t flags;
} ze_command_list_desc_t;

typedef struct _ze_fence_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_fence_flags_t flags;
} ze_fence_desc_t;

typedef struct _ze_event_pool_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_event_pool_flags_t flags;
  uint32_t count;
} ze_event_pool_desc_t;

typedef struct _ze_event_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t index;
  ze_event_scope_flags_t signal;
  ze_event_scope_flags_t wait;
} ze_event_desc_t;

typedef struct _ze_kernel_timestamp_data_t {
  uint64_t kernelStart;
  uint64_t kernelEnd;
} ze_kernel_timestamp_data_t;

typedef struct _ze_kernel_timestamp_result_t {
  ze_kernel_timestamp_data_t global;
  ze_kernel_timestamp_data_t context;
} ze_kernel_timestamp_result_t;

typedef struct _ze_device_thread_t {
  uint32_t slice;
  uint32_t subslice;
  uint32_t eu;
  uint32_t thread;
} ze_device_thread_t;

typedef struct _ze_pci_address_ext_t {
  uint32_t domain;
  uint32_t bus;
  uint32_t device;
  uint32_t function;
} ze_pci_address_ext_t;

typedef struct _ze_pci_speed_ext_t {
  int32_t genVersion;
  int32_t width;
  int64_t maxBandwidth;
} ze_pci_speed_ext_t;

typedef struct _ze_pci_ext_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_pci_address_ext_t address;
  ze_pci_speed_ext_t maxSpeed;
} ze_pci_ext_properties_t;

ze_result_t zeInit(ze_init_flags_t flags);
ze_result_t zeDriverGet(uint32_t* pCount, ze_driver_handle_t* phDrivers);
ze_result_t zeDriverGetApiVersion(ze_driver_handle_t hDriver, ze_api_version_t* version);
ze_result_t zeDriverGetProperties(
    ze_driver_handle_t hDriver, ze_driver_properties_t* pDriverProperties);
ze_result_t zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t hDriver, const char* name, void** ppFunctionAddress);
ze_result_t zeDeviceGet(
    ze_driver_handle_t hDriver, uint32_t* pCount, ze_device_handle_t* phDevices);
ze_result_t zeDeviceGetSubDevices(
    ze_device_handle_t hDevice, uint32_t* pCount, ze_device_handle_t* phSubdevices);
ze_result_t zeDeviceGetProperties(
    ze_device_handle_t hDevice, ze_device_properties_t* pDeviceProperties);
ze_result_t zeDeviceGetComputeProperties(
    ze_device_handle_t hDevice, ze_device_compute_properties_t* pComputeProperties);
ze_result_t zeDeviceGetModuleProperties(
    ze_device_handle_t hDevice, ze_device_module_properties_t* pModuleProperties);
ze_result_t zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t hDevice, uint32_t* pCount,
    ze_command_queue_group_properties_t* pCommandQueueGroupProperties);
ze_result_t zeDevicePciGetPropertiesExt(
    ze_device_handle_t hDevice, ze_pci_ext_properties_t* pPciProperties);
ze_result_t zeContextCreate(
    ze_driver_handle_t hDriver, const ze_context_desc_t* desc, ze_context_handle_t* phContext);
ze_result_t zeContextDestroy(ze_context_handle_t hContext);
ze_result_t zeMemAllocShared(
    ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t* device_desc,
    const ze_host_mem_alloc_desc_t* host_desc, size_t size, size_t alignment,
    ze_device_handle_t hDevice, void** pptr);
ze_result_t zeMemAllocDevice(
    ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t* device_desc, size_t size,
    size_t alignment, ze_device_handle_t hDevice, void** pptr);
ze_result_t zeMemAllocHost(
    ze_context_handle_t hContext, const ze_host_mem_alloc_desc_t* host_desc, size_t size,
    size_t alignment, void** pptr);
ze_result_t zeMemFree(ze_context_handle_t hContext, void* ptr);
ze_result_t zeImageCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_image_desc_t* desc,
    ze_image_handle_t* phImage);
ze_result_t zeImageDestroy(ze_image_handle_t hImage);
ze_result_t zeSamplerCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_sampler_desc_t* desc,
    ze_sampler_handle_t* phSampler);
ze_result_t zeSamplerDestroy(ze_sampler_handle_t hSampler);
ze_result_t zeModuleCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_module_desc_t* desc,
    ze_module_handle_t* phModule, ze_module_build_log_handle_t* phBuildLog);
ze_result_t zeModuleDestroy(ze_module_handle_t hModule);
ze_result_t zeModuleBuildLogGetString(
    ze_module_build_log_handle_t hModuleBuildLog, size_t* pSize, char* pBuildLog);
ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t hModuleBuildLog);
ze_result_t zeModuleGetKernelNames(
    ze_module_handle_t hModule, uint32_t* pCount, const char** pNames);
ze_result_t zeModuleGetNativeBinary(
    ze_module_handle_t hModule, size_t* pSize, uint8_t* pModuleNativeBinary);
ze_result_t zeModuleGetGlobalPointer(
    ze_module_handle_t hModule, const char* pGlobalName, size_t* pSize, void** pptr);
ze_result_t zeKernelCreate(
    ze_module_handle_t hModule, const ze_kernel_desc_t* desc, ze_kernel_handle_t* phKernel);
ze_result_t zeKernelDestroy(ze_kernel_handle_t hKernel);
ze_result_t zeKernelSetGroupSize(
    ze_kernel_handle_t hKernel, uint32_t groupSizeX, uint32_t groupSizeY, uint32_t groupSizeZ);
ze_result_t zeKernelSuggestGroupSize(
    ze_kernel_handle_t hKernel, uint32_t globalSizeX, uint32_t globalSizeY, uint32_t globalSizeZ,
    uint32_t* groupSizeX, uint32_t* groupSizeY, uint32_t* groupSizeZ);
ze_result_t zeKernelSetArgumentValue(
    ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize, const void* pArgValue);
ze_result_t zeKernelGetProperties(
    ze_kernel_handle_t hKernel, ze_kernel_properties_t* pKernelProperties);
ze_result_t zeKernelGetName(ze_kernel_handle_t hKernel, size_t* pSize, char* pName);
ze_result_t zeCommandQueueCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice,
    const ze_command_queue_desc_t* desc, ze_command_queue_handle_t* phCommandQueue);
ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t hCommandQueue);
ze_result_t zeCommandQueueExecuteCommandLists(
    ze_command_queue_handle_t hCommandQueue, uint32_t numCommandLists,
    ze_command_list_handle_t* phCommandLists, ze_fence_handle_t hFence);
ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t hCommandQueue, uint64_t timeout);
ze_result_t zeCommandListCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_command_list_desc_t* desc,
    ze_command_list_handle_t* phCommandList);
ze_result_t zeCommandListCreateImmediate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice,
    const ze_command_queue_desc_t* altdesc, ze_command_list_handle_t* phCommandList);
ze_result_t zeCommandListDestroy(ze_command_list_handle_t hCommandList);
ze_result_t zeCommandListClose(ze_command_list_handle_t hCommandList);
ze_result_t zeCommandListReset(ze_command_list_handle_t hCommandList);
ze_result_t zeCommandListAppendBarrier(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendMemoryCopy(
    ze_command_list_handle_t hCommandList, void* dstptr, const void* srcptr, size_t size,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendMemoryFill(
    ze_command_list_handle_t hCommandList, void* ptr, const void* pattern, size_t pattern_size,
    size_t size, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendImageCopyToMemory(
    ze_command_list_handle_t hCommandList, void* dstptr, ze_image_handle_t hSrcImage,
    const ze_image_region_t* pSrcRegion, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendImageCopyFromMemory(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage, const void* srcptr,
    const ze_image_region_t* pDstRegion, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendLaunchKernel(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t* pLaunchFuncArgs, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents);
ze_result_t zeCommandListAppendSignalEvent(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent);
ze_result_t zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t hCommandList, uint32_t numEvents, ze_event_handle_t* phEvents);
ze_result_t zeCommandListAppendEventReset(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent);
ze_result_t zeFenceCreate(
    ze_command_queue_handle_t hCommandQueue, const ze_fence_desc_t* desc,
    ze_fence_handle_t* phFence);
ze_result_t zeFenceDestroy(ze_fence_handle_t hFence);
ze_result_t zeFenceHostSynchronize(ze_fence_handle_t hFence, uint64_t timeout);
ze_result_t zeFenceQueryStatus(ze_fence_handle_t hFence);
ze_result_t zeFenceReset(ze_fence_handle_t hFence);
ze_result_t zeEventPoolCreate(
    ze_context_handle_t hContext, const ze_event_pool_desc_t* desc, uint32_t numDevices,
    ze_device_handle_t* phDevices, ze_event_pool_handle_t* phEventPool);
ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t hEventPool);
ze_result_t zeEventCreate(
    ze_event_pool_handle_t hEventPool, const ze_event_desc_t* desc, ze_event_handle_t* phEvent);
ze_result_t zeEventDestroy(ze_event_handle_t hEvent);
ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout);
ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent);
ze_result_t zeEventHostSignal(ze_event_handle_t hEvent);
ze_result_t zeEventHostReset(ze_event_handle_t hEvent);
ze_result_t zeEventQueryKernelTimestamp(
    ze_event_handle_t hEvent, ze_kernel_timestamp_result_t* dstptr);
"""
