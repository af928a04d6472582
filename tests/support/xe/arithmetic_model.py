"""What arithmetic instructions compute, from the description of the instruction set.

Independent of the execution unit: integers are Python's, of any size, floating-point numbers are
rationals that are rounded once to the execution type and once more to a narrower destination. The
rules are those of Intel's programmer's reference manuals ("Execution Data Type", "Saturation",
"Assigning Conditional Flags", and the page of each instruction):

* The result of an integer operation is exact; a destination keeps its low bits, or with saturation
  the nearest number that it can hold.
* Source modifiers apply to the operand's value: the absolute value first, then the negation. For
  logic operations the negation is a complement.
* Flags compare what the destination gets with zero, after saturation and conversion. ``ov`` says
  that the exact integer did not fit, ``un`` that the number is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Number = int | float  # floats hold every number of the floating-point types exactly


@dataclass(frozen=True)
class ElementType:
    """A type of elements: `exponent` bits are 0 for integers."""

    name: str
    bits: int
    signed: bool = True
    exponent: int = 0

    @property
    def is_float(self) -> bool:
        return self.exponent != 0

    @property
    def size(self) -> int:
        """In bytes."""
        return self.bits // 8

    @property
    def low(self) -> int:
        """The smallest integer."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The largest integer."""
        return (1 << (self.bits - int(self.signed))) - 1

    @property
    def fraction_bits(self) -> int:
        return self.bits - 1 - self.exponent

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    def decode(self, bits: int) -> Number:
        """The value of an element."""
        if not self.is_float:
            return bits - (1 << self.bits) if self.signed and bits >> (self.bits - 1) else bits
        sign = -1.0 if bits >> (self.bits - 1) else 1.0
        exponent = bits >> self.fraction_bits & ((1 << self.exponent) - 1)
        fraction = bits & ((1 << self.fraction_bits) - 1)
        if exponent == (1 << self.exponent) - 1:
            return math.nan if fraction else sign * math.inf
        significand = fraction | (1 << self.fraction_bits if exponent else 0)
        scale = max(exponent, 1) - self.bias - self.fraction_bits
        return sign * math.ldexp(float(significand), scale)

    def wrap(self, value: int) -> int:
        """The bits that an element keeps of an integer."""
        return value & ((1 << self.bits) - 1)

    def clamp(self, value: int) -> int:
        return min(max(value, self.low), self.high)

    def round(self, value: float | Fraction) -> float:
        """The nearest number of a floating-point type, ties to even; specials stay what they are.

        A zero keeps its sign.
        """
        if isinstance(value, float) and (math.isnan(value) or math.isinf(value) or value == 0):
            return value
        exact = Fraction(value)
        if exact == 0:
            return 0.0
        magnitude = abs(exact)
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        unit = Fraction(2) ** (max(exponent, 1 - self.bias) - self.fraction_bits)
        steps = round(magnitude / unit)  # Python's rounding is to even
        rounded = steps * unit
        sign = -1.0 if exact < 0 else 1.0
        limit = Fraction(2) ** (self.bias + 1)
        return sign * (math.inf if rounded >= limit else float(rounded))


TYPES = {
    each.name: each
    for each in (
        ElementType("b", 8), ElementType("ub", 8, signed=False),
        ElementType("w", 16), ElementType("uw", 16, signed=False),
        ElementType("d", 32), ElementType("ud", 32, signed=False),
        ElementType("q", 64), ElementType("uq", 64, signed=False),
        ElementType("hf", 16, exponent=5), ElementType("bf", 16, exponent=8),
        ElementType("f", 32, exponent=8), ElementType("df", 64, exponent=11),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """An operand's element, and what is done to it first."""

    value: Number
    type: ElementType
    negate: bool = False
    absolute: bool = False

    @property
    def modified(self) -> Number:
        value = abs(self.value) if self.absolute else self.value
        return -value if self.negate else value

    @property
    def pattern(self) -> int:
        """The bits of an integer, complemented if negated, as many as Python likes."""
        assert isinstance(self.value, int)
        return ~self.value if self.negate else self.value


Integers = Callable[[int, int, int], int]


def _fields(width: int, offset: int) -> tuple[int, int]:
    return width & 31, offset & 31


def _extract(source: ElementType) -> Integers:
    def bit_field(width: int, offset: int, value: int) -> int:
        count, first = _fields(width, offset)
        available = min(count, 32 - first)
        field = (value & 0xFFFFFFFF) >> first & ((1 << available) - 1)
        if source.signed and available and field >> (available - 1):
            field -= 1 << available
        return field

    return bit_field


def _mask(width: int, offset: int, _: int) -> int:
    count, first = _fields(width, offset)
    return ((1 << count) - 1) << first


def _shift_bits(source: ElementType, into: ElementType, count: int) -> int:
    return count & (63 if 64 in (source.bits, into.bits) else 31)


def _rotate(value: int, count: int, into: ElementType) -> int:
    count %= into.bits
    value = into.wrap(value)
    return into.wrap(value << count | value >> (into.bits - count))


def _leading_zeros(value: int) -> int:
    return 32 - (value & 0xFFFFFFFF).bit_length()


def _first_high_bit(value: int, source: ElementType) -> int:
    if source.signed:
        magnitude = ~value if value < 0 else value
        return _leading_zeros(magnitude) if magnitude else -1
    return _leading_zeros(value) if value & 0xFFFFFFFF else -1


def _dot(a: int, b: int, c: int, kinds: tuple[ElementType, ...]) -> int:
    total = a
    for index in range(4):
        factors = []
        for value, kind in ((b, kinds[1]), (c, kinds[2])):
            byte = value >> 8 * index & 0xFF
            factors.append(byte - 256 if kind.signed and byte > 127 else byte)
        total += factors[0] * factors[1]
    return total


def integer_result(name: str, sources: list[Source], into: ElementType, function: int = 0) -> int:
    """The exact result of an operation on integers. `function`: the truth table of bfn."""
    values = [int(source.modified) for source in sources]
    a, b, c, *_ = [*values, 0, 0]
    kind = sources[0].type
    patterns = [source.pattern for source in sources] if name in LOGIC else []
    match name:
        case "mov":
            return a
        case "add" | "addc":
            return a + b
        case "subb":
            return a - b
        case "add3":
            return a + b + c
        case "mul":
            return a * b
        case "mad":
            return a + b * c
        case "avg":
            return (a + b + 1) >> 1
        case "and":
            return patterns[0] & patterns[1]
        case "or":
            return patterns[0] | patterns[1]
        case "xor":
            return patterns[0] ^ patterns[1]
        case "not":
            return ~patterns[0]
        case "bfn":
            rows = range(max(into.bits, 32))
            bit = [[pattern >> row & 1 for row in rows] for pattern in patterns]
            return sum(
                (function >> (bit[0][row] | bit[1][row] << 1 | bit[2][row] << 2) & 1) << row
                for row in rows
            )
        case "shl":
            return a << _shift_bits(kind, into, b)
        case "shr":
            return kind.wrap(a) >> _shift_bits(kind, into, b)
        case "asr":
            return a >> _shift_bits(kind, into, b)
        case "rol":
            return _rotate(a, b, into)
        case "ror":
            return _rotate(a, -b % into.bits, into)
        case "bfe":
            return _extract(kind)(a, b, c)
        case "bfi1":
            return _mask(a, b, c)
        case "bfi2":
            return (a & (b << ((a & -a).bit_length() - 1 if a else 0))) | (~a & c)
        case "bfrev":
            return int(f"{a & 0xFFFFFFFF:032b}"[::-1], 2)
        case "cbit":
            return kind.wrap(a).bit_count()
        case "lzd":
            return _leading_zeros(a)
        case "fbh":
            return _first_high_bit(a, kind)
        case "fbl":
            return (a & -a).bit_length() - 1
        case "dp4a":
            return _dot(a, b, c, tuple(source.type for source in sources))
    raise ValueError(name)


LOGIC = frozenset({"and", "or", "xor", "not", "bfn"})


def _product(a: float, b: float) -> float | Fraction:
    if not math.isfinite(a) or not math.isfinite(b) or a == 0 or b == 0:
        return a * b
    return Fraction(a) * Fraction(b)


def _sum(a: float | Fraction, b: float | Fraction) -> float | Fraction:
    special = [x for x in (a, b) if isinstance(x, float) and (not math.isfinite(x))]
    if special:
        return math.nan if len(special) == 2 and special[0] != special[1] else special[0]
    exact = Fraction(a) + Fraction(b)
    if exact == 0 and a == 0 and b == 0:
        return float(a) + float(b)
    return exact


def float_result(name: str, sources: list[Source]) -> float | Fraction:
    """The exact result of an operation on numbers, or a special one."""
    values = [float(source.modified) for source in sources]
    match name:
        case "mov":
            return values[0]
        case "add":
            return _sum(values[0], values[1])
        case "mul":
            return _product(values[0], values[1])
        case "mad":
            return _sum(values[0], _product(values[1], values[2]))
    if not math.isfinite(values[0]):
        return math.nan if name == "frc" else values[0]
    exact = Fraction(values[0])
    match name:
        case "rndd":
            whole = math.floor(exact)
        case "rndu":
            whole = math.ceil(exact)
        case "rndz":
            whole = math.trunc(exact)
        case "rnde":
            whole = round(exact)
        case "frc":
            return exact - math.floor(exact)
        case _:
            raise ValueError(name)
    return Fraction(whole) if whole else math.copysign(0.0, values[0])


def execution_type(sources: list[Source], into: ElementType) -> ElementType:
    """In which numbers are computed: the widest; two 16-bit formats meet in f."""
    kinds = {source.type.name for source in sources if source.type.is_float} | (
        {into.name} if into.is_float else set()
    )
    for name in ("df", "f"):
        if name in kinds:
            return TYPES[name]
    return TYPES["hf"] if kinds == {"hf"} else TYPES["f"]


def stored_float(value: float | Fraction, into: ElementType, *, saturate: bool) -> Number:
    """What a destination of any type gets of a number."""
    if into.is_float:
        if saturate:
            special = isinstance(value, float) and math.isnan(value)
            value = 0.0 if special or value <= 0 else 1.0 if value >= 1 else value
        return into.round(value)
    if isinstance(value, float) and math.isnan(value):
        return 0
    if isinstance(value, float) and math.isinf(value):
        return into.high if value > 0 else into.low
    return into.clamp(math.trunc(value))


def holds(condition: str, a: Number, b: Number = 0) -> bool:
    """Whether a comparison is true; none is of what is no number, but for inequality."""
    match condition:
        case "eq":
            return a == b
        case "ne":
            return a != b
        case "gt":
            return a > b
        case "ge":
            return a >= b
        case "lt":
            return a < b
        case "le":
            return a <= b
    raise ValueError(condition)
