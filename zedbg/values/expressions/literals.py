"""Numbers and characters as C writes them, with the types that C gives them."""

from __future__ import annotations

import re

from zedbg.dwarf.types.program_types import CHAR, DOUBLE, FLOAT, HALF, INT, LONG, UINT, ULONG
from zedbg.values.expressions.syntax import Literal
from zedbg.values.typed.evaluation_error import EvaluationError

_ESCAPES = {
    "n": 10,
    "t": 9,
    "r": 13,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "\\": 92,
    "'": 39,
    '"': 34,
    "e": 27,
}


def integer_literal(text: str) -> Literal:
    """An integer: decimal, hexadecimal, octal (``017``) or binary, with ``u`` and ``l``.

    Raises EvaluationError.
    """
    match = re.fullmatch(r"(.*?)([uUlL]*)", text)
    assert match is not None
    digits, suffix = match[1], match[2].lower()
    try:
        value = int(digits, 8 if re.fullmatch(r"0\d+", digits) else 0)
    except ValueError as error:
        raise EvaluationError(f'Invalid number "{text}".') from error
    if value >> 64:
        raise EvaluationError("Numeric constant too large.")
    decimal = digits[0] != "0" or digits == "0"
    choices = [INT, UINT, LONG, ULONG]
    if "u" in suffix:
        choices = [UINT, ULONG]
    elif decimal:
        choices = [INT, LONG, ULONG]
    if "l" in suffix:
        choices = [choice for choice in choices if choice.size == 8]
    for choice in choices:
        if value >> (choice.size * 8 - choice.is_signed) == 0:
            return Literal(value, choice)
    return Literal(value, ULONG)


def float_literal(text: str) -> Literal:
    """A floating-point number; ``f`` makes a float, ``h`` a half, nothing a double."""
    suffix = text[-1].lower()
    if suffix in "flh":
        return Literal(float(text[:-1]), {"f": FLOAT, "h": HALF, "l": DOUBLE}[suffix])
    return Literal(float(text), DOUBLE)


def character_literal(text: str) -> Literal:
    """A character between quotes. Raises EvaluationError."""
    body = text[1:-1]
    if not body.startswith("\\"):
        return Literal(ord(body), CHAR)
    rest = body[1:]
    if rest in _ESCAPES:
        return Literal(_ESCAPES[rest], CHAR)
    try:
        return Literal(int(rest[1:], 16) if rest.startswith("x") else int(rest, 8), CHAR)
    except ValueError as error:
        raise EvaluationError(f"Invalid character constant {text}.") from error


def string_literal(text: str) -> bytes:
    """The bytes of a string between quotes, with the zero that C puts after them."""
    parts = re.findall(r"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)|[^\\]", text[1:-1], re.DOTALL)
    codes = b"".join(
        bytes([int(character_literal(f"'{part}'").value) & 0xFF])
        if part.startswith("\\")
        else part.encode()
        for part in parts
    )
    return codes + b"\0"
