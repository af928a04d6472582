"""Arithmetic of location expressions, over all lanes at once (DWARF 4, 2.5.1.4 and 2.5.1.5).

Numbers are 64 bits wide; results may be wider or negative and are cut by whoever pushes them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from zedbg.dwarf.expressions.places import LaneNumber
from zedbg.missing import MissingError

MASK = (1 << 64) - 1


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise MissingError("the location divides by zero")
    quotient = abs(_signed(left)) // abs(_signed(right))
    return quotient if (_signed(left) < 0) == (_signed(right) < 0) else -quotient


def _modulo(left: int, right: int) -> int:
    if right == 0:
        raise MissingError("the location divides by zero")
    return left % right


def _compare(relation: Callable[[int, int], bool]) -> Callable[[int, int], int]:
    return lambda left, right: int(relation(_signed(left), _signed(right)))


BINARY: dict[str, Callable[[int, int], int]] = {
    "and": operator.and_,
    "div": _divide,
    "minus": operator.sub,
    "mod": _modulo,
    "mul": operator.mul,
    "or": operator.or_,
    "plus": operator.add,
    "shl": lambda left, right: left << right if right < 64 else 0,
    "shr": lambda left, right: left >> right if right < 64 else 0,
    "shra": lambda left, right: _signed(left) >> min(right, 63),
    "xor": operator.xor,
    "eq": _compare(operator.eq),
    "ge": _compare(operator.ge),
    "gt": _compare(operator.gt),
    "le": _compare(operator.le),
    "lt": _compare(operator.lt),
    "ne": _compare(operator.ne),
}
UNARY: dict[str, Callable[[int], int]] = {
    "abs": lambda number: abs(_signed(number)),
    "neg": operator.neg,
    "not": operator.invert,
}


def apply(function: Callable[[int], int], number: LaneNumber) -> LaneNumber:
    """``function`` of a number that is the same in all lanes, or of that of each lane."""
    if isinstance(number, int):
        return function(number)
    return tuple(map(function, number))


def combine(function: Callable[[int, int], int], left: LaneNumber, right: LaneNumber) -> LaneNumber:
    """``function`` of two numbers, in each lane where one of them differs between lanes."""
    if isinstance(left, int) and isinstance(right, int):
        return function(left, right)
    if isinstance(left, int):
        assert not isinstance(right, int)
        return tuple(function(left, number) for number in right)
    if isinstance(right, int):
        return tuple(function(number, right) for number in left)
    return tuple(map(function, left, right))
