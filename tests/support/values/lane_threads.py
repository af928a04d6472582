"""Threads stopped in real kernels, made of bytes."""

import struct

from tests.support.packed_modules import ZEBINS
from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.values.formats.formatting import format_value
from zedbg.xe.registers import RegisterKind
from zedbg.zebin import Module

PRIVATE_BASE = 0x4100_0000_0000


def stopped_in(name, line=None, **options):
    """A thread stopped in the only kernel of a module, at a line or after its prologue."""
    info = DebugInfo.of(Module.open(ZEBINS / f"{name}.zebin"))
    function = info.functions[0]
    location = CodePlaces(info).after_prologue(function)
    if line is not None:
        (location,) = CodePlaces(info).of_line(location.file.name, line)
    return FakeThread(info, location.address, **options), info


def vadd_thread():
    """vadd at -O0: private memory holds n, i, a, b, c of eight lanes, as the compiler lays it out:
    the base is in r5.6, the thread's own part starts at r22.0."""
    thread, _info = stopped_in("igc2-dg2-O0/vadd", 4)
    thread.set_register(RegisterKind.GRF, 5, struct.pack("<Q", PRIVATE_BASE), offset=24)
    thread.set_register(RegisterKind.GRF, 22, struct.pack("<I", 0x100))
    private = struct.pack("<8i8i", *[100] * 8, *range(8))
    private += b"".join(struct.pack("<8Q", *[at] * 8) for at in (0x9000, 0xA000, 0xB000))
    thread.map(PRIVATE_BASE + 0x100, private)
    thread.map(0x9000, struct.pack("<8f", *(lane * 0.5 for lane in range(8))))
    thread.map(0xA000, struct.pack("<8f", *range(8)))
    return thread


def texts(values):
    return [format_value(value) for _lane, value in values]
