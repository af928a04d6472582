"""C's arithmetic on numbers: promotions, conversions, wrap-around (C11 6.3.1.8, 6.5)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from zedbg.dwarf.types import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    UINT,
    ULONG,
    BaseType,
    EnumType,
    Type,
)
from zedbg.values.errors import EvaluationError
from zedbg.values.scalars import Number, decode, encode, is_float, is_signed

COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_INTEGER_ONLY = frozenset({"%", "&", "|", "^", "<<", ">>"})


def promoted(value_type: Type) -> Type:
    """The type after the integer promotions; a half becomes a float."""
    stripped = value_type.stripped()
    if isinstance(stripped, EnumType):
        return INT if stripped.is_signed or stripped.size < 4 else UINT
    if not isinstance(stripped, BaseType):
        raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
    if not stripped.is_integer:
        return FLOAT if stripped.size < FLOAT.size else value_type
    return INT if stripped.size < INT.size else value_type


def common_type(left: Type, right: Type) -> Type:
    """The type in which C computes with operands of two types."""
    left, right = promoted(left), promoted(right)
    if is_float(left) or is_float(right):
        floats = [side for side in (left, right) if is_float(side)]
        longest = max(side.size for side in floats)
        return FLOAT if longest == FLOAT.size else DOUBLE
    if left.size != right.size:
        wide, narrow = (left, right) if left.size > right.size else (right, left)
        del narrow
        return _plain_integer(wide.size, is_signed(wide))
    return _plain_integer(left.size, is_signed(left) and is_signed(right))


def _plain_integer(size: int, signed: bool) -> Type:
    if size <= INT.size:
        return INT if signed else UINT
    return LONG if signed else ULONG


def converted(number: Number, to: Type) -> Number:
    """``number`` as a value of the type ``to``."""
    return decode(to, encode(to, number))


def binary_type(name: str, left: Type, right: Type) -> Type:
    """The type of ``left OP right`` for numbers."""
    if name in COMPARISONS:
        common_type(left, right)
        return INT
    if name in ("<<", ">>"):
        common_type(left, right)
        return _checked_integer(promoted(left), right)
    result = common_type(left, right)
    if name in _INTEGER_ONLY:
        _checked_integer(left, right)
    return result


def _checked_integer(left: Type, right: Type) -> Type:
    if is_float(left) or is_float(right):
        raise EvaluationError("Integer-only operation on floating-point value.")
    return left


def binary(name: str, left: Number, left_type: Type, right: Number, right_type: Type) -> Number:
    """``left OP right`` for two numbers, as C computes it; not for ``&&`` and ``||``."""
    if name in COMPARISONS:
        shared = common_type(left_type, right_type)
        return int(COMPARISONS[name](converted(left, shared), converted(right, shared)))
    result = binary_type(name, left_type, right_type)
    if name in ("<<", ">>"):
        return converted(_shift(name, int(left), int(right), result), result)
    left, right = converted(left, result), converted(right, result)
    if is_float(result):
        return converted(_float(name, float(left), float(right)), result)
    return converted(_integer(name, int(left), int(right)), result)


def _shift(name: str, left: int, right: int, value_type: Type) -> int:
    if right < 0:
        raise EvaluationError("Shift count is negative.")
    if right >= value_type.size * 8:
        return -1 if name == ">>" and left < 0 else 0
    return left << right if name == "<<" else left >> right


def _float(name: str, left: float, right: float) -> float:
    if name == "+":
        return left + right
    if name == "-":
        return left - right
    if name == "*":
        return left * right
    if right == 0:
        if left == 0 or left != left:
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


_INTEGER: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def _integer(name: str, left: int, right: int) -> int:
    if name in _INTEGER:
        return _INTEGER[name](left, right)
    if right == 0:
        raise EvaluationError("Division by zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if name == "/" else left - quotient * right


def unary(name: str, number: Number, value_type: Type) -> tuple[Type, Number]:
    """``OP number`` for ``-``, ``+``, ``~`` and ``!``: the type and the value."""
    if name == "!":
        return INT, int(not number)
    result = promoted(value_type)
    if name == "~":
        if is_float(result):
            raise EvaluationError("Argument to complement operation not an integer, boolean.")
        return result, converted(~int(number), result)
    return result, converted(-number if name == "-" else number, result)
