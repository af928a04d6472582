"""Numbers that have a type on the stack of a location expression (DWARF 5, 2.5.1).

On the stack a number is its bits. Without a type it is the generic one: as wide as an address.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from zedbg.dwarf.types.program_types import Encoding
from zedbg.missing import MissingError

_FLOAT_CODES = {2: "e", 4: "f", 8: "d"}
_SIGNED = frozenset({Encoding.SIGNED, Encoding.SIGNED_CHAR})
_LARGEST = 8  # bytes


@dataclass(frozen=True)
class NumberType:
    """A base type that an expression names. ``size``: bytes."""

    encoding: Encoding
    size: int

    def __post_init__(self) -> None:
        known = self.size in _FLOAT_CODES if self.is_float else 0 < self.size <= _LARGEST
        if not known:
            raise MissingError(
                f"its location computes with {self.encoding.value} numbers of {self.size} bytes"
            )

    @property
    def is_float(self) -> bool:
        """Whether its numbers are of binary floating point."""
        return self.encoding is Encoding.FLOAT

    @property
    def mask(self) -> int:
        """All bits of a number."""
        return (1 << self.size * 8) - 1


GENERIC = NumberType(Encoding.UNSIGNED, 8)


def number_of(bits: int, kind: NumberType) -> int | float:
    """The number that ``bits`` stand for."""
    bits &= kind.mask
    if kind.is_float:
        data = bits.to_bytes(kind.size, "little")
        return float(struct.unpack(f"<{_FLOAT_CODES[kind.size]}", data)[0])
    negative = kind.encoding in _SIGNED and bits >> (kind.size * 8 - 1)
    return bits - (1 << kind.size * 8) if negative else bits


def bits_of(number: int | float, kind: NumberType) -> int:
    """The bits of ``number`` as one of ``kind``: cut to its width, or rounded.

    Raises MissingError.
    """
    if kind.is_float:
        try:
            data = struct.pack(f"<{_FLOAT_CODES[kind.size]}", number)
        except OverflowError:
            data = struct.pack(f"<{_FLOAT_CODES[kind.size]}", math.copysign(math.inf, number))
        return int.from_bytes(data, "little")
    if isinstance(number, float):
        if not math.isfinite(number):
            raise MissingError("its location converts what is no finite number to an integer")
        number = math.trunc(number)
    return number & kind.mask


def convert(bits: int, source: NumberType, target: NumberType) -> int:
    """The bits of the number of ``source`` as one of ``target``."""
    return bits_of(number_of(bits, source), target)


def _divided(left: int | float, right: int | float, kind: NumberType) -> int | float:
    if right == 0:
        raise MissingError("the location divides by zero")
    if kind.is_float:
        return left / right
    assert isinstance(left, int) and isinstance(right, int)
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


# Operators whose result is of the generic type, whatever they compare (DWARF 5, 2.5.1.5).
RELATIONS = frozenset({"eq", "ge", "gt", "le", "lt", "ne"})


def binary(name: str, left: int, right: int, kind: NumberType) -> int:
    """The operator ``name`` of two numbers of ``kind``, as bits.

    MissingError when ``kind`` has no such operator.
    """
    one, other = number_of(left, kind), number_of(right, kind)
    if name in RELATIONS:
        relations = {
            "eq": one == other,
            "ge": one >= other,
            "gt": one > other,
            "le": one <= other,
            "lt": one < other,
            "ne": one != other,
        }
        return int(relations[name])
    match name:
        case "plus":
            result = one + other
        case "minus":
            result = one - other
        case "mul":
            result = one * other
        case "div":
            result = _divided(one, other, kind)
        case _:
            result = _of_integers(name, left & kind.mask, right & kind.mask, one, kind)
    return bits_of(result, kind)


def _of_integers(name: str, left: int, right: int, one: int | float, kind: NumberType) -> int:
    if kind.is_float:
        raise MissingError(f"its location uses DW_OP_{name} with floating-point numbers")
    assert isinstance(one, int)
    match name:
        case "and":
            return left & right
        case "or":
            return left | right
        case "xor":
            return left ^ right
        case "mod":
            if right == 0:
                raise MissingError("the location divides by zero")
            other = number_of(right, kind)
            assert isinstance(other, int)
            return one - other * int(_divided(one, other, kind))
        case "shl":
            return left << right if right < kind.size * 8 else 0
        case "shr":
            return left >> right if right < kind.size * 8 else 0
        case "shra":
            signed = number_of(left, NumberType(Encoding.SIGNED, kind.size))
            assert isinstance(signed, int)
            return signed >> min(right, kind.size * 8 - 1)
    raise MissingError(f"its location uses DW_OP_{name} with typed numbers")


def unary(name: str, bits: int, kind: NumberType) -> int:
    """The operator ``name`` of a number of ``kind``, as bits. Raises MissingError."""
    number = number_of(bits, kind)
    match name:
        case "abs":
            return bits_of(abs(number), kind)
        case "neg":
            return bits_of(-number, kind)
    if kind.is_float:
        raise MissingError(f"its location uses DW_OP_{name} with floating-point numbers")
    return ~bits & kind.mask
