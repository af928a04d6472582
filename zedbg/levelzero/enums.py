"""Enumerations of the API, with the names of the specification less their prefix.

Values are compared with the installed headers by
``tests/levelzero/test_levelzero_declarations.py``.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Result(IntEnum):
    """ze_result_t."""

    SUCCESS = 0
    NOT_READY = 1
    ERROR_DEVICE_LOST = 0x70000001
    ERROR_OUT_OF_HOST_MEMORY = 0x70000002
    ERROR_OUT_OF_DEVICE_MEMORY = 0x70000003
    ERROR_MODULE_BUILD_FAILURE = 0x70000004
    ERROR_MODULE_LINK_FAILURE = 0x70000005
    ERROR_DEVICE_REQUIRES_RESET = 0x70000006
    ERROR_DEVICE_IN_LOW_POWER_STATE = 0x70000007
    EXP_ERROR_DEVICE_IS_NOT_VERTEX = 0x7FF00001
    EXP_ERROR_VERTEX_IS_NOT_DEVICE = 0x7FF00002
    EXP_ERROR_REMOTE_DEVICE = 0x7FF00003
    ERROR_INSUFFICIENT_PERMISSIONS = 0x70010000
    ERROR_NOT_AVAILABLE = 0x70010001
    ERROR_DEPENDENCY_UNAVAILABLE = 0x70020000
    WARNING_DROPPED_DATA = 0x70020001
    ERROR_UNINITIALIZED = 0x78000001
    ERROR_UNSUPPORTED_VERSION = 0x78000002
    ERROR_UNSUPPORTED_FEATURE = 0x78000003
    ERROR_INVALID_ARGUMENT = 0x78000004
    ERROR_INVALID_NULL_HANDLE = 0x78000005
    ERROR_HANDLE_OBJECT_IN_USE = 0x78000006
    ERROR_INVALID_NULL_POINTER = 0x78000007
    ERROR_INVALID_SIZE = 0x78000008
    ERROR_UNSUPPORTED_SIZE = 0x78000009
    ERROR_UNSUPPORTED_ALIGNMENT = 0x7800000A
    ERROR_INVALID_SYNCHRONIZATION_OBJECT = 0x7800000B
    ERROR_INVALID_ENUMERATION = 0x7800000C
    ERROR_UNSUPPORTED_ENUMERATION = 0x7800000D
    ERROR_UNSUPPORTED_IMAGE_FORMAT = 0x7800000E
    ERROR_INVALID_NATIVE_BINARY = 0x7800000F
    ERROR_INVALID_GLOBAL_NAME = 0x78000010
    ERROR_INVALID_KERNEL_NAME = 0x78000011
    ERROR_INVALID_FUNCTION_NAME = 0x78000012
    ERROR_INVALID_GROUP_SIZE_DIMENSION = 0x78000013
    ERROR_INVALID_GLOBAL_WIDTH_DIMENSION = 0x78000014
    ERROR_INVALID_KERNEL_ARGUMENT_INDEX = 0x78000015
    ERROR_INVALID_KERNEL_ARGUMENT_SIZE = 0x78000016
    ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE = 0x78000017
    ERROR_INVALID_MODULE_UNLINKED = 0x78000018
    ERROR_INVALID_COMMAND_LIST_TYPE = 0x78000019
    ERROR_OVERLAPPING_REGIONS = 0x7800001A
    WARNING_ACTION_REQUIRED = 0x7800001B
    ERROR_UNKNOWN = 0x7FFFFFFE


class StructureType(IntEnum):
    """ze_structure_type_t, for the structures that zedbg declares."""

    DRIVER_PROPERTIES = 0x1
    DEVICE_PROPERTIES = 0x3
    DEVICE_COMPUTE_PROPERTIES = 0x4
    DEVICE_MODULE_PROPERTIES = 0x5
    COMMAND_QUEUE_GROUP_PROPERTIES = 0x6
    CONTEXT_DESC = 0xD
    COMMAND_QUEUE_DESC = 0xE
    COMMAND_LIST_DESC = 0xF
    EVENT_POOL_DESC = 0x10
    EVENT_DESC = 0x11
    FENCE_DESC = 0x12
    IMAGE_DESC = 0x13
    DEVICE_MEM_ALLOC_DESC = 0x15
    HOST_MEM_ALLOC_DESC = 0x16
    MODULE_DESC = 0x1B
    KERNEL_DESC = 0x1D
    KERNEL_PROPERTIES = 0x1E
    SAMPLER_DESC = 0x1F
    PCI_EXT_PROPERTIES = 0x10008


class DebugStructureType(IntEnum):
    """zet_structure_type_t, for program debug."""

    DEVICE_DEBUG_PROPERTIES = 0x6
    DEBUG_MEMORY_SPACE_DESC = 0x7
    DEBUG_REGSET_PROPERTIES = 0x8


class DeviceType(IntEnum):
    """ze_device_type_t."""

    GPU = 1
    CPU = 2
    FPGA = 3
    MCA = 4
    VPU = 5


class DeviceFlag(IntFlag):
    """ze_device_property_flags_t."""

    INTEGRATED = 1 << 0
    SUBDEVICE = 1 << 1
    ECC = 1 << 2
    ONDEMANDPAGING = 1 << 3


class QueueGroupFlag(IntFlag):
    """ze_command_queue_group_property_flags_t."""

    COMPUTE = 1 << 0
    COPY = 1 << 1
    COOPERATIVE_KERNELS = 1 << 2
    METRICS = 1 << 3


class QueueMode(IntEnum):
    """ze_command_queue_mode_t."""

    DEFAULT = 0
    SYNCHRONOUS = 1
    ASYNCHRONOUS = 2


class ModuleFormat(IntEnum):
    """ze_module_format_t."""

    IL_SPIRV = 0
    NATIVE = 1


class ImageFlag(IntFlag):
    """ze_image_flags_t."""

    KERNEL_WRITE = 1 << 0
    BIAS_UNCACHED = 1 << 1


class ImageType(IntEnum):
    """ze_image_type_t."""

    TYPE_1D = 0
    TYPE_1DARRAY = 1
    TYPE_2D = 2
    TYPE_2DARRAY = 3
    TYPE_3D = 4
    TYPE_BUFFER = 5


class ImageLayout(IntEnum):
    """ze_image_format_layout_t, of formats whose channels are equally wide; by bits."""

    LAYOUT_8 = 0
    LAYOUT_16 = 1
    LAYOUT_32 = 2
    LAYOUT_8_8 = 3
    LAYOUT_8_8_8_8 = 4
    LAYOUT_16_16 = 5
    LAYOUT_16_16_16_16 = 6
    LAYOUT_32_32 = 7
    LAYOUT_32_32_32_32 = 8


class ImageFormatType(IntEnum):
    """ze_image_format_type_t."""

    UINT = 0
    SINT = 1
    UNORM = 2
    SNORM = 3
    FLOAT = 4


class ImageSwizzle(IntEnum):
    """ze_image_format_swizzle_t."""

    SWIZZLE_R = 0
    SWIZZLE_G = 1
    SWIZZLE_B = 2
    SWIZZLE_A = 3
    SWIZZLE_0 = 4
    SWIZZLE_1 = 5
    SWIZZLE_X = 6


class SamplerAddressMode(IntEnum):
    """ze_sampler_address_mode_t."""

    NONE = 0
    REPEAT = 1
    CLAMP = 2
    CLAMP_TO_BORDER = 3
    MIRROR = 4


class SamplerFilterMode(IntEnum):
    """ze_sampler_filter_mode_t."""

    NEAREST = 0
    LINEAR = 1


class EventPoolFlag(IntFlag):
    """ze_event_pool_flags_t."""

    HOST_VISIBLE = 1 << 0
    IPC = 1 << 1
    KERNEL_TIMESTAMP = 1 << 2


class EventScope(IntFlag):
    """ze_event_scope_flags_t."""

    SUBDEVICE = 1 << 0
    DEVICE = 1 << 1
    HOST = 1 << 2


class DeviceDebugFlag(IntFlag):
    """zet_device_debug_property_flags_t."""

    ATTACH = 1 << 0


class DebugEventType(IntEnum):
    """zet_debug_event_type_t."""

    INVALID = 0
    DETACHED = 1
    PROCESS_ENTRY = 2
    PROCESS_EXIT = 3
    MODULE_LOAD = 4
    MODULE_UNLOAD = 5
    THREAD_STOPPED = 6
    THREAD_UNAVAILABLE = 7
    PAGE_FAULT = 8


class DebugEventFlag(IntFlag):
    """zet_debug_event_flags_t."""

    NEED_ACK = 1 << 0


class DetachReason(IntEnum):
    """zet_debug_detach_reason_t."""

    INVALID = 0
    HOST_EXIT = 1


class DebugMemorySpace(IntEnum):
    """zet_debug_memory_space_type_t."""

    DEFAULT = 0
    SLM = 1


class RegsetFlag(IntFlag):
    """zet_debug_regset_flags_t."""

    READABLE = 1 << 0
    WRITEABLE = 1 << 1


class PageFaultReason(IntEnum):
    """zet_debug_page_fault_reason_t."""

    INVALID = 0
    MAPPING_ERROR = 1
    PERMISSION_ERROR = 2
