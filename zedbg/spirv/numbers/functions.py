"""What functions of OpenCL.std give, exactly (OpenCL Extended Instruction Set, section 2).

Of those that may be some units in the last place away (``sin``, or a root of fewer than 64 bits)
nothing is said, as of what :mod:`zedbg.spirv.numbers.arithmetic` leaves out. Nor can they be
computed from the machine code: of instructions of the math unit only such bounds are documented,
and compilers make one of a root and a division, or one of two alike.
:mod:`zedbg.spirv.numbers.device_maths` says how far a result that a register has may be off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import (
    DIGITS,
    NEAREST_BITS,
    UnknownValue,
    fused,
    normal,
    real,
    rounded,
    saturated,
    signed,
    whole,
)


def _least(a: int, b: int, bits: int) -> int:
    return min(signed(a, bits), signed(b, bits))


def _most(a: int, b: int, bits: int) -> int:
    return max(signed(a, bits), signed(b, bits))


def _clamped(bits: int, is_signed: bool, number: int, low: int, high: int) -> int:
    if is_signed:
        number, low, high = (signed(each, bits) for each in (number, low, high))
    if low > high:
        raise UnknownValue("the program clamps to an empty range")
    return min(max(number, low), high)


def _low24(number: int, is_signed: bool) -> int:
    """An operand of mul24 and mad24, which have a value for those of 24 bits only."""
    number = signed(number, 32) if is_signed else number
    if not (-(1 << 23) if is_signed else 0) <= number < 1 << (23 if is_signed else 24):
        raise UnknownValue("an operand of mul24 has more than 24 bits")
    return number


#: Those on integers of some bits (section 2.2); all others are left to the device.
INTEGER_FUNCTIONS: dict[int, Callable[..., int]] = {
    Std.S_ABS: lambda n, a: abs(signed(a, n)),
    Std.S_ABS_DIFF: lambda n, a, b: abs(signed(a, n) - signed(b, n)),
    Std.S_ADD_SAT: lambda n, a, b: saturated(n, True, signed(a, n) + signed(b, n)),
    Std.U_ADD_SAT: lambda n, a, b: saturated(n, False, a + b),
    Std.S_HADD: lambda n, a, b: signed(a, n) + signed(b, n) >> 1,
    Std.U_HADD: lambda n, a, b: a + b >> 1,
    Std.S_RHADD: lambda n, a, b: signed(a, n) + signed(b, n) + 1 >> 1,
    Std.U_RHADD: lambda n, a, b: a + b + 1 >> 1,
    Std.S_CLAMP: lambda n, a, b, c: _clamped(n, True, a, b, c),
    Std.U_CLAMP: lambda n, a, b, c: _clamped(n, False, a, b, c),
    Std.CLZ: lambda n, a: n - a.bit_length(),
    Std.CTZ: lambda n, a: (a & -a).bit_length() - 1 if a else n,
    Std.S_MAD_HI: lambda n, a, b, c: (signed(a, n) * signed(b, n) >> n) + c,
    Std.U_MAD_SAT: lambda n, a, b, c: saturated(n, False, a * b + c),
    Std.S_MAD_SAT: lambda n, a, b, c: saturated(
        n, True, signed(a, n) * signed(b, n) + signed(c, n)
    ),
    Std.S_MAX: lambda n, a, b: _most(a, b, n),
    Std.U_MAX: lambda n, a, b: max(a, b),
    Std.S_MIN: lambda n, a, b: _least(a, b, n),
    Std.U_MIN: lambda n, a, b: min(a, b),
    Std.S_MUL_HI: lambda n, a, b: signed(a, n) * signed(b, n) >> n,
    Std.ROTATE: lambda n, a, b: a << (b % n) | a >> (n - b % n),
    Std.S_SUB_SAT: lambda n, a, b: saturated(n, True, signed(a, n) - signed(b, n)),
    Std.U_SUB_SAT: lambda n, a, b: saturated(n, False, a - b),
    # Of half as many bits.
    **dict.fromkeys((Std.U_UPSAMPLE, Std.S_UPSAMPLE), lambda n, a, b: a << n // 2 | b),
    Std.POPCOUNT: lambda n, a: a.bit_count(),
    Std.S_MAD24: lambda n, a, b, c: _low24(a, True) * _low24(b, True) + signed(c, n),
    Std.U_MAD24: lambda n, a, b, c: _low24(a, False) * _low24(b, False) + c,
    Std.S_MUL24: lambda n, a, b: _low24(a, True) * _low24(b, True),
    Std.U_MUL24: lambda n, a, b: _low24(a, False) * _low24(b, False),
    Std.BITSELECT: lambda n, a, b, c: a & ~c | b & c,
    Std.U_ABS: lambda n, a: a,
    Std.U_ABS_DIFF: lambda n, a, b: abs(a - b),
    Std.U_MUL_HI: lambda n, a, b: a * b >> n,
    Std.U_MAD_HI: lambda n, a, b, c: (a * b >> n) + c,
}


def _fused_or_not(bits: int, a: float, b: float, c: float) -> float:
    once = fused(a, b, c, bits)
    if once != rounded(rounded(a * b, bits) + c, bits):
        raise UnknownValue("a multiplication with an addition may be rounded once or twice")
    return once


def _square_root(bits: int, a: float) -> float:
    if bits != NEAREST_BITS or a < 0:
        raise UnknownValue("the last bits of a root are left to the device")
    return math.sqrt(a)


def _to_whole(a: float, to_whole: Callable[[float], int]) -> float:
    """``a``, rounded by ``to_whole``; a zero has the sign of ``a`` (OpenCL C, "Additional
    Requirements Beyond C99 TC2")."""
    return math.copysign(to_whole(a), a) if math.isfinite(a) else a


def _rounded_away(a: float) -> float:
    """The nearest whole number, the one further from zero of two."""
    if not math.isfinite(a):
        return a
    integer = math.trunc(a)
    return float(integer + (abs(a - integer) >= 0.5) * (1 if a > 0 else -1))


def _remainder(a: float, b: float, remainder: Callable[[float, float], float]) -> float:
    if not b or not math.isfinite(a):
        raise UnknownValue("it is not a number")
    return remainder(a, b)


def _fraction(bits: int, a: float) -> float:
    """What ``a`` has more than the next whole number below; always less than one."""
    if not math.isfinite(a):
        raise UnknownValue("it is not a number")
    return min(rounded(Fraction(a) - math.floor(a), bits), _neighbour(bits, 1.0, 0.0))


def _exponent(a: float) -> int:
    """The power of two that the significand of ``a``, which is half to one, is multiplied with."""
    if not math.isfinite(a):
        raise UnknownValue("it is not a number")
    return math.frexp(a)[1]


def _logarithm(a: float) -> int:
    """The power of two next to ``a``, or the one below."""
    if not a:
        raise UnknownValue("the logarithm of zero is left to the device")
    return _exponent(a) - 1


def _scaled(bits: int, a: float, exponent: int) -> float:
    limit = 1 << 12  # more make zero or infinity of any number
    power = Fraction(2) ** min(max(signed(exponent, 32), -limit), limit)
    return rounded(Fraction(a) * power, bits) if a and math.isfinite(a) else a


def _neighbour(bits: int, a: float, towards: float) -> float:
    """The number next to ``a`` on the way to another one."""
    if a == towards or not a or not math.isfinite(a):
        raise UnknownValue("the next number is left to the device")
    significand, exponent = math.frexp(a)
    shrinks = (towards > a) != (a > 0)
    digits = DIGITS[bits] + (shrinks and abs(significand) == 0.5)
    distance = math.ldexp(1.0, exponent - digits)
    return rounded(a + math.copysign(distance, towards - a), bits)


def _is_zero(a: float, b: float, c: float) -> bool:
    """Whether ``a * b + c`` is zero before it is rounded: then its sign is that of a sum."""
    return all(map(math.isfinite, (a, b, c))) and not Fraction(a) * Fraction(b) + Fraction(c)


_NEVER_NEGATIVE = frozenset({Std.FABS, Std.FDIM, Std.LOGB, Std.STEP})  # not even a zero
#: Functions that give a zero of a sign that their arguments say: those that round to whole numbers,
#: of what is no zero below; ``round``, of numbers that are not below zero; and those that choose
#: one of their arguments.
_ROUNDING = frozenset({Std.CEIL, Std.FLOOR, Std.RINT, Std.TRUNC})
_KEEPING_SIGN = _ROUNDING | {Std.ROUND, Std.FRACT, Std.FREXP, Std.LDEXP, Std.MODF}
_CHOOSING = frozenset(
    {Std.FMAX, Std.FMIN, Std.MAXMAG, Std.MINMAG, Std.FCLAMP, Std.FMAX_COMMON, Std.FMIN_COMMON}
)

#: Those on floats of some bits (section 2.1).
FLOAT_FUNCTIONS: dict[int, Callable[..., float]] = {
    Std.CEIL: lambda n, a: _to_whole(a, math.ceil),
    Std.COPYSIGN: lambda n, a, b: math.copysign(a, b),
    Std.FABS: lambda n, a: abs(a),
    Std.FDIM: lambda n, a, b: rounded(a - b, n) if a > b else 0.0,
    Std.FLOOR: lambda n, a: _to_whole(a, math.floor),
    Std.FMA: lambda n, a, b, c: fused(a, b, c, n),
    Std.FMAX: lambda n, a, b: max(a, b),
    Std.FMIN: lambda n, a, b: min(a, b),
    Std.FRACT: _fraction,
    Std.FREXP: lambda n, a: math.frexp(a)[0],
    Std.LDEXP: _scaled,
    Std.LOGB: lambda n, a: float(_logarithm(a)),
    Std.MODF: lambda n, a: _remainder(a, 1.0, math.fmod),
    Std.NEXTAFTER: _neighbour,
    Std.FMOD: lambda n, a, b: _remainder(a, b, math.fmod),
    Std.MAD: _fused_or_not,
    **dict.fromkeys((Std.REMAINDER, Std.REMQUO), lambda n, a, b: _remainder(a, b, math.remainder)),
    Std.MAXMAG: lambda n, a, b: max(a, b, key=lambda each: (abs(each), each)),
    Std.MINMAG: lambda n, a, b: min(a, b, key=lambda each: (abs(each), each)),
    Std.RINT: lambda n, a: _to_whole(a, round),
    Std.ROUND: lambda n, a: _rounded_away(a),
    Std.SQRT: _square_root,
    Std.TRUNC: lambda n, a: _to_whole(a, math.trunc),
    Std.FCLAMP: lambda n, a, b, c: min(max(a, b), c),
    Std.FMAX_COMMON: lambda n, a, b: max(a, b),
    Std.FMIN_COMMON: lambda n, a, b: min(a, b),
    Std.STEP: lambda n, edge, a: 0.0 if a < edge else 1.0,
    Std.SIGN: lambda n, a: math.copysign(1.0, a) if a else 0.0,
}

#: Those that make an integer of a float (section 2.1).
INTEGERS_OF_FLOATS: dict[int, Callable[[float], int]] = {
    Std.FREXP: _exponent,
    Std.ILOGB: _logarithm,
}
#: Those of which the last argument is an integer.
TAKING_INTEGERS = frozenset({Std.LDEXP})


def function(number: int, kind: Type, source: Type, arguments: list[Value]) -> Value:
    """A function of OpenCL.std that makes a scalar of type ``kind`` of others, the first of which
    is of type ``source``. Raises UnknownValue."""
    if source.kind is Kind.FLOAT and kind.kind is Kind.INTEGER and number in INTEGERS_OF_FLOATS:
        (a,) = arguments
        return INTEGERS_OF_FLOATS[number](real(a, source.bits)) & (1 << kind.bits) - 1
    if kind.kind is Kind.INTEGER and number in INTEGER_FUNCTIONS:
        integers = [whole(each) for each in arguments]
        return INTEGER_FUNCTIONS[number](kind.bits, *integers) & (1 << kind.bits) - 1
    if kind.kind is Kind.FLOAT and number in FLOAT_FUNCTIONS:
        count = len(arguments) - (number in TAKING_INTEGERS)
        reals = [real(each, kind.bits) for each in arguments[:count]]
        result = FLOAT_FUNCTIONS[number](kind.bits, *reals, *map(whole, arguments[count:]))
        if result == 0.0:
            _check_sign(number, reals)
        return normal(result, kind.bits)
    raise UnknownValue("the function's result is left to the device")


def _check_sign(number: int, arguments: list[float]) -> None:
    """Raises UnknownValue where a function gives a zero whose sign is left to the device."""
    if number in _NEVER_NEGATIVE or (number in (Std.FMA, Std.MAD) and _is_zero(*arguments)):
        return
    if number in _ROUNDING and arguments[0]:
        return
    if number in _KEEPING_SIGN and math.copysign(1.0, arguments[0]) > 0:
        return
    signs = {math.copysign(1.0, each) for each in arguments if each == 0.0}
    if number in _CHOOSING and len(signs) == 1:
        return
    raise UnknownValue("the sign of a zero is left to the device")
