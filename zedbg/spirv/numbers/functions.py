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

from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import (
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
    141: lambda n, a: abs(signed(a, n)),
    142: lambda n, a, b: abs(signed(a, n) - signed(b, n)),
    143: lambda n, a, b: saturated(n, True, signed(a, n) + signed(b, n)),
    144: lambda n, a, b: saturated(n, False, a + b),
    145: lambda n, a, b: signed(a, n) + signed(b, n) >> 1,
    146: lambda n, a, b: a + b >> 1,
    147: lambda n, a, b: signed(a, n) + signed(b, n) + 1 >> 1,
    148: lambda n, a, b: a + b + 1 >> 1,
    149: lambda n, a, b, c: _clamped(n, True, a, b, c),
    150: lambda n, a, b, c: _clamped(n, False, a, b, c),
    151: lambda n, a: n - a.bit_length(),
    152: lambda n, a: (a & -a).bit_length() - 1 if a else n,
    153: lambda n, a, b, c: (signed(a, n) * signed(b, n) >> n) + c,
    154: lambda n, a, b, c: saturated(n, False, a * b + c),
    155: lambda n, a, b, c: saturated(n, True, signed(a, n) * signed(b, n) + signed(c, n)),
    156: lambda n, a, b: _most(a, b, n),
    157: lambda n, a, b: max(a, b),
    158: lambda n, a, b: _least(a, b, n),
    159: lambda n, a, b: min(a, b),
    160: lambda n, a, b: signed(a, n) * signed(b, n) >> n,
    161: lambda n, a, b: a << (b % n) | a >> (n - b % n),
    162: lambda n, a, b: saturated(n, True, signed(a, n) - signed(b, n)),
    163: lambda n, a, b: saturated(n, False, a - b),
    **dict.fromkeys((164, 165), lambda n, a, b: a << n // 2 | b),  # of half as many bits
    166: lambda n, a: a.bit_count(),
    167: lambda n, a, b, c: _low24(a, True) * _low24(b, True) + signed(c, n),
    168: lambda n, a, b, c: _low24(a, False) * _low24(b, False) + c,
    169: lambda n, a, b: _low24(a, True) * _low24(b, True),
    170: lambda n, a, b: _low24(a, False) * _low24(b, False),
    186: lambda n, a, b, c: a & ~c | b & c,
    201: lambda n, a: a,
    202: lambda n, a, b: abs(a - b),
    203: lambda n, a, b: a * b >> n,
    204: lambda n, a, b, c: (a * b >> n) + c,
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


def _is_zero(a: float, b: float, c: float) -> bool:
    """Whether ``a * b + c`` is zero before it is rounded: then its sign is that of a sum."""
    return all(map(math.isfinite, (a, b, c))) and not Fraction(a) * Fraction(b) + Fraction(c)


FMA, MAD, CROSS, SELECT = 26, 42, 104, 187  # of OpenCL.std
_NEVER_NEGATIVE = frozenset({23, 24, 101})  # not even a zero: fabs, fdim, step
#: Functions that give a zero of a sign that their arguments say: those that round to whole numbers,
#: of what is no zero below; ``round``, of numbers that are not below zero; and those that choose
#: one of their arguments.
_ROUNDING = frozenset({12, 25, 53, 66})
_ROUNDING_AWAY = 55
_CHOOSING = frozenset({27, 28, 43, 44, 95, 97, 98})

#: Those on floats of some bits (section 2.1).
FLOAT_FUNCTIONS: dict[int, Callable[..., float]] = {
    12: lambda n, a: _to_whole(a, math.ceil),
    13: lambda n, a, b: math.copysign(a, b),
    23: lambda n, a: abs(a),
    24: lambda n, a, b: rounded(a - b, n) if a > b else 0.0,
    25: lambda n, a: _to_whole(a, math.floor),
    FMA: lambda n, a, b, c: fused(a, b, c, n),
    27: lambda n, a, b: max(a, b),
    28: lambda n, a, b: min(a, b),
    29: lambda n, a, b: _remainder(a, b, math.fmod),
    MAD: _fused_or_not,
    51: lambda n, a, b: _remainder(a, b, math.remainder),
    43: lambda n, a, b: max(a, b, key=lambda each: (abs(each), each)),
    44: lambda n, a, b: min(a, b, key=lambda each: (abs(each), each)),
    53: lambda n, a: _to_whole(a, round),
    55: lambda n, a: _rounded_away(a),
    61: _square_root,
    66: lambda n, a: _to_whole(a, math.trunc),
    95: lambda n, a, b, c: min(max(a, b), c),
    97: lambda n, a, b: max(a, b),
    98: lambda n, a, b: min(a, b),
    101: lambda n, edge, a: 0.0 if a < edge else 1.0,
    103: lambda n, a: math.copysign(1.0, a) if a else 0.0,
}


def function(number: int, kind: Type, arguments: list[Value]) -> Value:
    """A function of OpenCL.std of scalars of type ``kind``. Raises UnknownValue."""
    if kind.kind is Kind.INTEGER and number in INTEGER_FUNCTIONS:
        integers = [whole(each) for each in arguments]
        return INTEGER_FUNCTIONS[number](kind.bits, *integers) & (1 << kind.bits) - 1
    if kind.kind is Kind.FLOAT and number in FLOAT_FUNCTIONS:
        reals = [real(each, kind.bits) for each in arguments]
        result = FLOAT_FUNCTIONS[number](kind.bits, *reals)
        if result == 0.0:
            _check_sign(number, reals)
        return normal(result, kind.bits)
    raise UnknownValue("the function's result is left to the device")


def _check_sign(number: int, arguments: list[float]) -> None:
    """Raises UnknownValue where a function gives a zero whose sign is left to the device."""
    if number in _NEVER_NEGATIVE or (number in (FMA, MAD) and _is_zero(*arguments)):
        return
    if number in _ROUNDING and arguments[0]:
        return
    if number in (*_ROUNDING, _ROUNDING_AWAY) and math.copysign(1.0, arguments[0]) > 0:
        return
    signs = {math.copysign(1.0, each) for each in arguments if each == 0.0}
    if number in _CHOOSING and len(signs) == 1:
        return
    raise UnknownValue("the sign of a zero is left to the device")
