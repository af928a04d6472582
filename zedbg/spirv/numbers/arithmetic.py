"""What SPIR-V's arithmetic gives, exactly (SPIR-V specification, sections 3.42.11 to 3.42.15).

What the specification leaves open, or leaves to the device, raises :class:`UnknownValue`: a value
is computed as every device must compute it, or not at all.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Type, Undefined, Value

_FLOAT_FORMATS = {16: "<e", 32: "<f"}
#: The least number of so many bits that devices do not take for zero.
SMALLEST_NORMAL = {16: 2.0**-14, 32: 2.0**-126, 64: 2.0**-1022}
_EXACT_INTEGERS = 1 << 53
#: Of these bits quotients and square roots are the nearest numbers (OpenCL C 7.4); of fewer they
#: may be some units in the last place away.
NEAREST_BITS = 64


class UnknownValue(Exception):
    """A value cannot be computed; the text says why."""


class UnsetValue(UnknownValue):
    """There is no value, or it was made of one that is none."""

    def __init__(self) -> None:
        super().__init__("the program has not set it")


def signed(number: int, bits: int) -> int:
    """The number that ``bits`` bits are as two's complement."""
    return number - (1 << bits) if number >> (bits - 1) & 1 else number


def saturated(bits: int, is_signed: bool, number: int) -> int:
    """The number next to ``number`` that an integer of ``bits`` bits can be."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(number, low), high)


def rounded(number: float | Fraction, bits: int) -> float:
    """The nearest floating-point number of ``bits`` bits, ties to even.

    Raises UnknownValue for what devices may flush to zero, and for no number.
    """
    if isinstance(number, Fraction):
        number = _rounded_fraction(number, bits)
    if bits in _FLOAT_FORMATS and math.isfinite(number):
        try:
            packed = struct.pack(_FLOAT_FORMATS[bits], number)
            result = float(struct.unpack(_FLOAT_FORMATS[bits], packed)[0])
        except OverflowError:
            result = math.copysign(math.inf, number)
    else:
        result = number
    return normal(result, bits)


def normal(number: float, bits: int) -> float:
    """``number``. Raises UnknownValue for one that devices may take for zero, and for none."""
    if math.isnan(number):
        raise UnknownValue("it is not a number")
    if number and abs(number) < SMALLEST_NORMAL[bits]:
        raise UnknownValue("it is so small that the device may take it for zero")
    return number


def _rounded_fraction(number: Fraction, bits: int) -> float:
    digits = DIGITS[bits]
    if not number:
        return 0.0
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    unit = Fraction(2) ** (exponent - digits)
    whole = round(number / unit)  # has one or two digits too many
    excess = abs(whole).bit_length() - digits
    unit *= Fraction(2) ** excess
    exact = round(number / unit) * unit
    try:
        return float(exact)
    except OverflowError:
        return math.copysign(math.inf, number)


def fused(a: float, b: float, c: float, bits: int) -> float:
    """``a * b + c``, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return rounded(a * b + c, bits)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return rounded(exact, bits) if exact else rounded(a * b + c, bits)


#: Binary digits of the significand of a number of so many bits.
DIGITS = {16: 11, 32: 24, 64: 53}


def dot(a: Sequence[Value], b: Sequence[Value], bits: int) -> float:
    """The dot product of two vectors, where all of its products, and all sums of some of these, are
    numbers that need not be rounded: devices add them up in any order. Raises UnknownValue."""
    pairs = [(real(one, bits), real(other, bits)) for one, other in zip(a, b, strict=True)]
    total = _exact_sum(pairs, bits)
    if not total and not all(
        math.copysign(1, one) == math.copysign(1, other) for one, other in pairs
    ):
        raise UnknownValue("the sign of a zero is left to the device")
    return total


def _exact_sum(pairs: Sequence[tuple[float, float]], bits: int) -> float:
    """The sum of the products of ``pairs``, as :func:`dot`, but for the sign of a zero."""
    if not all(math.isfinite(each) for pair in pairs for each in pair):
        raise UnknownValue("the compiler may compute it in another order")
    products = [Fraction(one) * Fraction(other) for one, other in pairs]
    unit = Fraction(1, max(each.denominator for each in products))
    most = sum(map(abs, products)) / unit
    if most >= 1 << DIGITS[bits] or unit < SMALLEST_NORMAL[bits]:
        raise UnknownValue("the compiler may compute it in another order")
    return float(sum(products))


def cross(a: Sequence[Value], b: Sequence[Value], bits: int) -> Value:
    """The cross product of two vectors, as :func:`dot`. Zeros have the signs that differences of
    two products have, whether or not these are rounded."""
    (a0, a1, a2), (b0, b1, b2) = ([real(each, bits) for each in some[:3]] for some in (a, b))
    terms = ((a1, b2, a2, b1), (a2, b0, a0, b2), (a0, b1, a1, b0))
    parts = [_exact_sum(((p, q), (r, -s)), bits) or p * q - r * s for p, q, r, s in terms]
    return (*parts, *(0.0 for _ in a[3:]))


Integers = Callable[[int, int, int], int]  # two operands and their bits


def _divide_signed(a: int, b: int, bits: int) -> int:
    a, b = signed(a, bits), signed(b, bits)
    if b == 0 or b == -1:
        if b == 0 or a == -(1 << (bits - 1)):
            raise UnknownValue("the program divides by zero, or too far")
        return -a
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int, bits: int) -> int:
    return signed(a, bits) - _divide_signed(a, b, bits) * signed(b, bits)


def _modulo(a: int, b: int, bits: int) -> int:
    _not_zero(b)
    return signed(a, bits) % signed(b, bits)


def _not_zero(number: int) -> int:
    if not number:
        raise UnknownValue("the program divides by zero")
    return number


def _shift(number: int, bits: int) -> int:
    if number >= bits:
        raise UnknownValue("the program shifts by more bits than there are")
    return number


INTEGERS: dict[int, Integers] = {
    Op.I_ADD: lambda a, b, n: a + b,
    Op.I_SUB: lambda a, b, n: a - b,
    Op.I_MUL: lambda a, b, n: a * b,
    Op.U_DIV: lambda a, b, n: a // _not_zero(b),
    Op.S_DIV: _divide_signed,
    Op.U_MOD: lambda a, b, n: a % _not_zero(b),
    Op.S_REM: _remainder,
    Op.S_MOD: _modulo,
    Op.SHIFT_RIGHT_LOGICAL: lambda a, b, n: a >> _shift(b, n),
    Op.SHIFT_RIGHT_ARITHMETIC: lambda a, b, n: signed(a, n) >> _shift(b, n),
    Op.SHIFT_LEFT_LOGICAL: lambda a, b, n: a << _shift(b, n),
    Op.BITWISE_OR: lambda a, b, n: a | b,
    Op.BITWISE_XOR: lambda a, b, n: a ^ b,
    Op.BITWISE_AND: lambda a, b, n: a & b,
    Op.LOGICAL_OR: lambda a, b, n: a | b,
    Op.LOGICAL_AND: lambda a, b, n: a & b,
}

COMPARISONS: dict[int, Integers] = {
    Op.I_EQUAL: lambda a, b, n: a == b,
    Op.I_NOT_EQUAL: lambda a, b, n: a != b,
    Op.LOGICAL_EQUAL: lambda a, b, n: a == b,
    Op.LOGICAL_NOT_EQUAL: lambda a, b, n: a != b,
    Op.U_GREATER_THAN: lambda a, b, n: a > b,
    Op.U_GREATER_THAN_EQUAL: lambda a, b, n: a >= b,
    Op.U_LESS_THAN: lambda a, b, n: a < b,
    Op.U_LESS_THAN_EQUAL: lambda a, b, n: a <= b,
    Op.S_GREATER_THAN: lambda a, b, n: signed(a, n) > signed(b, n),
    Op.S_GREATER_THAN_EQUAL: lambda a, b, n: signed(a, n) >= signed(b, n),
    Op.S_LESS_THAN: lambda a, b, n: signed(a, n) < signed(b, n),
    Op.S_LESS_THAN_EQUAL: lambda a, b, n: signed(a, n) <= signed(b, n),
}


def _quotient(a: float, b: float) -> float:
    if not b:
        raise UnknownValue("the program divides by zero")
    return a / b


def _left_to_device(a: float, b: float) -> float:
    raise UnknownValue("the last bits of a quotient are left to the device")


FLOATS: dict[int, Callable[[float, float], float]] = {
    Op.F_ADD: operator.add,
    Op.F_SUB: operator.sub,
    Op.F_MUL: operator.mul,
    Op.F_DIV: _quotient,
}

# Ordered and unordered comparisons differ for what is not a number only: see compare_floats.
FLOAT_COMPARISONS: dict[int, Callable[[float, float], bool]] = {
    Op.F_ORD_EQUAL: operator.eq,
    Op.F_UNORD_EQUAL: operator.eq,
    Op.F_ORD_NOT_EQUAL: operator.ne,
    Op.F_UNORD_NOT_EQUAL: operator.ne,
    Op.F_ORD_LESS_THAN: operator.lt,
    Op.F_UNORD_LESS_THAN: operator.lt,
    Op.F_ORD_GREATER_THAN: operator.gt,
    Op.F_UNORD_GREATER_THAN: operator.gt,
    Op.F_ORD_LESS_THAN_EQUAL: operator.le,
    Op.F_UNORD_LESS_THAN_EQUAL: operator.le,
    Op.F_ORD_GREATER_THAN_EQUAL: operator.ge,
    Op.F_UNORD_GREATER_THAN_EQUAL: operator.ge,
    Op.LESS_OR_GREATER: operator.ne,
    Op.ORDERED: lambda a, b: True,
    Op.UNORDERED: lambda a, b: False,
}
_UNORDERED = frozenset(
    {
        *(Op.F_UNORD_EQUAL, Op.F_UNORD_NOT_EQUAL, Op.F_UNORD_LESS_THAN, Op.UNORDERED),
        *(Op.F_UNORD_GREATER_THAN, Op.F_UNORD_LESS_THAN_EQUAL, Op.F_UNORD_GREATER_THAN_EQUAL),
    }
)
_BY_SIZE = frozenset(FLOAT_COMPARISONS) - {
    *(Op.F_ORD_EQUAL, Op.F_UNORD_EQUAL, Op.F_ORD_NOT_EQUAL, Op.F_UNORD_NOT_EQUAL),
    *(Op.ORDERED, Op.UNORDERED),
}


class ComparesNan(Protocol):
    """Whether comparisons with what is not a number come out as SPIR-V says. ``by_size``: those
    that tell a smaller number from a greater one."""

    def __call__(self, by_size: bool) -> bool: ...


def never_compares_nan(by_size: bool) -> bool:
    """Where nothing is known of the compiler."""
    return False


def whole(value: Value) -> int:
    """A number that is an integer. Raises UnsetValue, UnknownValue."""
    if isinstance(value, int):
        return value
    if isinstance(value, Undefined):
        raise UnsetValue
    raise UnknownValue("no integer")


def real(value: Value, bits: int) -> float:
    """A number that is a floating-point one. Raises UnsetValue, UnknownValue."""
    if isinstance(value, float):
        return normal(value, bits)
    if isinstance(value, Undefined):
        raise UnsetValue
    raise UnknownValue("no float")


def binary(opcode: int, kind: Type, a: Value, b: Value, result: Type) -> Value:
    """The scalar of type ``result`` that ``opcode`` makes of two scalars of type ``kind``. Raises
    UnknownValue."""
    return binary_of(opcode, kind, result)(a, b)


def binary_of(opcode: int, kind: Type, result: Type) -> Callable[[Value, Value], Value]:
    """What computes :func:`binary` of two operands."""
    bits, mask = kind.bits, (1 << result.bits) - 1
    if opcode in INTEGERS:
        integers = INTEGERS[opcode]

        def computed(a: Value, b: Value) -> Value:
            if a.__class__ is int and b.__class__ is int:  # as nearly always
                return integers(a, b, bits) & mask
            return integers(whole(a), whole(b), bits) & mask

        return computed
    if opcode in COMPARISONS:
        compared = COMPARISONS[opcode]
        return lambda a, b: int(compared(whole(a), whole(b), bits or 64))
    if opcode in FLOATS:
        is_exact = opcode != Op.F_DIV or bits == NEAREST_BITS
        compute = FLOATS[opcode] if is_exact else _left_to_device
        return _float_computation(compute, bits, result.bits)
    return float_comparison_of(opcode, kind)


def float_comparison_of(
    opcode: int, kind: Type, compares_nan: ComparesNan = never_compares_nan
) -> Callable[[Value, Value], Value]:
    """What compares two floating-point numbers of type ``kind``. It raises UnknownValue."""
    bits = kind.bits
    compared, least = FLOAT_COMPARISONS[opcode], SMALLEST_NORMAL.get(bits, math.inf)

    def compare_floats(a: Value, b: Value) -> int:
        if type(a) is float and type(b) is float:  # as nearly always
            are_plain = (abs(a) >= least or not a) and (abs(b) >= least or not b)
            if are_plain:
                return int(compared(a, b))
            if (math.isnan(a) or math.isnan(b)) and compares_nan(opcode in _BY_SIZE):
                return int(opcode in _UNORDERED)
        return int(compared(real(a, bits), real(b, bits)))

    return compare_floats


def _float_computation(
    compute: Callable[[float, float], float], bits: int, to: int
) -> Callable[[Value, Value], Value]:
    """What computes with numbers of ``bits`` bits and rounds to ``to``: :func:`rounded` of what
    ``compute`` gives for two that are :func:`real`, without their calls for numbers as they nearly
    always are."""
    least = max(SMALLEST_NORMAL.get(each, math.inf) for each in (bits, to))
    form = struct.Struct(_FLOAT_FORMATS.get(to, "<d"))
    pack, unpack = form.pack, form.unpack

    def computed(a: Value, b: Value) -> Value:
        if type(a) is float and type(b) is float:
            are_plain = (abs(a) >= least or not a) and (abs(b) >= least or not b)
            try:
                found: float = unpack(pack(compute(a, b)))[0] if are_plain else math.nan
            except OverflowError:
                found = math.nan
            if abs(found) >= least or not found:
                return found
        return rounded(compute(real(a, bits), real(b, bits)), to)

    return computed


BINARY = frozenset({*INTEGERS, *COMPARISONS, *FLOATS, *FLOAT_COMPARISONS})


def unary_of(opcode: int, kind: Type, result: Type) -> Callable[[Value], Value]:
    """What computes :func:`unary` of an operand."""
    mask = (1 << result.bits) - 1
    if opcode == Op.U_CONVERT:  # every id of a work-item
        return lambda a: (a if a.__class__ is int else whole(a)) & mask
    exact = {16: 1 << 11, 32: 1 << 24, 64: _EXACT_INTEGERS}.get(result.bits, 0)
    if opcode in (Op.CONVERT_S_TO_F, Op.CONVERT_U_TO_F) and exact and kind.bits:
        # Those are the same number in each format, and of either sign.
        exact = min(exact, 1 << kind.bits - 1)
        return lambda a: (
            float(a) if a.__class__ is int and a < exact else unary(opcode, kind, a, result)
        )
    return lambda a: unary(opcode, kind, a, result)


def unary(opcode: int, kind: Type, a: Value, result: Type) -> Value:
    """The scalar of type ``result`` that ``opcode`` makes of one of type ``kind``. Raises
    UnknownValue."""
    bits, mask = kind.bits, (1 << result.bits) - 1
    match opcode:
        case Op.U_CONVERT | Op.CONVERT_PTR_TO_U | Op.CONVERT_U_TO_PTR:
            return whole(a) & mask
        case Op.S_CONVERT:
            return signed(whole(a), bits) & mask
        case Op.NOT:
            return ~whole(a) & mask
        case Op.S_NEGATE:
            return -whole(a) & mask
        case Op.LOGICAL_NOT:
            return 1 - whole(a)
        case Op.BIT_COUNT:
            return whole(a).bit_count()
        case Op.F_NEGATE:
            return -real(a, bits)
        case Op.SIGN_BIT_SET:
            return int(math.copysign(1.0, real(a, bits)) < 0)
        case Op.F_CONVERT:
            return rounded(real(a, bits), result.bits)
        case Op.CONVERT_F_TO_S | Op.CONVERT_F_TO_U:
            return _truncated(real(a, bits), result.bits, opcode == Op.CONVERT_F_TO_S)
        case Op.CONVERT_S_TO_F | Op.CONVERT_U_TO_F:
            number = signed(whole(a), bits) if opcode == Op.CONVERT_S_TO_F else whole(a)
            if abs(number) > _EXACT_INTEGERS:
                raise UnknownValue("the number is too large to convert")
            return rounded(float(number), result.bits)
        case Op.BITCAST if kind.size == result.size:
            data = kind.encode(a)
            if data is not None:
                return result.decode(data)
    raise UnknownValue("the instruction is not computed")


UNARY = frozenset(
    {
        *(Op.U_CONVERT, Op.S_CONVERT, Op.NOT, Op.S_NEGATE, Op.LOGICAL_NOT, Op.BIT_COUNT),
        *(Op.F_NEGATE, Op.F_CONVERT, Op.CONVERT_F_TO_S, Op.CONVERT_F_TO_U, Op.CONVERT_S_TO_F),
        *(Op.CONVERT_U_TO_F, Op.CONVERT_PTR_TO_U, Op.CONVERT_U_TO_PTR),
        Op.SIGN_BIT_SET,
    }
)
#: What is asked of one floating-point number that is no denormal one.
CLASSES: dict[int, Callable[[float], bool]] = {
    Op.IS_NAN: math.isnan,
    Op.IS_INF: math.isinf,
    Op.IS_FINITE: math.isfinite,
    Op.IS_NORMAL: lambda number: math.isfinite(number) and number != 0.0,
}


def class_of_floats(
    opcode: int, kind: Type, compares_nan: ComparesNan = never_compares_nan
) -> Callable[[Value], Value]:
    """What computes one of :data:`CLASSES` of numbers of type ``kind``. It raises UnknownValue."""

    def is_of_class(value: Value) -> int:
        number = value if isinstance(value, float) else real(value, kind.bits)
        if not math.isfinite(number) and not compares_nan(by_size=False):
            raise UnknownValue("it is no finite number, and compilers may say that there are none")
        return int(CLASSES[opcode](number if math.isnan(number) else real(number, kind.bits)))

    return is_of_class


def _truncated(number: float, bits: int, is_signed: bool) -> int:
    if not math.isfinite(number):
        raise UnknownValue("the number does not fit the integer")
    integer = math.trunc(number)
    low, high = (-(1 << bits - 1), 1 << bits - 1) if is_signed else (0, 1 << bits)
    if not low <= integer < high:
        raise UnknownValue("the number does not fit the integer")
    return integer & (1 << bits) - 1
