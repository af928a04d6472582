"""The simulated devices, as tests choose them: from the rows of zedbg/xe/devices.py."""

from __future__ import annotations

from tests.support.packed_modules import ZEBINS
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.platform import Platform

ALL = tuple(DEVICES)
# The first device of each instruction set, for what the instruction set alone decides. For these
# every kernel of tests/kernels is committed; for the others only a few.
EACH_PLATFORM = tuple(
    next(key for key, device in DEVICES.items() if device.platform is platform)
    for platform in Platform
)


def builds_of(device: str) -> list[str]:
    """The committed sets of tests/kernels/zebin with debug information: ``igc2-dg2-O0``."""
    return sorted(path.name for path in ZEBINS.glob(f"*-{device}-O?"))
