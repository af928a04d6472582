"""Scalars in the natural format of their type, as GDB prints them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from zedbg.dwarf.types.program_types import BaseType, Encoding, EnumType
from zedbg.values.formats.text import character
from zedbg.values.typed.scalars import is_signed

# The upper half of a float: digits as GDB shows them of as many bits.
_BFLOAT_DIGITS, _BFLOAT_MANTISSA = 4, 7
_FLOAT_DIGITS = {2: 5, 4: 9, 8: 17}
_FLOAT_LAYOUT = {2: ("<H", 10), 4: ("<I", 23), 8: ("<Q", 52)}


def format_float(number: float, size: int) -> str:
    """A floating-point number with as many digits as its size in bytes holds."""
    if number != number:
        code, mantissa = _FLOAT_LAYOUT.get(size, ("<Q", 52))
        packed = struct.pack({2: "<e", 4: "<f", 8: "<d"}.get(size, "<d"), number)
        bits = struct.unpack(code, packed)[0]
        return _nan(bits, size * 8, mantissa)
    return f"{number:.{_FLOAT_DIGITS.get(size, 17)}g}"


def _nan(bits: int, bit_size: int, mantissa: int) -> str:
    """A NaN with its sign and payload."""
    sign = "-" if bits >> (bit_size - 1) & 1 else ""
    return f"{sign}nan({bits & ((1 << mantissa) - 1):#x})"


def float_text(data: bytes) -> str:
    """The floating-point number in ``data`` (2, 4 or 8 bytes)."""
    code, mantissa = _FLOAT_LAYOUT[len(data)]
    bits = struct.unpack(code, data)[0]
    number: float = struct.unpack({2: "<e", 4: "<f", 8: "<d"}[len(data)], data)[0]
    if number != number:
        # Python may change a NaN's payload on the way; the bytes have not been touched.
        return _nan(bits, len(data) * 8, mantissa)
    return format_float(number, len(data))


def _bfloat_text(data: bytes) -> str:
    """The bf16 in ``data``."""
    number: float = struct.unpack("<f", bytes(2) + data)[0]
    if number != number:
        return _nan(int.from_bytes(data, "little"), 16, _BFLOAT_MANTISSA)
    return f"{number:.{_BFLOAT_DIGITS}g}"


def base_text(base: BaseType, data: bytes) -> str:
    """The scalar in ``data`` in the natural format of its type."""
    if base.encoding is Encoding.BFLOAT:
        return _bfloat_text(data)
    if base.encoding is Encoding.FLOAT and len(data) in _FLOAT_LAYOUT:
        return float_text(data)
    number = int.from_bytes(data, "little", signed=is_signed(base))
    if base.encoding is Encoding.BOOLEAN:
        return {0: "false", 1: "true"}.get(number, str(number))
    if base.is_character:
        return f"{number} {character(number & 0xFF)}"
    return str(number)


def enumeration_text(enumeration: EnumType, number: int) -> str:
    """A value of an enumeration: its name, or the names of the flags that it consists of."""
    for name, value in enumeration.enumerators.items():
        if value == number:
            return name
    values: Sequence[int] = list(enumeration.enumerators.values())
    union = 0
    for value in values:
        if value < 0 or value & union:
            return str(number)
        union |= value
    if number == 0:
        return "0"
    names = [name for name, value in enumeration.enumerators.items() if value and value & number]
    rest = number & ~union
    if rest:
        names.append(f"unknown: {rest:#x}")
    return f"({' | '.join(names)})"
