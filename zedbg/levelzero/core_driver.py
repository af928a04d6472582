"""Drivers and devices, as the loader enumerates them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zedbg.levelzero.enums import (
    DebugStructureType,
    DeviceDebugFlag,
    DeviceFlag,
    DeviceType,
    QueueGroupFlag,
    StructureType,
)
from zedbg.levelzero.level_zero_errors import LevelZeroError, check
from zedbg.levelzero.loader import CData, enumerate_handles, ffi, library, new_structure, text


@dataclass(frozen=True)
class DeviceProperties:
    """ze_device_properties_t, less its timers."""

    name: str
    type: int
    vendor_id: int
    device_id: int
    flags: DeviceFlag
    subdevice_id: int
    core_clock_mhz: int
    max_allocation_bytes: int
    physical_simd_width: int
    slices: int
    subslices_per_slice: int
    eus_per_subslice: int
    threads_per_eu: int
    uuid: bytes


@dataclass(frozen=True)
class QueueGroup:
    """One command queue group; ``ordinal`` is what queue descriptions ask for."""

    ordinal: int
    flags: QueueGroupFlag
    queue_count: int


class Device:
    """A device, or a sub-device, of a driver."""

    def __init__(self, handle: CData, driver: Driver) -> None:
        self.handle = handle
        self.driver = driver

    @cached_property
    def properties(self) -> DeviceProperties:
        raw = new_structure("ze_device_properties_t", StructureType.DEVICE_PROPERTIES)
        check(library().zeDeviceGetProperties(self.handle, raw), "read the device's properties")
        return DeviceProperties(
            name=text(raw.name, 256),
            type=raw.type,
            vendor_id=raw.vendorId,
            device_id=raw.deviceId,
            flags=DeviceFlag(raw.flags),
            subdevice_id=raw.subdeviceId,
            core_clock_mhz=raw.coreClockRate,
            max_allocation_bytes=raw.maxMemAllocSize,
            physical_simd_width=raw.physicalEUSimdWidth,
            slices=raw.numSlices,
            subslices_per_slice=raw.numSubslicesPerSlice,
            eus_per_subslice=raw.numEUsPerSubslice,
            threads_per_eu=raw.numThreadsPerEU,
            uuid=bytes(raw.uuid.id),
        )

    @property
    def is_gpu(self) -> bool:
        """Whether it is a graphics processor."""
        return self.properties.type == DeviceType.GPU

    @cached_property
    def pci_address(self) -> str | None:
        """``0000:03:00.0``, or None when the driver does not say."""
        raw = new_structure("ze_pci_ext_properties_t", StructureType.PCI_EXT_PROPERTIES)
        try:
            check(library().zeDevicePciGetPropertiesExt(self.handle, raw), "read the PCI address")
        except LevelZeroError:
            return None
        where = raw.address
        return f"{where.domain:04x}:{where.bus:02x}:{where.device:02x}.{where.function:x}"

    @cached_property
    def queue_groups(self) -> list[QueueGroup]:
        """The kinds of command queues that it has."""
        count = ffi.new("uint32_t *")
        attempted = "list the command queue groups"
        call = library().zeDeviceGetCommandQueueGroupProperties
        check(call(self.handle, count, ffi.NULL), attempted, self.properties.name)
        raw = ffi.new("ze_command_queue_group_properties_t[]", count[0])
        for entry in raw:
            entry.stype = StructureType.COMMAND_QUEUE_GROUP_PROPERTIES
        check(call(self.handle, count, raw), attempted, self.properties.name)
        return [
            QueueGroup(ordinal, QueueGroupFlag(raw[ordinal].flags), raw[ordinal].numQueues)
            for ordinal in range(count[0])
        ]

    @property
    def compute_queue_ordinal(self) -> int:
        """Ordinal of the first group that runs kernels; 0 when the driver lists none."""
        for group in self.queue_groups:
            if group.flags & QueueGroupFlag.COMPUTE:
                return group.ordinal
        return 0

    @property
    def debug_flags(self) -> DeviceDebugFlag:
        """What zetDeviceGetDebugProperties offers; no flag when the driver cannot debug."""
        raw = new_structure(
            "zet_device_debug_properties_t", DebugStructureType.DEVICE_DEBUG_PROPERTIES
        )
        try:
            check(
                library().zetDeviceGetDebugProperties(self.handle, raw),
                "ask whether the device can be debugged",
            )
        except LevelZeroError:
            return DeviceDebugFlag(0)
        return DeviceDebugFlag(raw.flags)

    @property
    def can_be_debugged(self) -> bool:
        """Whether a debugger can attach to programs on it."""
        return bool(self.debug_flags & DeviceDebugFlag.ATTACH)

    def sub_devices(self) -> list[Device]:
        """Its tiles; none where it has one only."""
        handles = enumerate_handles(
            library().zeDeviceGetSubDevices,
            "ze_device_handle_t",
            "list the sub-devices",
            self.handle,
        )
        return [Device(handle, self.driver) for handle in handles]

    def __repr__(self) -> str:
        return f"<Device {self.properties.name!r}>"


class Driver:
    """A driver that the loader opened."""

    def __init__(self, handle: CData) -> None:
        self.handle = handle

    @property
    def api_version(self) -> tuple[int, int]:
        """The version of Level Zero that it has: major, minor."""
        version = ffi.new("ze_api_version_t *")
        check(library().zeDriverGetApiVersion(self.handle, version), "read the API version")
        return version[0] >> 16, version[0] & 0xFFFF

    @cached_property
    def version(self) -> int:
        """The driver's own version number."""
        raw = new_structure("ze_driver_properties_t", StructureType.DRIVER_PROPERTIES)
        check(library().zeDriverGetProperties(self.handle, raw), "read the driver's properties")
        return int(raw.driverVersion)

    @cached_property
    def devices(self) -> list[Device]:
        handles = enumerate_handles(
            library().zeDeviceGet, "ze_device_handle_t", "list the devices", self.handle
        )
        return [Device(handle, self) for handle in handles]


def drivers() -> list[Driver]:
    """Every driver; raises the LevelZeroError of zeInit or zeDriverGet."""
    handles = enumerate_handles(library().zeDriverGet, "ze_driver_handle_t", "list the drivers")
    return [Driver(handle) for handle in handles]


def all_devices() -> list[Device]:
    """Every root device of every driver, in the loader's order."""
    return [device for driver in drivers() for device in driver.devices]
