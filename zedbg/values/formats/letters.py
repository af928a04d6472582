"""Format letters of ``print/F`` and ``x/F``: how one number is shown."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.dwarf.types.program_types import BF16, HALF, BaseType, EnumType, Type
from zedbg.values.formats.scalar_text import base_text, enumeration_text, float_text
from zedbg.values.formats.text import character
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import decode, is_float, is_signed, whole

# Formats of more than a letter: the bits as numbers of 16 bits, whatever the type.
SHORT_FLOATS: dict[str, BaseType] = {"f16": HALF, "bf16": BF16}
LETTERS = frozenset("xduotzcfas") | SHORT_FLOATS.keys()


def format_letter(
    letter: str, value_type: Type, data: bytes, symbol_of: Callable[[int], str | None] | None
) -> str:
    """The scalar in ``data`` in format ``letter``; EvaluationError for an unknown letter."""
    bits = int.from_bytes(data, "little")
    size = len(data)
    if letter == "x":
        return f"{bits:#x}"
    if letter == "z":
        return f"0x{bits:0{size * 2}x}"
    if letter == "o":
        return f"0{bits:o}" if bits else "0"
    if letter == "t":
        return f"{bits:b}"
    if letter == "d":
        return str(int.from_bytes(data, "little", signed=True))
    if letter == "u":
        return str(bits)
    if letter == "a":
        address = whole(decode(value_type, data)) & (1 << 64) - 1
        symbol = symbol_of(address) if symbol_of is not None else None
        return f"{address:#x} {symbol}" if symbol else f"{address:#x}"
    if letter in SHORT_FLOATS:
        return _short_floats(SHORT_FLOATS[letter], value_type, data)
    if letter == "c":
        return _character(value_type, data)
    if letter in ("f", "s"):
        return _natural(value_type, data, letter)
    raise EvaluationError(f'Undefined output format "{letter}".')


def _short_floats(kind: BaseType, value_type: Type, data: bytes) -> str:
    """The 16-bit numbers in ``data``; a value of other than whole ones as it is."""
    if len(data) % kind.size:
        return _natural(value_type, data, "f")
    texts = [base_text(kind, data[at : at + kind.size]) for at in range(0, len(data), kind.size)]
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"


def _character(value_type: Type, data: bytes) -> str:
    signed = is_signed(value_type) or is_float(value_type)
    low = (whole(decode(value_type, data)) & 0xFF).to_bytes(1, "little")
    number = int.from_bytes(low, "little", signed=signed)
    return f"{number} {character(number & 0xFF)}"


def _natural(value_type: Type, data: bytes, letter: str) -> str:
    """``/f``: as floating point where a floating-point type has the size; ``/s``: as it is."""
    stripped = value_type.stripped()
    if letter == "f" and len(data) in (4, 8):
        return float_text(data)
    if isinstance(stripped, BaseType) and (letter == "s" or not stripped.is_integer):
        return base_text(stripped, data)
    if isinstance(stripped, EnumType) and letter == "s":
        return enumeration_text(stripped, int(decode(stripped, data)))
    return str(int.from_bytes(data, "little", signed=is_signed(value_type)))
