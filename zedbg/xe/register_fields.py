"""What the bits of architecture registers mean: cr0, sr0, f0 and f1, ce.

Control register: Intel's programmer's reference manuals, volume "3D Media GPGPU", chapter "Control
Register"; the bits of cr0.1 are those of :class:`~zedbg.xe.registers.ExceptionBit`.

State register: sr0.0 is what Intel's graphics compiler takes the number of a hardware thread from
(its sources, ``GenXSubtarget::getThreadIdReservedBits`` and ``getHWTID``), sr0.1 and cr0.0 say in
Intel's compute runtime how many registers a thread has. No public document says what the other bits
of sr0.0, sr0.1 and sr0.3 mean.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from zedbg.xe.coordinates import format_lanes
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class RegisterField:
    """Bits of a register: from bit ``low`` of its 32-bit word number ``word``, ``width`` of them.

    ``further``: where the bits above those are, as (low, width). ``values`` names what they may be.
    ``is_mask``: one bit for each lane.
    """

    name: str
    word: int
    low: int
    width: int = 1
    values: tuple[str, ...] = ()
    is_mask: bool = False
    further: tuple[tuple[int, int], ...] = ()

    def text(self, words: tuple[int, ...]) -> str | int:
        """The value in ``words``, the register's: a name where it has one."""
        word, value, bits = words[self.word], 0, 0
        for low, width in ((self.low, self.width), *self.further):
            value |= (word >> low & (1 << width) - 1) << bits
            bits += width
        if self.is_mask:
            return f"{value:#x} {format_lanes(value)}".rstrip() if value else "0"
        if value < len(self.values):
            return self.values[value]
        return value if self.width < 32 else f"{value:#x}"


_DENORMALS = ("flushed", "kept")
_FIELDS: Mapping[RegisterKind, tuple[RegisterField, ...]] = {
    RegisterKind.CR: (
        RegisterField("rounding", 0, 4, 2, ("to nearest even", "up", "down", "to zero")),
        RegisterField("denormals of double", 0, 6, values=_DENORMALS),
        RegisterField("denormals of float", 0, 7, values=_DENORMALS),
        RegisterField("denormals of half", 0, 10, values=_DENORMALS),
        RegisterField("ip", 2, 0, 32),
    ),
    RegisterKind.CE: (RegisterField("enabled lanes", 0, 0, 32, is_mask=True),),
    RegisterKind.FLAG: (RegisterField("true in lanes", 0, 0, 32, is_mask=True),),
}
_THREAD = RegisterField("thread", 0, 0, 3)
_DISPATCHED = RegisterField("dispatched lanes", 2, 0, 32, is_mask=True)
_REGISTERS = ("128", "256")
_LARGE_GRF = RegisterField("registers", 0, 13, values=_REGISTERS)
# What differs between the instruction sets: of the control register, and all of the state register.
_OWN_FIELDS: Mapping[tuple[RegisterKind, Platform], tuple[RegisterField, ...]] = {
    (RegisterKind.CR, Platform.XE_HPG): (_LARGE_GRF,),
    (RegisterKind.CR, Platform.XE_HPC): (_LARGE_GRF,),
    (RegisterKind.SR, Platform.XE_HPG): (
        RegisterField("slice", 0, 11, 3),
        RegisterField("dual subslice", 0, 9, 2),
        RegisterField("subslice", 0, 8),
        RegisterField("EU", 0, 4, 2, further=((7, 1),)),
        _THREAD,
        _DISPATCHED,
    ),
    (RegisterKind.SR, Platform.XE_HPC): (
        RegisterField("slice", 0, 12, 3),
        RegisterField("subslice", 0, 9, 3),
        RegisterField("EU", 0, 4, 2, further=((8, 1),)),
        _THREAD,
        _DISPATCHED,
    ),
    (RegisterKind.SR, Platform.XE2): (
        RegisterField("slice", 0, 11, 5),
        RegisterField("subslice", 0, 8, 2),
        RegisterField("EU", 0, 4, 3),
        _THREAD,
        RegisterField("registers", 1, 13, values=_REGISTERS),
        _DISPATCHED,
    ),
}


def register_fields(kind: RegisterKind, platform: Platform, data: bytes) -> dict[str, str | int]:
    """The fields of a register of ``kind`` by name, in order; none where nothing is known of it."""
    words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
    fields = (*_FIELDS.get(kind, ()), *_OWN_FIELDS.get((kind, platform), ()))
    return {field.name: field.text(words) for field in fields if field.word < len(words)}
