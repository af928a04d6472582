"""Text of immediate operands, as Intel's assembler writes them."""

import math
import struct
from collections.abc import Callable

from zedbg.xe.isa.names import DataType

_HEXADECIMAL = frozenset(
    {DataType.UW, DataType.UD, DataType.UQ, DataType.UV, DataType.V, DataType.VF}
)
_SIGNED_BITS = {DataType.W: 16, DataType.D: 32, DataType.Q: 64}


def immediate_text(kind: DataType, value: int) -> str:
    """`value` (raw bits) as an immediate of type `kind`, with the type: `0x20:uw`, `1.5:f`."""
    return f"{_number(kind, value)}:{kind.value}"


def _number(kind: DataType, value: int) -> str:
    if kind in _HEXADECIMAL:
        return f"0x{value:X}"
    if kind in _SIGNED_BITS:
        width = _SIGNED_BITS[kind]
        return str(value - (1 << width) if value >> (width - 1) else value)
    match kind:
        case DataType.F:
            return _float(value, _float32(value), mantissa=23, round_to=_to_float32)
        case DataType.DF:
            double: float = struct.unpack("<d", value.to_bytes(8, "little"))[0]
            return _float(value, double, mantissa=52, round_to=float)
        case DataType.HF:
            half: float = struct.unpack("<e", value.to_bytes(2, "little"))[0]
            return _float(value, half, mantissa=10, round_to=_to_float32)
        case _:
            return f"0x{value:X}"


def _float32(bits: int) -> float:
    number: float = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return number


def _to_float32(text: str) -> float:
    """The single-precision number nearest to a decimal one; infinity where there is none."""
    try:
        packed = struct.pack("<f", float(text))
    except OverflowError:
        return math.inf
    number: float = struct.unpack("<f", packed)[0]
    return number


def _float(bits: int, number: float, mantissa: int, round_to: Callable[[str], float]) -> str:
    """Decimal where six or seven digits say exactly what the bits say, else the bits."""
    if math.isnan(number):
        return _nan(bits, mantissa)
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    for text in (f"{number:g}", f"{number:e}"):
        if round_to(text) == number:
            return text if "." in text or "e" in text else f"{text}.0"
    return f"0x{bits:X}"


def _nan(bits: int, mantissa: int) -> str:
    """Quiet and signalling NaNs with their payload; the sign is the bit above the exponent."""
    sign = "-" if math.copysign(1, _sign_of(bits, mantissa)) < 0 else ""
    quiet = bits >> (mantissa - 1) & 1
    payload = bits & ((1 << (mantissa - 1)) - 1)
    return f"{sign}{'qnan' if quiet else 'snan'}(0x{payload:X})"


def _sign_of(bits: int, mantissa: int) -> int:
    exponent = {10: 5, 23: 8, 52: 11}[mantissa]
    return -1 if bits >> (mantissa + exponent) & 1 else 1
