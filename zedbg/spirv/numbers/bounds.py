"""Bounds of floating-point numbers whose last bits are left to the device.

What devices may give is bounded (OpenCL C 3.0, section 7.4, relative error as units in the last
place; results that are denormal may be zero). So a comparison may be certain of which no operand is
known exactly. Compilers may round a multiplication with an addition once or twice, and add the
products of ``dot`` in any order; bounds have both. They do not hold for what a compiler may compute
in any order (``-cl-fast-relaxed-math``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import SMALLEST_NORMAL

#: Relative errors by the number of bits: of what is rounded once, of quotients and roots, and of
#: other functions (16 units in the last place at most).
_ROUNDED = {16: 2.0**-10, 32: 2.0**-23, 64: 2.0**-50}
_NEAR = {16: 2.0**-8, 32: 2.0**-20, 64: 2.0**-48}
_ROUGHLY = {16: 2.0**-6, 32: 2.0**-18, 64: 2.0**-46}
_GREATEST = {16: 65504.0, 32: 3.4e38, 64: 1.7e308}
_LONG_ANGLE = 1e4  # radians: beyond it nothing is said of a sine


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number that is finite, ``low`` at least and ``high`` at most."""

    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    @property
    def size(self) -> float:
        """How far from zero it may be."""
        return max(abs(self.low), abs(self.high))


#: Those of a number, or of each number of a vector.
Bounded: TypeAlias = "Bounds | tuple[Bounds, ...]"


def exactly(number: float, bits: int) -> Bounds | None:
    """Those of a number of ``bits`` bits that is known; None where it is not finite."""
    return _bounds((number,), 0.0, bits)


def _bounds(ends: Sequence[float], error: float, bits: int) -> Bounds | None:
    """Those of numbers between the least and the greatest of ``ends``, of ``bits`` bits, with a
    relative ``error``. None where they may be too large."""
    low, high, least = min(ends), max(ends), SMALLEST_NORMAL[bits]
    low, high = low - abs(low) * error, high + abs(high) * error
    if low < least and high > -least:  # it may be taken for zero, or be rounded otherwise
        unit = least * _ROUNDED[bits] if error else 0.0
        low, high = min(low - unit, 0.0), max(high + unit, 0.0)
    if not (-_GREATEST[bits] < low and high < _GREATEST[bits]):  # nor if one is no number
        return None
    return Bounds(low, high)


def _sum(bits: int, a: Bounds, b: Bounds) -> Bounds | None:
    return _bounds((a.low + b.low, a.high + b.high), _ROUNDED[bits], bits)


def _negated(bits: int, a: Bounds) -> Bounds | None:
    return Bounds(-a.high, -a.low)


def _difference(bits: int, a: Bounds, b: Bounds) -> Bounds | None:
    return _bounds((a.low - b.high, a.high - b.low), _ROUNDED[bits], bits)


def _product(bits: int, a: Bounds, b: Bounds) -> Bounds | None:
    return _bounds([one * other for one in a for other in b], _ROUNDED[bits], bits)


def _quotient(bits: int, a: Bounds, b: Bounds) -> Bounds | None:
    least = SMALLEST_NORMAL[bits]
    if (b.low < least and b.high > -least) or b.size > 1 / least:
        return None
    return _bounds([one / other for one in a for other in b], _NEAR[bits], bits)


def _fused(bits: int, a: Bounds, b: Bounds, c: Bounds) -> Bounds | None:
    made = _product(bits, a, b)
    return None if made is None else _sum(bits, made, c)


def _absolute(bits: int, a: Bounds) -> Bounds | None:
    return Bounds(0.0 if a.low <= 0 <= a.high else min(map(abs, a)), a.size)


def _root(bits: int, a: Bounds) -> Bounds | None:
    return None if a.low < 0 else _bounds([math.sqrt(each) for each in a], _NEAR[bits], bits)


def _reciprocal_root(bits: int, a: Bounds) -> Bounds | None:
    if a.low < SMALLEST_NORMAL[bits]:
        return None
    return _bounds([1 / math.sqrt(each) for each in a], _NEAR[bits], bits)


def _mixed(bits: int, a: Bounds, b: Bounds, share: Bounds) -> Bounds | None:
    difference = _difference(bits, b, a)
    made = None if difference is None else _fused(bits, difference, share, a)
    if made is None:
        return None
    error = (a.size + b.size) * (1 + share.size) * _NEAR[bits]  # or it adds two products
    return Bounds(made.low - error, made.high + error)


def _wave(compute: Callable[[float], float]) -> Callable[..., Bounds | None]:
    """Of a sine or cosine, which changes as much as the angle at most."""

    def bounded(bits: int, a: Bounds) -> Bounds | None:
        if a.size > _LONG_ANGLE:
            return None
        middle, half = (a.low + a.high) / 2, (a.high - a.low) / 2 + _ROUGHLY[bits]
        number = compute(middle)
        return Bounds(max(number - half, -1.0), min(number + half, 1.0))

    return bounded


def _growing(compute: Callable[..., float]) -> Callable[..., Bounds | None]:
    """Of a function that grows with each argument, or falls with it, as long as these are numbers
    that it takes."""

    def bounded(bits: int, *operands: Bounds) -> Bounds | None:
        return _bounds([compute(*each) for each in product(*operands)], _ROUGHLY[bits], bits)

    return bounded


def _stepping(compute: Callable[..., float]) -> Callable[..., Bounds | None]:
    """The same of one that does not round."""

    def bounded(bits: int, *operands: Bounds) -> Bounds | None:
        ends = [compute(*each) for each in product(*operands)]
        return Bounds(min(ends), max(ends))

    return bounded


def _power(base: float, exponent: float) -> float:
    if base <= 0:
        raise ValueError
    return math.pow(base, exponent)


def _rounded_away(number: float) -> float:
    return math.copysign(math.floor(abs(number) + 0.5), number)


def _clamp(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


_OPERATIONS: dict[int, Callable[..., Bounds | None]] = {
    Op.F_ADD: _sum,
    Op.F_SUB: _difference,
    Op.F_MUL: _product,
    Op.F_DIV: _quotient,
    Op.F_NEGATE: _negated,
    Op.VECTOR_TIMES_SCALAR: _product,
}
#: Functions of OpenCL.std of which a result may be certain though no argument is.
_STEPS: dict[int, Callable[..., Bounds | None]] = {
    Std.CEIL: _stepping(lambda a: float(math.ceil(a))),
    Std.FLOOR: _stepping(lambda a: float(math.floor(a))),
    Std.RINT: _stepping(lambda a: float(round(a))),
    Std.ROUND: _stepping(_rounded_away),
    Std.TRUNC: _stepping(lambda a: float(math.trunc(a))),
    **dict.fromkeys((Std.FMAX, Std.FMAX_COMMON), _stepping(max)),
    **dict.fromkeys((Std.FMIN, Std.FMIN_COMMON), _stepping(min)),
    Std.FCLAMP: _stepping(_clamp),
    Std.STEP: _stepping(lambda edge, a: 0.0 if a < edge else 1.0),
    Std.SIGN: _stepping(lambda a: math.copysign(1.0, a) if a else 0.0),
}
_FUNCTIONS: dict[int, Callable[..., Bounds | None]] = {
    **_STEPS,
    Std.FABS: _absolute,
    Std.FMA: _fused,
    Std.MAD: _fused,
    Std.SQRT: _root,
    Std.RSQRT: _reciprocal_root,
    Std.MIX: _mixed,
    Std.ATAN: _growing(math.atan),
    Std.CBRT: _growing(math.cbrt),
    Std.ERF: _growing(math.erf),
    Std.EXP: _growing(math.exp),
    Std.EXP2: _growing(math.exp2),
    Std.EXP10: _growing(lambda a: 10.0**a),
    Std.LOG: _growing(math.log),
    Std.LOG2: _growing(math.log2),
    Std.LOG10: _growing(math.log10),
    Std.TANH: _growing(math.tanh),
    **dict.fromkeys((Std.POW, Std.POWR), _growing(_power)),
    Std.COS: _wave(math.cos),
    Std.SIN: _wave(math.sin),
}


def _vector_length(vector: Sequence[Bounds], bits: int) -> Bounds | None:
    sizes = [_absolute(bits, each) for each in vector]
    ends = [math.hypot(*each) for each in zip(*(each for each in sizes if each), strict=True)]
    return _bounds(ends, _ROUGHLY[bits], bits)


def _dot(a: Sequence[Bounds], b: Sequence[Bounds], bits: int) -> Bounds | None:
    products = [_product(bits, one, other) for one, other in zip(a, b, strict=True)]
    known = [each for each in products if each is not None]
    if len(known) < len(products):
        return None
    error = sum(each.size for each in known) * _ROUNDED[bits] * len(known)
    low, high = (sum(ends) for ends in zip(*known, strict=True))
    return _bounds((low - error, high + error), _ROUNDED[bits], bits)


def _vector(of: Bounded) -> Sequence[Bounds]:
    return (of,) if isinstance(of, Bounds) else of


def _of_vectors(number: int, operands: Sequence[Bounded], bits: int) -> Bounded | None:
    """A function of OpenCL.std whose results are not made of each component by itself."""
    first, *others = map(_vector, operands)
    if number in (Std.DISTANCE, Std.FAST_DISTANCE):
        pairs = zip(first, others[0], strict=True)
        parts = [_difference(bits, one, other) for one, other in pairs]
        known = [each for each in parts if each is not None]
        return _vector_length(known, bits) if len(known) == len(parts) else None
    length = _vector_length(first, bits)
    if number in (Std.LENGTH, Std.FAST_LENGTH) or length is None:
        return length
    quotients = [_quotient(bits, each, length) for each in first]  # normalize
    wider = [each and _bounds((*each,), _ROUGHLY[bits], bits) for each in quotients]
    whole = tuple(each for each in wider if each is not None)
    if len(whole) < len(wider):
        return None
    return whole[0] if isinstance(operands[0], Bounds) else whole


_OF_VECTORS = frozenset(
    {
        Std.DISTANCE,
        Std.LENGTH,
        Std.NORMALIZE,
        Std.FAST_DISTANCE,
        Std.FAST_LENGTH,
        Std.FAST_NORMALIZE,
    }
)


def operation(opcode: int, operands: Sequence[Bounded], bits: int) -> Bounded | None:
    """The bounds of what ``opcode`` makes, of numbers of ``bits`` bits; None where there are
    none."""
    if opcode == Op.DOT:
        return _dot(_vector(operands[0]), _vector(operands[1]), bits)
    compute = _OPERATIONS.get(opcode)
    return None if compute is None else _by_parts(compute, operands, bits)


def function(number: int, operands: Sequence[Bounded], bits: int) -> Bounded | None:
    """The same of a function of OpenCL.std."""
    if number in _OF_VECTORS:
        return _of_vectors(number, operands, bits)
    compute = _FUNCTIONS.get(number)
    return None if compute is None else _by_parts(compute, operands, bits)


def may_be_certain(number: int) -> bool:
    """Whether a function of OpenCL.std may give one number for all within bounds."""
    return number in _STEPS


def _by_parts(
    compute: Callable[..., Bounds | None], operands: Sequence[Bounded], bits: int
) -> Bounded | None:
    sizes = {len(each) for each in operands if not isinstance(each, Bounds)}
    try:
        if not sizes:
            return compute(bits, *operands)
        (size,) = sizes
        columns = [(each,) * size if isinstance(each, Bounds) else each for each in operands]
        parts = [compute(bits, *each) for each in zip(*columns, strict=True)]
    except (ArithmeticError, ValueError):
        return None  # of a number that the function does not take
    known = tuple(each for each in parts if each is not None)
    return known if len(known) == len(parts) else None


def compared(a: Bounds, b: Bounds) -> tuple[float, float] | None:
    """Two numbers that compare as any two within the bounds do; None where these differ."""
    if a.low == a.high == b.low == b.high:
        return 0.0, 0.0
    if a.high < b.low:
        return 0.0, 1.0
    return (1.0, 0.0) if a.low > b.high else None
