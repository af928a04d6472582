"""Scalars between bytes and Python numbers."""

from __future__ import annotations

import struct

from zedbg.dwarf.types import BaseType, Encoding, EnumType, PointerType, Type
from zedbg.values.errors import EvaluationError

Number = int | float
_FLOAT_CODES = {2: "<e", 4: "<f", 8: "<d"}


def is_scalar(value_type: Type) -> bool:
    """Whether values of the type are single numbers."""
    return isinstance(value_type.stripped(), BaseType | EnumType | PointerType)


def is_float(value_type: Type) -> bool:
    """Whether values of the type are floating-point numbers."""
    stripped = value_type.stripped()
    return isinstance(stripped, BaseType) and stripped.encoding is Encoding.FLOAT


def is_signed(value_type: Type) -> bool:
    """Whether integers of the type are signed."""
    stripped = value_type.stripped()
    if isinstance(stripped, BaseType | EnumType):
        return stripped.is_signed
    return False


def decode(value_type: Type, data: bytes) -> Number:
    """The number that ``data`` (exactly the type's size) holds; the type is a scalar's."""
    if is_float(value_type):
        code = _FLOAT_CODES.get(len(data))
        if code is None:
            raise EvaluationError(f"floating-point type of {len(data)} bytes is not supported")
        number: float = struct.unpack(code, data)[0]
        return number
    return int.from_bytes(data, "little", signed=is_signed(value_type))


def encode(value_type: Type, number: Number) -> bytes:
    """The bytes of ``number`` converted to the scalar ``value_type`` as C converts it."""
    if is_float(value_type):
        code = _FLOAT_CODES.get(value_type.size)
        if code is None:
            raise EvaluationError(f"floating-point type of {value_type.size} bytes")
        try:
            return struct.pack(code, float(number))
        except OverflowError:
            return struct.pack(code, float("inf") if number > 0 else float("-inf"))
    stripped = value_type.stripped()
    if isinstance(stripped, BaseType) and stripped.encoding is Encoding.BOOLEAN:
        number = int(bool(number))
    if isinstance(number, float):
        if number - number != 0:
            number = 0  # NaN and infinities have no integer value
        number = int(number)
    size = value_type.size
    return (number & ((1 << size * 8) - 1)).to_bytes(size, "little")
