"""C declarations of the program-debug part of the tools API (Level Zero 1.4, and one call of 1.5).

A register set's ``type`` and ``version`` are the driver's own numbering. Checked against the
installed headers by ``tests/levelzero/test_levelzero_declarations.py``.
"""

DEBUG_DECLARATIONS = """
typedef uint32_t zet_debug_detach_reason_t;
typedef uint32_t zet_debug_event_flags_t;
typedef uint32_t zet_debug_event_type_t;
typedef uint32_t zet_debug_memory_space_type_t;
typedef uint32_t zet_debug_page_fault_reason_t;
typedef uint32_t zet_debug_regset_flags_t;
typedef uint32_t zet_device_debug_property_flags_t;
typedef uint32_t zet_module_debug_info_format_t;
typedef uint32_t zet_structure_type_t;

typedef struct _zet_debug_session_handle_t* zet_debug_session_handle_t;
typedef ze_device_handle_t zet_device_handle_t;
typedef ze_module_handle_t zet_module_handle_t;

typedef struct _zet_device_debug_properties_t {
  zet_structure_type_t stype;
  void* pNext;
  zet_device_debug_property_flags_t flags;
} zet_device_debug_properties_t;

typedef struct _zet_debug_config_t {
  uint32_t pid;
} zet_debug_config_t;

typedef struct _zet_debug_event_info_detached_t {
  zet_debug_detach_reason_t reason;
} zet_debug_event_info_detached_t;

typedef struct _zet_debug_event_info_module_t {
  zet_module_debug_info_format_t format;
  uint64_t moduleBegin;
  uint64_t moduleEnd;
  uint64_t load;
} zet_debug_event_info_module_t;

typedef struct _zet_debug_event_info_thread_stopped_t {
  ze_device_thread_t thread;
} zet_debug_event_info_thread_stopped_t;

typedef struct _zet_debug_event_info_page_fault_t {
  uint64_t address;
  uint64_t mask;
  zet_debug_page_fault_reason_t reason;
} zet_debug_event_info_page_fault_t;

typedef union _zet_debug_event_info_t {
  zet_debug_event_info_detached_t detached;
  zet_debug_event_info_module_t module;
  zet_debug_event_info_thread_stopped_t thread;
  zet_debug_event_info_page_fault_t page_fault;
} zet_debug_event_info_t;

typedef struct _zet_debug_event_t {
  zet_debug_event_type_t type;
  zet_debug_event_flags_t flags;
  zet_debug_event_info_t info;
} zet_debug_event_t;

typedef struct _zet_debug_memory_space_desc_t {
  zet_structure_type_t stype;
  const void* pNext;
  zet_debug_memory_space_type_t type;
  uint64_t address;
} zet_debug_memory_space_desc_t;

typedef struct _zet_debug_regset_properties_t {
  zet_structure_type_t stype;
  void* pNext;
  uint32_t type;
  uint32_t version;
  zet_debug_regset_flags_t generalFlags;
  uint32_t deviceFlags;
  uint32_t count;
  uint32_t bitSize;
  uint32_t byteSize;
} zet_debug_regset_properties_t;

ze_result_t zetDeviceGetDebugProperties(
    zet_device_handle_t hDevice, zet_device_debug_properties_t* pDebugProperties);
ze_result_t zetDebugAttach(
    zet_device_handle_t hDevice, const zet_debug_config_t* config,
    zet_debug_session_handle_t* phDebug);
ze_result_t zetDebugDetach(zet_debug_session_handle_t hDebug);
ze_result_t zetDebugReadEvent(
    zet_debug_session_handle_t hDebug, uint64_t timeout, zet_debug_event_t* event);
ze_result_t zetDebugAcknowledgeEvent(
    zet_debug_session_handle_t hDebug, const zet_debug_event_t* event);
ze_result_t zetDebugInterrupt(zet_debug_session_handle_t hDebug, ze_device_thread_t thread);
ze_result_t zetDebugResume(zet_debug_session_handle_t hDebug, ze_device_thread_t thread);
ze_result_t zetDebugReadMemory(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
    const zet_debug_memory_space_desc_t* desc, size_t size, void* buffer);
ze_result_t zetDebugWriteMemory(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
    const zet_debug_memory_space_desc_t* desc, size_t size, const void* buffer);
ze_result_t zetDebugGetRegisterSetProperties(
    zet_device_handle_t hDevice, uint32_t* pCount,
    zet_debug_regset_properties_t* pRegisterSetProperties);
ze_result_t zetDebugReadRegisters(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, uint32_t type, uint32_t start,
    uint32_t count, void* pRegisterValues);
ze_result_t zetDebugWriteRegisters(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, uint32_t type, uint32_t start,
    uint32_t count, void* pRegisterValues);
ze_result_t zetModuleGetDebugInfo(
    zet_module_handle_t hModule, zet_module_debug_info_format_t format, size_t* pSize,
    uint8_t* pDebugInfo);
"""

# Since API 1.5 (2022); loaders before 1.9 do not export it, so it is declared but looked up late.
OPTIONAL_DEBUG_FUNCTIONS = ("zetDebugGetThreadRegisterSetProperties",)
OPTIONAL_DEBUG_DECLARATIONS = """
ze_result_t zetDebugGetThreadRegisterSetProperties(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, uint32_t* pCount,
    zet_debug_regset_properties_t* pRegisterSetProperties);
"""

# What a driver may offer beyond the API. Of the simulated GPU's driver:
# native/driver/xesim_debug_extension.h.
EXTENSION_STRUCTURES = """
typedef struct {
  uint32_t launch;
  uint32_t launches;
  uint32_t oldest;
  uint32_t state;
  uint64_t first, now, end;
  uint64_t bytes, budget;
  uint32_t keyframes;
  uint32_t reserved;
  uint64_t hostWriteFirst, hostWriteEnd;
  char text[256];
} xesim_debug_recording_t;

typedef struct {
  uint32_t launch;
  uint32_t backward;
  uint64_t from, to;
  ze_device_thread_t thread;
  uint32_t kinds;
  uint32_t rangeCount;
  uint32_t limit;
  uint32_t lanes;
  uint32_t changesOnly;
  uint32_t reserved;
} xesim_debug_find_t;

typedef struct {
  uint64_t begin, end;
  uint32_t space;
  uint32_t reserved;
} xesim_debug_range_t;

typedef struct {
  uint64_t time;
  uint64_t instruction;
  ze_device_thread_t thread;
  uint32_t kinds;
  uint32_t lanes;
  uint32_t group[3];
  uint32_t launch;
  uint64_t address;
  uint32_t size;
  uint32_t lane;
  uint8_t oldValue[64], newValue[64];
} xesim_debug_hit_t;

typedef struct {
  uint32_t kinds;
  uint32_t rangeCount;
  ze_device_thread_t thread;
  uint32_t lanes;
  uint32_t changesOnly;
  uint32_t group[3];
  uint32_t reserved;
} xesim_debug_watch_t;

typedef struct {
  uint64_t number;
  xesim_debug_hit_t hit;
} xesim_debug_watch_hit_t;
"""

# Pointers that zeDriverGetExtensionFunctionAddress gives.
EXTENSION_DECLARATIONS = """
typedef ze_result_t (*xesim_pfnDebugGetExceptionReason_t)(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, size_t* pSize, char* pReason);
typedef ze_result_t (*xesim_pfnDebugGetRecording_t)(
    zet_debug_session_handle_t hDebug, uint32_t launch, xesim_debug_recording_t* pRecording);
typedef ze_result_t (*xesim_pfnDebugSetRecording_t)(
    zet_debug_session_handle_t hDebug, uint32_t enabled, uint64_t budget);
typedef ze_result_t (*xesim_pfnDebugGoTo_t)(
    zet_debug_session_handle_t hDebug, uint32_t launch, uint64_t time);
typedef ze_result_t (*xesim_pfnDebugGetThreads_t)(
    zet_debug_session_handle_t hDebug, uint32_t* pCount, ze_device_thread_t* pThreads);
typedef ze_result_t (*xesim_pfnDebugFind_t)(
    zet_debug_session_handle_t hDebug, const xesim_debug_find_t* pFind,
    const xesim_debug_range_t* pRanges, uint32_t* pHitCount, xesim_debug_hit_t* pHits,
    uint64_t* pSearchedTo);
typedef ze_result_t (*xesim_pfnDebugCancel_t)(zet_debug_session_handle_t hDebug);
typedef ze_result_t (*xesim_pfnDebugSetWatch_t)(
    zet_debug_session_handle_t hDebug, const xesim_debug_watch_t* pWatch,
    const xesim_debug_range_t* pRanges, uint64_t* pNumber);
typedef ze_result_t (*xesim_pfnDebugClearWatch_t)(
    zet_debug_session_handle_t hDebug, uint64_t number);
typedef ze_result_t (*xesim_pfnDebugGetWatchHits_t)(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, uint32_t* pCount,
    xesim_debug_watch_hit_t* pHits);
"""
