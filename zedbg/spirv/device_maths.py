"""Quotients and roots, whose last bits are left to the device: what they are nearly.

A register that is proved to have the result of such an instruction says which number it is. That
must be near what it is nearly.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from zedbg.spirv.arithmetic import SMALLEST_NORMAL
from zedbg.spirv.code import Instruction, SpirvCode
from zedbg.spirv.operations import Op
from zedbg.spirv.types import Kind

_BITS = 32
_NEAR = 2.0**-20  # of the number; results are some units in the last place away at most
#: Functions of OpenCL.std: square roots, reciprocals, and reciprocals of roots.
_ROOTS: dict[int, Callable[[float], float]] = {
    **dict.fromkeys((61, 93), math.sqrt),
    90: lambda a: 1 / a,
    **dict.fromkeys((56, 91), lambda a: 1 / math.sqrt(a)),
}


def is_left_to_device(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` makes a number of 32 bits whose last bits are not said."""
    kind = code.type_of.get(item.result)
    if kind is None or kind.kind is not Kind.FLOAT or kind.bits != _BITS:
        return False
    if item.opcode == Op.EXT_INST:
        return item.operands[0] in code.maths and item.operands[1] in _ROOTS
    return item.opcode == Op.F_DIV


def operands_of(item: Instruction) -> list[int]:
    """The results that ``item``, which is left to the device, is made of."""
    return list(item.operands[2:] if item.opcode == Op.EXT_INST else item.operands[:2])


def nearly(item: Instruction, operands: list[float]) -> float | None:
    """What ``item``, which is left to the device, makes of ``operands``, nearly; None where that is
    not known."""
    try:
        if item.opcode == Op.F_DIV:
            return operands[0] / operands[1]
        return _ROOTS[item.operands[1]](operands[0])
    except (ArithmeticError, ValueError):
        return None


def is_near(number: float, guess: float) -> bool:
    """Whether ``number`` may be what is ``guess`` nearly."""
    is_usual = math.isfinite(guess) and abs(guess) >= SMALLEST_NORMAL[_BITS] / _NEAR
    return is_usual and abs(number - guess) <= _NEAR * abs(guess)
