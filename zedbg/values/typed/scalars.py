"""Scalars between bytes and Python numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache

from zedbg.dwarf.types.program_types import FLOAT, BaseType, Encoding, EnumType, PointerType, Type
from zedbg.missing import Missing
from zedbg.values.typed.evaluation_error import EvaluationError

Number = int | float
_FLOAT_CODES = {2: "<e", 4: "<f", 8: "<d"}
_LONG_LIMIT = 1 << 63
_INTEGER_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}


def is_scalar(value_type: Type) -> bool:
    """Whether values of the type are single numbers."""
    return isinstance(value_type.stripped(), BaseType | EnumType | PointerType)


def is_float(value_type: Type) -> bool:
    """Whether values of the type are floating-point numbers."""
    stripped = value_type.stripped()
    return isinstance(stripped, BaseType) and not stripped.is_integer


def is_bfloat(value_type: Type) -> bool:
    """Whether values of the type are upper halves of floats."""
    stripped = value_type.stripped()
    return isinstance(stripped, BaseType) and stripped.encoding is Encoding.BFLOAT


def is_integer(value_type: Type) -> bool:
    """Whether values of the type are single numbers without a fraction; addresses are."""
    return is_scalar(value_type) and not is_float(value_type)


def is_signed(value_type: Type) -> bool:
    """Whether integers of the type are signed."""
    stripped = value_type.stripped()
    if isinstance(stripped, BaseType | EnumType):
        return stripped.is_signed
    return False


def decode(value_type: Type, data: bytes) -> Number:
    """The number that ``data`` (exactly the type's size) holds; the type is a scalar's.

    Raises EvaluationError.
    """
    code = _struct_code(value_type)
    if code is not None and len(data) == value_type.size:
        number: Number = struct.unpack(f"<{code}", data)[0]
        return number
    if is_bfloat(value_type):
        data = bytes(2) + data
    if is_float(value_type):
        code = _FLOAT_CODES.get(len(data))
        if code is None:
            raise EvaluationError(f"floating-point type of {len(data)} bytes is not supported")
        number = struct.unpack(code, data)[0]
        return number
    return int.from_bytes(data, "little", signed=is_signed(value_type))


def decode_all(value_type: Type, data: Sequence[bytes | Missing]) -> list[Number | Missing]:
    """The numbers of many values of a scalar type, each of exactly its size."""
    present = [each for each in data if not isinstance(each, Missing)]
    if len(present) == len(data):
        return list(decode_each(value_type, present))
    return [each if isinstance(each, Missing) else decode(value_type, each) for each in data]


def decode_each(value_type: Type, data: Sequence[bytes]) -> list[Number]:
    """As :func:`decode_all`, where there are all."""
    code = _struct_code(value_type)
    if code is None:
        return [decode(value_type, each) for each in data]
    return list(struct.unpack(f"<{len(data)}{code}", b"".join(data)))


@lru_cache(maxsize=256)
def _struct_code(value_type: Type) -> str | None:
    """The letter of the struct module for a scalar type, None when it has none."""
    if is_bfloat(value_type):
        return None
    if is_float(value_type):
        return _FLOAT_CODES.get(value_type.size, "")[1:] or None
    code = _INTEGER_CODES.get(value_type.size)
    return code if code is None or is_signed(value_type) else code.upper()


def _rounding(to: Type) -> Callable[[Number], Number]:
    """A function that converts numbers to the floating-point type ``to``."""
    code = _struct_code(to)
    if code is None:
        return lambda number: decode(to, encode(to, number))
    pack, unpack = struct.Struct(f"<{code}").pack, struct.Struct(f"<{code}").unpack

    def convert(number: Number) -> Number:
        try:
            rounded: Number = unpack(pack(number))[0]
        except OverflowError:
            return decode(to, encode(to, number))
        return rounded

    return convert


@lru_cache(maxsize=256)
def converter(to: Type) -> Callable[[Number], Number]:
    """A function that converts numbers to the scalar type ``to`` as C does."""
    if is_float(to) and to.size == 8:
        return float
    if is_float(to):
        return _rounding(to)
    mask = (1 << to.size * 8) - 1
    sign = 1 << to.size * 8 - 1 if is_signed(to) else 0

    def convert(number: Number) -> Number:
        if type(number) is int:
            return ((number & mask) ^ sign) - sign
        return decode(to, encode(to, number))

    stripped = to.stripped()
    if isinstance(stripped, BaseType) and stripped.encoding is Encoding.BOOLEAN:
        return lambda number: int(bool(number))
    return convert


def encode_each(value_type: Type, numbers: Sequence[Number]) -> list[bytes]:
    """As :func:`encode`, of numbers that the type holds as they are."""
    code = _struct_code(value_type)
    if code is None:
        return [encode(value_type, each) for each in numbers]
    joined, size = struct.pack(f"<{len(numbers)}{code}", *numbers), value_type.size
    return [joined[start : start + size] for start in range(0, len(joined), size)]


def whole(number: Number, *, signed: bool = True) -> int:
    """``number`` without what is after the point. What does not fit into a long, unless it does
    into an unsigned one that is asked for, is the nearest long, and NaN the largest, as in GDB: C
    leaves it open (C11 6.3.1.4)."""
    if isinstance(number, int):
        return number
    if -_LONG_LIMIT <= number < (_LONG_LIMIT if signed else 2 * _LONG_LIMIT):
        return int(number)
    return -_LONG_LIMIT if number < 0 else _LONG_LIMIT - 1


def _upper_half(data: bytes) -> bytes:
    """The bf16 nearest to the float in ``data``, of two the even one; a NaN stays one."""
    bits = int.from_bytes(data, "little")
    if bits & 0x7FFFFFFF > 0x7F800000:
        return (bits >> 16 | 0x40).to_bytes(2, "little")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).to_bytes(2, "little")


def encode(value_type: Type, number: Number) -> bytes:
    """The bytes of ``number`` converted to the scalar ``value_type`` as C converts it.

    Raises EvaluationError.
    """
    if is_bfloat(value_type):
        return _upper_half(encode(FLOAT, number))
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
    size = value_type.size
    return (whole(number, signed=is_signed(value_type)) & ((1 << size * 8) - 1)).to_bytes(
        size, "little"
    )
