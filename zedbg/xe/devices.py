"""The devices that the simulated GPU plays: one row for each, from which everything else derives.

The build of the simulated GPU makes `native/device`'s table of the rows; names of modules' targets,
help, doctor and tests take them from here. Imports the standard library only, as the tables of
the instruction set do.

Sources: Intel's product pages for clocks and memory; the tables of Linux' drivers and of Intel's
compute runtime, which are public, for ids, shape and IP version.
"""

from dataclasses import dataclass
from enum import Enum

from zedbg.xe.isa.platform import Platform

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


class MemoryType(Enum):
    """What a device's memory is made of; the value is the name that Level Zero reports."""

    GDDR6 = "GDDR6"
    HBM2 = "HBM2e"
    LPDDR5 = "LPDDR5X"


@dataclass(frozen=True)
class Device:
    """One device. Sizes are bytes, counts of execution units are of the whole device."""

    key: str  # the name that users choose it by, and that ocloc compiles for
    name: str  # as ze_device_properties_t reports it
    platform: Platform
    device_id: int  # PCI
    product_family: int  # the number that compilers write into a module's notes
    ip_version: tuple[int, int, int]  # architecture, release, revision
    is_integrated: bool  # shares the processor's memory
    tiles: int  # the slices are shared out among them, in order
    slices: int
    subslices_per_slice: int
    eus_per_subslice: int
    threads_per_eu: int
    slm_bytes: int  # of a subslice
    barriers: int  # of a subslice
    group_slm_bytes: int  # most that one work-group may have
    group_size: int  # most work-items of one work-group
    least_sub_group: int  # lanes; the others are multiples of it, up to 32
    has_double: bool  # 64-bit floating point
    has_images: bool  # a sampler and a data port for typed surfaces
    core_clock_mhz: int
    memory_type: MemoryType
    memory_bytes: int
    memory_clock_mhz: int
    memory_bus_bits: int
    memory_bandwidth: int  # bytes for each nanosecond
    last_level_cache_bytes: int

    @property
    def thread_count(self) -> int:
        """Hardware threads of the whole device."""
        subslices = self.slices * self.subslices_per_slice
        return subslices * self.eus_per_subslice * self.threads_per_eu


_ROWS = (
    Device(
        key="dg2",
        name="Intel(R) Arc(TM) A770 Graphics (simulated)",
        platform=Platform.XE_HPG,
        device_id=0x56A0,
        product_family=1270,
        ip_version=(12, 55, 8),
        is_integrated=False,
        tiles=1,
        slices=8,
        subslices_per_slice=4,
        eus_per_subslice=16,
        threads_per_eu=8,
        slm_bytes=128 * _KIB,
        barriers=32,
        group_slm_bytes=64 * _KIB,
        group_size=1024,
        least_sub_group=8,
        has_double=False,
        has_images=True,
        core_clock_mhz=2400,
        memory_type=MemoryType.GDDR6,
        memory_bytes=16 * _GIB,
        memory_clock_mhz=2187,
        memory_bus_bits=256,
        memory_bandwidth=560,
        last_level_cache_bytes=16 * _MIB,
    ),
    Device(
        key="pvc",
        name="Intel(R) Data Center GPU Max 1550 (simulated)",
        platform=Platform.XE_HPC,
        device_id=0x0BD5,
        product_family=1271,
        ip_version=(12, 60, 7),
        is_integrated=False,
        tiles=2,
        slices=2,
        subslices_per_slice=64,
        eus_per_subslice=8,
        threads_per_eu=8,
        slm_bytes=128 * _KIB,
        barriers=32,
        group_slm_bytes=128 * _KIB,
        group_size=1024,
        least_sub_group=16,
        has_double=True,
        has_images=False,
        core_clock_mhz=1600,
        memory_type=MemoryType.HBM2,
        memory_bytes=128 * _GIB,
        memory_clock_mhz=1565,
        memory_bus_bits=4096,
        memory_bandwidth=3276,
        last_level_cache_bytes=408 * _MIB,
    ),
    Device(
        key="bmg",
        name="Intel(R) Arc(TM) B580 Graphics (simulated)",
        platform=Platform.XE2,
        device_id=0xE20B,
        product_family=1274,
        ip_version=(20, 1, 0),
        is_integrated=False,
        tiles=1,
        slices=5,
        subslices_per_slice=4,
        eus_per_subslice=8,
        threads_per_eu=8,
        slm_bytes=128 * _KIB,
        barriers=32,
        group_slm_bytes=128 * _KIB,
        group_size=1024,
        least_sub_group=16,
        has_double=True,
        has_images=True,
        core_clock_mhz=2850,
        memory_type=MemoryType.GDDR6,
        memory_bytes=12 * _GIB,
        memory_clock_mhz=2375,
        memory_bus_bits=192,
        memory_bandwidth=456,
        last_level_cache_bytes=18 * _MIB,
    ),
    # Of Core Ultra 200V: the memory is that of a processor with 32 gigabytes.
    Device(
        key="lnl",
        name="Intel(R) Arc(TM) Graphics (simulated)",
        platform=Platform.XE2,
        device_id=0x64A0,
        product_family=1275,
        ip_version=(20, 4, 4),
        is_integrated=True,
        tiles=1,
        slices=2,
        subslices_per_slice=4,
        eus_per_subslice=8,
        threads_per_eu=8,
        slm_bytes=128 * _KIB,
        barriers=32,
        group_slm_bytes=128 * _KIB,
        group_size=1024,
        least_sub_group=16,
        has_double=True,
        has_images=True,
        core_clock_mhz=2050,
        memory_type=MemoryType.LPDDR5,
        memory_bytes=32 * _GIB,
        memory_clock_mhz=4266,
        memory_bus_bits=128,
        memory_bandwidth=136,
        last_level_cache_bytes=8 * _MIB,
    ),
)

DEVICES = {device.key: device for device in _ROWS}
DEFAULT_DEVICE = _ROWS[0].key  # what users get without a choice


def described_devices() -> str:
    """The names of all, for help."""
    return ", ".join(f"{key} (the default)" if key == DEFAULT_DEVICE else key for key in DEVICES)
