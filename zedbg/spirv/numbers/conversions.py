"""Conversions that say how they round, or that they saturate: ``convert_int_rte``,
``convert_uchar_sat`` and the like (SPIR-V: FP Rounding Mode, and SaturatedConversion of
Decoration)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, real, saturated, signed, unary, whole

#: Instructions that saturate without a decoration.
SATURATING = frozenset({Op.SAT_CONVERT_S_TO_U, Op.SAT_CONVERT_U_TO_S})
_TO_INTEGERS = frozenset({Op.CONVERT_F_TO_S, Op.CONVERT_F_TO_U})
_TO_SIGNED = frozenset({Op.CONVERT_F_TO_S, Op.SAT_CONVERT_U_TO_S, Op.S_CONVERT})
_OF_SIGNED = frozenset({Op.SAT_CONVERT_S_TO_U, Op.S_CONVERT, Op.CONVERT_S_TO_F})

_MOST_BITS = 64  # of an integer
_NEAREST_EVEN, _TOWARDS_ZERO = 0, 1
#: By number of the rounding mode.
_WHOLE: dict[int, Callable[[float], int]] = {
    _NEAREST_EVEN: round,
    _TOWARDS_ZERO: math.trunc,
    2: math.ceil,
    3: math.floor,
}


@dataclass(frozen=True)
class Conversion:
    """``rounding``: the number of its mode; None: as the instruction does without. ``saturates``:
    a number that does not fit becomes the one next to it that does."""

    rounding: int | None = None
    saturates: bool = False

    def of(self, opcode: int, source: Type, kind: Type) -> Callable[[Value], Value]:
        """What computes a scalar of type ``kind`` of one of type ``source``."""
        if kind.kind is Kind.INTEGER:
            return lambda value: self._integer(opcode, source, kind, value)
        return lambda value: self._float(opcode, source, kind, value)

    def _integer(self, opcode: int, source: Type, kind: Type, value: Value) -> int:
        if opcode in _TO_INTEGERS:
            number = self._whole(real(value, source.bits))
        else:
            number = whole(value)
            if opcode in _OF_SIGNED:
                number = signed(number, source.bits)
        fitting = saturated(kind.bits, opcode in _TO_SIGNED, number)
        if self.saturates:
            number = fitting
        elif opcode in _TO_INTEGERS and number != fitting:
            raise UnknownValue("the number does not fit the integer")
        return number & (1 << kind.bits) - 1

    def _whole(self, number: float) -> int:
        """The whole number that ``number`` is rounded to; of an infinity one that is too large for
        any integer."""
        if math.isfinite(number):
            return _WHOLE[_TOWARDS_ZERO if self.rounding is None else self.rounding](number)
        if not self.saturates:
            raise UnknownValue("the number does not fit the integer")
        if math.isnan(number):
            return 0
        return int(math.copysign(1, number)) << _MOST_BITS

    def _float(self, opcode: int, source: Type, kind: Type, value: Value) -> Value:
        made = unary(opcode, source, value, kind)
        if self.rounding in (None, _NEAREST_EVEN):
            return made
        number = whole(value) if source.kind is Kind.INTEGER else real(value, source.bits)
        if opcode in _OF_SIGNED:
            number = signed(whole(value), source.bits)
        if made != number:
            raise UnknownValue("the number is rounded in another way than to the nearest one")
        return made
