"""C's arithmetic on numbers: promotions, conversions, wrap-around (C11 6.3.1.8, 6.5)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import lru_cache, partial

from zedbg.dwarf.types.program_types import (
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    UINT,
    ULONG,
    BaseType,
    EnumType,
    Type,
)
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number, converter, is_bfloat, is_float, is_signed

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
    """The type after the integer promotions; a half stays one (OpenCL C 6.3.1, cl_khr_fp16).

    Raises EvaluationError.
    """
    stripped = value_type.stripped()
    if isinstance(stripped, EnumType):
        return INT if stripped.is_signed or stripped.size < 4 else UINT
    if not isinstance(stripped, BaseType):
        raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
    if not stripped.is_integer:
        return FLOAT if is_bfloat(stripped) else _plain_float(stripped.size)
    return _plain_integer(stripped.size, stripped.is_signed or stripped.size < INT.size)


def common_type(left: Type, right: Type) -> Type:
    """The type in which C computes with operands of two types."""
    left, right = promoted(left), promoted(right)
    if is_float(left) or is_float(right):
        return _plain_float(max(side.size for side in (left, right) if is_float(side)))
    if left.size != right.size:
        wide = max(left, right, key=lambda side: side.size)
        return _plain_integer(wide.size, is_signed(wide))
    return _plain_integer(left.size, is_signed(left) and is_signed(right))


def _plain_integer(size: int, signed: bool) -> Type:
    if size <= INT.size:
        return INT if signed else UINT
    return LONG if signed else ULONG


def _plain_float(size: int) -> Type:
    return {HALF.size: HALF, FLOAT.size: FLOAT}.get(size, DOUBLE)


def converted(number: Number, to: Type) -> Number:
    """``number`` as a value of the type ``to``."""
    return converter(to)(number)


@lru_cache(maxsize=1024)
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
        raise EvaluationError("Integer-only operation on floating point number.")
    return left


@lru_cache(maxsize=1024)
def binary(name: str, left: Type, right: Type) -> Callable[[Number, Number], Number]:
    """``OP`` for numbers of two types, as C computes it; not for ``&&`` and ``||``.

    The numbers must be such as the types hold; the result is such a number of its type.
    """
    if name in COMPARISONS:
        shared, compare = common_type(left, right), COMPARISONS[name]
        return _converting(lambda a, b: int(compare(a, b)), left, right, shared)
    result = binary_type(name, left, right)
    convert = converter(result)
    if name in ("<<", ">>"):
        return lambda a, b: convert(_shift(name, int(a), int(b), result))
    compute = partial(_float, name) if is_float(result) else _INTEGER.get(name)
    if compute is None:
        compute = partial(_quotient, name)

    def converted(a: Number, b: Number) -> Number:
        return convert(compute(a, b))

    return _converting(converted, left, right, result)


def _converting(
    function: Callable[[Number, Number], Number], left: Type, right: Type, to: Type
) -> Callable[[Number, Number], Number]:
    """``function`` with its operands converted to one type, where they are not of it already."""
    convert = converter(to)
    match _same_numbers(left, to), _same_numbers(right, to):
        case True, True:
            return function
        case True, False:
            return lambda a, b: function(a, convert(b))
        case False, True:
            return lambda a, b: function(convert(a), b)
    return lambda a, b: function(convert(a), convert(b))


def _same_numbers(value_type: Type, to: Type) -> bool:
    """Whether every number of ``value_type`` is one of ``to``."""
    if is_float(value_type) or is_float(to):
        if is_bfloat(value_type) != is_bfloat(to) and value_type.size == to.size:
            return False
        return is_float(value_type) and is_float(to) and value_type.size <= to.size
    if is_signed(value_type) == is_signed(to):
        return value_type.size <= to.size
    return is_signed(to) and value_type.size < to.size


def _shift(name: str, left: int, right: int, value_type: Type) -> int:
    """As the device shifts: by the low bits of the count (OpenCL C 3.0, 6.3.10)."""
    right &= value_type.size * 8 - 1
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


_INTEGER: dict[str, Callable[..., Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def _quotient(name: str, left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("Division by zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if name == "/" else left - quotient * right


@lru_cache(maxsize=1024)
def unary(name: str, value_type: Type) -> tuple[Type, Callable[[Number], Number]]:
    """``OP`` of a type, for ``- + ~ !``: the result's type, and what computes it.

    Raises EvaluationError.
    """
    if name == "!":
        return INT, lambda number: int(not number)
    result = promoted(value_type)
    convert = converter(result)
    if name == "~":
        if is_float(result):
            raise EvaluationError("Argument to complement operation not an integer, boolean.")
        return result, lambda number: convert(~int(number))
    return result, (lambda number: convert(-number)) if name == "-" else convert
