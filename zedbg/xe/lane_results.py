"""What instructions compute for one lane, as far as that takes nothing but their sources.

Integers wrap, floats of 32 bits are rounded to the nearest. Left out are instructions that read
flags or accumulators, saturate, send messages or leave numbers to the device.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Condition, DataType, Predicate
from zedbg.xe.isa.opcodes import Opcode

_Number = int | float

_ARITHMETIC: dict[Opcode, Callable[..., _Number]] = {
    Opcode.MOV: lambda a: a,
    Opcode.ADD: lambda a, b: a + b,
    Opcode.ADD3: lambda a, b, c: a + b + c,
    Opcode.MUL: lambda a, b: a * b,
    Opcode.MAD: lambda a, b, c: a + b * c,
}
_LOGIC: dict[Opcode, Callable[..., int]] = {
    Opcode.AND: lambda a, b: a & b,
    Opcode.OR: lambda a, b: a | b,
    Opcode.XOR: lambda a, b: a ^ b,
    Opcode.NOT: lambda a: ~a,
}
_SHIFTS: dict[Opcode, Callable[[int, int], int]] = {
    Opcode.SHL: lambda a, count: a << count,
    Opcode.SHR: lambda a, count: a >> count,
    Opcode.ASR: lambda a, count: a >> count,
}
# Of zeros with different signs the first is not the smaller, as `min` has it.
_LEAST_OR_MOST: dict[Condition, Callable[..., _Number]] = {
    Condition.LT: lambda a, b: a if a < b else b,
    Condition.GE: lambda a, b: a if a >= b else b,
}


def lane_result(decoded: Decoded, sources: Sequence[int]) -> int | None:
    """The bits that ``decoded`` writes to an element of its destination, from the bits of an
    element of each source; None where this does not compute them."""
    target, operands = decoded.destination, decoded.sources
    if target is None or decoded.saturate or decoded.predicate is not Predicate.NONE:
        return None
    if target.file is not RegisterFile.GRF or len(sources) != len(operands):
        return None
    kinds = [each.type for each in operands]
    if any(each.is_packed for each in kinds):
        return None
    opcode = decoded.opcode
    if opcode in _LOGIC or opcode is Opcode.BFN:
        if any(each.is_floating for each in (*kinds, target.type)):
            return None
        bits = [
            ~_whole(one, each.type) if each.negate else _whole(one, each.type)
            for one, each in zip(sources, operands, strict=True)
        ]
        if opcode is Opcode.BFN:
            return _table(decoded.boolean_function, *bits) & _mask(target.type)
        return _LOGIC[opcode](*bits) & _mask(target.type)
    numbers = [_number(one, each) for one, each in zip(sources, operands, strict=True)]
    known = [each for each in numbers if each is not None]
    if len(known) < len(numbers):
        return None
    if opcode in _SHIFTS:
        return _shifted(opcode, known, kinds[0], target.type)
    if opcode is Opcode.SEL and decoded.condition in _LEAST_OR_MOST:
        computed = _LEAST_OR_MOST[decoded.condition]
    elif opcode in _ARITHMETIC:
        computed = _ARITHMETIC[opcode]
    else:
        return None
    if opcode is not Opcode.MOV and len({each.is_floating for each in (*kinds, target.type)}) > 1:
        return None
    return _bits(computed(*known), target.type)


def _mask(kind: DataType) -> int:
    return (1 << 8 * kind.size) - 1


def _whole(bits: int, kind: DataType) -> int:
    """The integer that ``bits`` are."""
    top = 8 * kind.size - 1
    return bits - (1 << top + 1) if not kind.name.startswith("U") and bits >> top else bits


def _number(bits: int, operand: Operand) -> _Number | None:
    """What an operand gives, with its modifiers."""
    kind = operand.type
    number: _Number
    if kind is DataType.F:
        number = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    elif kind.is_floating:
        return None
    else:
        number = _whole(bits, kind)
    number = abs(number) if operand.absolute else number
    return -number if operand.negate else number


def _bits(number: _Number, kind: DataType) -> int | None:
    """The bits of ``number`` as a ``kind``."""
    if isinstance(number, int) and not kind.is_floating:
        return number & _mask(kind)
    if kind is not DataType.F or not math.isfinite(number):
        return None
    try:
        return int.from_bytes(struct.pack("<f", number), "little")
    except OverflowError:
        return None


def _shifted(
    opcode: Opcode, numbers: Sequence[_Number], kind: DataType, target: DataType
) -> int | None:
    number, count = numbers
    if not isinstance(number, int) or not isinstance(count, int) or target.is_floating:
        return None
    width = 64 if 8 in (kind.size, target.size) else 32
    if opcode is Opcode.SHR and number < 0:
        number &= (1 << 8 * kind.size) - 1
    return _SHIFTS[opcode](number, count & width - 1) & _mask(target)


def _table(function: int, a: int, b: int, c: int) -> int:
    """The bits that the rows of ``function`` give for those of ``a``, ``b`` and ``c``."""
    found = 0
    for row in range(8):
        if function >> row & 1:
            found |= (a if row & 1 else ~a) & (b if row & 2 else ~b) & (c if row & 4 else ~c)
    return found
