"""What the bits of architecture registers mean: cr0, sr0, f0 and f1, ce.

Control register: Intel's programmer's reference manuals, volume "3D Media GPGPU", chapter "Control
Register"; the bits of cr0.1 are those of :class:`~zedbg.xe.registers.ExceptionBit`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from zedbg.xe.coordinates import format_lanes
from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class RegisterField:
    """Bits of a register: from bit ``low`` of its 32-bit word number ``word``, ``width`` of them.

    ``values`` names what they may be. ``is_mask``: one bit for each lane.
    """

    name: str
    word: int
    low: int
    width: int = 1
    values: tuple[str, ...] = ()
    is_mask: bool = False

    def text(self, words: tuple[int, ...]) -> str | int:
        """The value in ``words``, the register's: a name where it has one."""
        value = words[self.word] >> self.low & (1 << self.width) - 1
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
    RegisterKind.SR: (RegisterField("dispatched lanes", 2, 0, 32, is_mask=True),),
    RegisterKind.CE: (RegisterField("enabled lanes", 0, 0, 32, is_mask=True),),
    RegisterKind.FLAG: (RegisterField("true in lanes", 0, 0, 32, is_mask=True),),
}


def register_fields(kind: RegisterKind, data: bytes) -> dict[str, str | int]:
    """The fields of a register of ``kind`` by name, in order; none where nothing is known of it."""
    words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
    return {
        field.name: field.text(words) for field in _FIELDS.get(kind, ()) if field.word < len(words)
    }
