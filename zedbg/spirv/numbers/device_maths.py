"""Numbers that a device makes as it likes, in their last bits: which, and what they are nearly.

A register that is proved to have the result of such an instruction, or of one that takes it, says
which number it is. That must be near what it is nearly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Value
from zedbg.spirv.numbers.arithmetic import SMALLEST_NORMAL

_BITS = 32
# How far a result may be away, of the largest number that it is a sum of:
_ROUNDED = 2.0**-21  # sums and products of known numbers, which are rounded some times
_NEAR = 2.0**-20  # quotients, roots and functions of known numbers, some units in the last place
_ROUGHLY = 2.0**-18  # other functions, and what is made of such results
_APART = 16  # times as far away is no other result that was recorded

#: A number, or the numbers of a vector.
Rough = float | tuple[float, ...]

#: Functions of OpenCL.std: square roots, reciprocals, and reciprocals of roots.
_ROOTS: dict[int, Callable[[float], float]] = {
    **dict.fromkeys((Std.SQRT, Std.NATIVE_SQRT), math.sqrt),
    Std.NATIVE_RECIP: lambda a: 1 / a,
    **dict.fromkeys((Std.RSQRT, Std.NATIVE_RSQRT), lambda a: 1 / math.sqrt(a)),
}


def _clamp(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def _mix(first: float, second: float, share: float) -> float:
    return first + (second - first) * share


def _smoothstep(low: float, high: float, number: float) -> float:
    share = _clamp((number - low) / (high - low), 0.0, 1.0)
    return share * share * (3 - 2 * share)


def _by_pi(angle: Callable[..., float]) -> Callable[..., float]:
    return lambda *numbers: angle(*numbers) / math.pi


def _of_pi(ratio: Callable[[float], float]) -> Callable[[float], float]:
    return lambda number: ratio(math.pi * number)


#: Functions of OpenCL.std on numbers, as nearly as Python computes them. ``pown`` takes a whole
#: number, too.
FUNCTIONS: dict[int, Callable[..., float]] = {
    **_ROOTS,
    Std.ACOS: math.acos,
    Std.ASIN: math.asin,
    Std.ATAN: math.atan,
    Std.ATAN2: math.atan2,
    Std.CBRT: math.cbrt,
    Std.COPYSIGN: math.copysign,
    Std.ACOSH: math.acosh,
    Std.ASINH: math.asinh,
    Std.ATANH: math.atanh,
    Std.TGAMMA: math.gamma,
    **dict.fromkeys((Std.LGAMMA, Std.LGAMMA_R), math.lgamma),
    Std.ACOSPI: _by_pi(math.acos),
    Std.ASINPI: _by_pi(math.asin),
    Std.ATANPI: _by_pi(math.atan),
    Std.ATAN2PI: _by_pi(math.atan2),
    Std.COSPI: _of_pi(math.cos),
    Std.SINPI: _of_pi(math.sin),
    Std.TANPI: _of_pi(math.tan),
    **dict.fromkeys((Std.COS, Std.HALF_COS, Std.NATIVE_COS), math.cos),
    Std.COSH: math.cosh,
    Std.ERFC: math.erfc,
    Std.ERF: math.erf,
    **dict.fromkeys((Std.EXP, Std.HALF_EXP, Std.NATIVE_EXP), math.exp),
    **dict.fromkeys((Std.EXP2, Std.HALF_EXP2, Std.NATIVE_EXP2), lambda a: 2.0**a),
    **dict.fromkeys((Std.EXP10, Std.HALF_EXP10, Std.NATIVE_EXP10), lambda a: 10.0**a),
    Std.EXPM1: math.expm1,
    Std.FABS: abs,
    Std.FMOD: math.fmod,
    Std.HYPOT: math.hypot,
    **dict.fromkeys((Std.FMA, Std.MAD), lambda a, b, c: a * b + c),
    **dict.fromkeys((Std.FMAX, Std.FMAX_COMMON), max),
    **dict.fromkeys((Std.FMIN, Std.FMIN_COMMON), min),
    **dict.fromkeys((Std.LOG, Std.HALF_LOG, Std.NATIVE_LOG), math.log),
    **dict.fromkeys((Std.LOG2, Std.HALF_LOG2, Std.NATIVE_LOG2), math.log2),
    **dict.fromkeys((Std.LOG10, Std.HALF_LOG10, Std.NATIVE_LOG10), math.log10),
    Std.LOG1P: math.log1p,
    Std.LDEXP: lambda a, exponent: math.ldexp(a, int(exponent)),
    Std.ROOTN: lambda a, n: math.copysign(abs(a) ** (1 / n), a),
    **dict.fromkeys((Std.POW, Std.POWN, Std.POWR, Std.HALF_POWR, Std.NATIVE_POWR), math.pow),
    **dict.fromkeys((Std.SIN, Std.SINCOS, Std.HALF_SIN, Std.NATIVE_SIN), math.sin),
    Std.SINH: math.sinh,
    **dict.fromkeys((Std.TAN, Std.HALF_TAN, Std.NATIVE_TAN), math.tan),
    Std.TANH: math.tanh,
    **dict.fromkeys((Std.HALF_DIVIDE, Std.NATIVE_DIVIDE), lambda a, b: a / b),
    **dict.fromkeys((Std.HALF_RECIP, Std.NATIVE_RECIP), lambda a: 1 / a),
    Std.HALF_RSQRT: lambda a: 1 / math.sqrt(a),
    Std.HALF_SQRT: math.sqrt,
    Std.FCLAMP: _clamp,
    Std.DEGREES: math.degrees,
    Std.MIX: _mix,
    Std.RADIANS: math.radians,
    Std.SMOOTHSTEP: _smoothstep,
}
_FUSED = frozenset({Std.FMA, Std.MAD})
_EXTREMES = frozenset({Std.FMAX, Std.FMIN})
#: What puts numbers together, or takes some of a vector, and makes none.
REARRANGING = frozenset(
    {Op.COMPOSITE_CONSTRUCT, Op.COMPOSITE_EXTRACT, Op.COMPOSITE_INSERT, Op.VECTOR_SHUFFLE}
)
_ADDITIONS = frozenset({Op.F_ADD, Op.F_SUB})
_OPERATIONS: dict[int, Callable[..., float]] = {
    Op.F_ADD: operator.add,
    Op.F_SUB: operator.sub,
    Op.F_MUL: operator.mul,
    Op.F_DIV: operator.truediv,
    Op.F_NEGATE: operator.neg,
    Op.VECTOR_TIMES_SCALAR: operator.mul,
}


def _numbers(value: Rough) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


def _by_parts(compute: Callable[..., float], operands: Sequence[Rough]) -> Rough:
    """What ``compute`` makes of numbers, or of each component of vectors."""
    size = max(len(each) if isinstance(each, tuple) else 0 for each in operands)
    if not size:
        return compute(*operands)
    columns = [each if isinstance(each, tuple) else (each,) * size for each in operands]
    return tuple(compute(*each) for each in zip(*columns, strict=True))


def _products(first: Rough, second: Rough) -> list[float]:
    return [a * b for a, b in zip(_numbers(first), _numbers(second), strict=True)]


def _dot(first: Rough, second: Rough) -> float:
    return sum(_products(first, second))


def _length(vector: Rough) -> float:
    return math.hypot(*_numbers(vector))


def _distance(first: Rough, second: Rough) -> float:
    return math.dist(_numbers(first), _numbers(second))


def _normalize(vector: Rough) -> Rough:
    length = _length(vector)
    made = tuple(each / length for each in _numbers(vector))
    return made if isinstance(vector, tuple) else made[0]


def _cross(first: Rough, second: Rough) -> Rough:
    (a, b, c), (d, e, f) = _numbers(first)[:3], _numbers(second)[:3]
    rest = (0.0,) * (len(_numbers(first)) - 3)
    return (b * f - c * e, c * d - a * f, a * e - b * d, *rest)


#: Those that are six units in the last place away at most (OpenCL C, section 7.4).
_PRECISE = frozenset(
    {Std.ACOS, Std.ACOSH, Std.ACOSPI, Std.ASIN, Std.ASINH, Std.ASINPI, Std.ATAN, Std.ATAN2}
    | {Std.ATANH, Std.ATANPI, Std.ATAN2PI, Std.CBRT, Std.COS, Std.COSH, Std.COSPI, Std.EXP}
    | {Std.EXP2, Std.EXP10, Std.EXPM1, Std.HYPOT, Std.LOG, Std.LOG2, Std.LOG10, Std.LOG1P}
    | {Std.SIN, Std.SINCOS, Std.SINH, Std.SINPI, Std.TAN, Std.TANH, Std.TANPI}
    | {Std.DISTANCE, Std.LENGTH, Std.NORMALIZE}
)
_EXPONENTIALS = frozenset({Std.EXP, Std.EXP2, Std.EXP10})
#: Functions of OpenCL.std whose results are not made of each component by itself.
_OF_VECTORS: dict[int, Callable[..., Rough]] = {
    Std.CROSS: _cross,
    **dict.fromkeys((Std.DISTANCE, Std.FAST_DISTANCE), _distance),
    **dict.fromkeys((Std.LENGTH, Std.FAST_LENGTH), _length),
    **dict.fromkeys((Std.NORMALIZE, Std.FAST_NORMALIZE), _normalize),
}


def is_of_floats(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` makes a number of 32 bits, or a vector of them, of others of which
    :func:`roughly` can do it."""
    if _is_one_of(code, item, _OF_VECTORS, (Op.DOT,)):
        return True
    return _is_one_of(code, item, FUNCTIONS, _OPERATIONS)


def is_one_instruction(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` is a function that compilers make one instruction of at most."""
    if item.opcode != Op.EXT_INST or item.operands[0] not in code.maths:
        return False
    return item.operands[1] in _FUSED | _EXTREMES


def keeps_zeros(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` multiplies the components of a vector with a positive number, so that zeros
    stay what they are."""
    is_function = item.opcode == Op.EXT_INST and item.operands[0] in code.maths
    return is_function and _OF_VECTORS.get(item.operands[1]) is _normalize


def roughly(item: Instruction, operands: Sequence[Rough]) -> Rough | None:
    """What ``item``, which makes numbers of others, makes of ``operands``, roughly; None where
    that is not known."""
    is_function = item.opcode == Op.EXT_INST
    try:
        if item.opcode == Op.DOT:
            return _dot(*operands)
        if is_function and item.operands[1] in _OF_VECTORS:
            return _OF_VECTORS[item.operands[1]](*operands)
        compute = FUNCTIONS[item.operands[1]] if is_function else _OPERATIONS[item.opcode]
        return _by_parts(compute, operands)
    except (ArithmeticError, ValueError):
        return None


def is_left_to_device(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` makes a number of 32 bits, or a vector of them, whose last bits are not
    said."""
    return _is_one_of(code, item, _ROOTS, (Op.F_DIV,)) and exact_factor(code, item) is None


def kind_of_function(code: SpirvCode, item: Instruction) -> tuple[int, int] | None:
    """The same for functions of numbers that compilers make by the same instructions, where they
    are of the same numbers: one function, or dot products and lengths. None: it is none."""
    if item.opcode == Op.DOT:
        return Op.DOT, 0
    if item.opcode != Op.EXT_INST or item.operands[0] not in code.maths:
        return None
    number = item.operands[1]
    return (Op.DOT, 0) if number in _OF_VECTORS and number != Std.CROSS else (item.opcode, number)


def is_exponential(code: SpirvCode, item: Instruction) -> bool:
    """Whether ``item`` is a power of a constant: compilers make it by a product, and choose another
    number for some arguments."""
    return _is_one_of(code, item, _EXPONENTIALS, ())


def exact_factor(code: SpirvCode, item: Instruction) -> Value | None:
    """What the dividend of ``item`` is multiplied with to make the quotient, where that needs not
    be rounded: the divisor is a constant, and each number of it a power of two. Where compilers may
    compute as fast as they can, there may be no such quotient."""
    if item.opcode != Op.F_DIV or item.result in code.fast:
        return None
    divisor = code.constants.get(item.operands[1])
    if divisor is None:
        return None
    if not isinstance(divisor, tuple):
        return _exact_reciprocal(divisor, item, code)
    factors = [_exact_reciprocal(each, item, code) for each in divisor]
    return None if None in factors else tuple(each for each in factors if each is not None)


def _exact_reciprocal(number: Value, item: Instruction, code: SpirvCode) -> float | None:
    kind = code.type_of[item.result]
    least = SMALLEST_NORMAL.get((kind.members[0] if kind.members else kind).bits)
    if not isinstance(number, float) or least is None or abs(math.frexp(number)[0]) != 0.5:
        return None
    return 1 / number if least <= abs(number) <= 1 / least else None


def _is_one_of(
    code: SpirvCode, item: Instruction, functions: Container[int], operations: Container[int]
) -> bool:
    """Whether ``item`` makes a number of 32 bits, or a vector of them, by one of ``functions`` or
    ``operations``."""
    kind = code.type_of.get(item.result)
    if kind is not None and kind.kind is Kind.VECTOR:
        kind = kind.members[0]
    if kind is None or kind.kind is not Kind.FLOAT or kind.bits != _BITS:
        return False
    if item.opcode == Op.EXT_INST:
        return item.operands[0] in code.maths and item.operands[1] in functions
    return item.opcode in operations


def operands_of(item: Instruction) -> list[int]:
    """The results that ``item``, which is left to the device, is made of."""
    return list(item.operands[2:] if item.opcode == Op.EXT_INST else item.operands[:2])


def largest_term(item: Instruction, operands: Sequence[Rough], made: Rough) -> Rough:
    """How large the numbers are that ``item`` adds up to what it ``made``, roughly, of
    ``operands``: a rounded number is as far off as these allow."""
    is_function = item.opcode == Op.EXT_INST
    number = item.operands[1] if is_function else item.opcode
    if item.opcode == Op.DOT:
        return max(map(abs, _products(*operands)))
    if is_function and number == Std.CROSS:
        (a, b, c), (d, e, f) = (_numbers(each)[:3] for each in operands)
        pairs = ((b * f, c * e), (c * d, a * f), (a * e, b * d))
        largest = tuple(max(abs(one), abs(other)) for one, other in pairs)
        return (*largest, *(0.0 for _ in _numbers(made)[3:]))
    terms = [operands] if number in _ADDITIONS and not is_function else []
    if is_function and number in _FUSED:
        terms = [(_by_parts(operator.mul, operands[:2]), operands[2])]
    if is_function and number == Std.MIX:
        return _by_parts(lambda a, b, share: (abs(a) + abs(b)) * (1 + abs(share)), operands)
    if not terms:
        return made
    return _by_parts(lambda one, other: max(abs(one), abs(other)), terms[0])


@dataclass(frozen=True)
class Nearness:
    """How far away a result may be, of the largest number that it is a sum of: so far (``near``),
    and never so far (``apart``). What is made of rough numbers may be farther away than it
    should."""

    near: float
    apart: float


def nearnesses(code: SpirvCode, item: Instruction, is_exact: bool) -> Sequence[Nearness]:
    """Those of the result of ``item``, the nearest first; ``is_exact``: what it is made of is known
    exactly."""
    is_function = item.opcode == Op.EXT_INST and item.operands[1] not in _FUSED
    is_left = is_left_to_device(code, item)
    if is_exact and (is_left or not is_function):
        near = _NEAR if is_left else _ROUNDED
        return [Nearness(near, near)]
    roughly = Nearness(_ROUGHLY, _APART * _ROUGHLY)
    is_precise = is_exact and item.result not in code.fast
    is_precise = is_precise and _is_one_of(code, item, _PRECISE, ())
    return [Nearness(_NEAR, _NEAR), roughly] if is_precise else [roughly]


def is_near(number: float, guess: float, largest: float, near: float) -> bool:
    """Whether ``number`` may be what is ``guess`` nearly, the sum of numbers up to ``largest``, of
    which it may be ``near`` away."""
    size = max(abs(guess), abs(largest))
    is_usual = math.isfinite(size) and size >= SMALLEST_NORMAL[_BITS] / near
    return is_usual and abs(number - guess) <= near * size
