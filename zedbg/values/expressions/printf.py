"""Text with values in it as C's printf writes it (C11 7.21.6.1), and OpenCL's vectors
(OpenCL C 2.0, 6.12.13.2): for dprintf and printf."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.missing import Missing
from zedbg.values.formats.formatting import format_value
from zedbg.values.operands.vectors import as_vector
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?"
    r"(?:v(?P<vector>2|3|4|8|16))?(?P<length>hh|hl|h|ll|l|j|z|t|L)?(?P<kind>[diouxXcsfFeEgGaAp%])"
)
_ESCAPES = {"n": "\n", "t": "\t", "a": "\a", "r": "\r", "e": "\x1b", "\\": "\\", '"': '"'}
_BITS = {"hh": 8, "h": 16, "hl": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
_INTEGERS = frozenset("diouxXc")


@dataclass(frozen=True)
class _Conversion:
    """One ``%...``: what Python's own formatting takes, and how many bits the number has."""

    flags: str
    width: str
    precision: str | None
    vector: int
    length: str
    kind: str

    def text(self, value: Value | Missing) -> str:
        """``value`` in this form; why it is missing, if it is. Raises EvaluationError."""
        if isinstance(value, Missing):
            return self._padded(str(value))
        vector = as_vector(value.type)
        if self.vector:
            if vector is None or vector.count != self.vector:
                raise EvaluationError(f"%v{self.vector} takes a vector of {self.vector}.")
            return ",".join(self._one(value.element(index)) for index in range(self.vector))
        return self._one(value)

    def _one(self, value: Value) -> str:
        if self.kind == "s":
            text = format_value(value)
            quoted = text.startswith('"') and text.endswith('"')
            return self._padded(text[1:-1] if quoted else text)
        if not value.is_scalar:
            raise EvaluationError(f"%{self.kind} takes a number.")
        if self.kind == "p":
            return self._padded(f"{int(value.number):#x}")
        if self.kind in _INTEGERS:
            return self._integer(int(value.number), value.type.size)
        if self.kind in "aA":
            text = float(value.number).hex()
            return self._padded(text.upper() if self.kind == "A" else text)
        return self._plain(self.kind) % float(value.number)

    def _integer(self, number: int, size: int) -> str:
        bits = _BITS.get(self.length, max(32, size * 8))
        number &= (1 << bits) - 1
        if self.kind in "di" and number >> (bits - 1):
            number -= 1 << bits
        if self.kind == "c":
            return self._padded(chr(number & 0xFF))
        kind = "d" if self.kind in "diu" else self.kind
        form = self._plain(kind)
        if self.precision is not None:
            form = form.replace(self.flags, self.flags.replace("0", ""), 1)
        if kind == "o" and "#" in self.flags:
            # C writes 017 where Python writes 0o17.
            return self._padded(f"0{number:o}" if number else "0")
        if "#" in self.flags and number == 0:
            form = form.replace("#", "")
        return form % number

    def _plain(self, kind: str) -> str:
        precision = "" if self.precision is None else f".{self.precision}"
        return f"%{self.flags}{self.width}{precision}{kind}"

    def _padded(self, text: str) -> str:
        if self.kind == "s" and self.precision is not None:
            text = text[: int(self.precision or 0)]
        width = int(self.width or 0)
        return text.ljust(width) if "-" in self.flags else text.rjust(width)


class PrintfFormat:
    """A format of printf, read once."""

    def __init__(self, text: str) -> None:
        """``text`` without its quotes; EvaluationError when it has a conversion that is none."""
        self._parts: list[str | _Conversion] = []
        for part in re.split(r"(%[^%a-zA-Z]*(?:v\d+)?(?:hh|hl|ll|[hljztL])?.)", text):
            if not part.startswith("%"):
                self._parts.append(_unescaped(part))
                continue
            match = _CONVERSION.fullmatch(part)
            if match is None:
                raise EvaluationError(f'Bad format specifier "{part}".')
            if match["kind"] == "%":
                self._parts.append("%")
                continue
            self._parts.append(
                _Conversion(
                    match["flags"],
                    match["width"],
                    match["precision"],
                    int(match["vector"] or 0),
                    match["length"] or "",
                    match["kind"],
                )
            )

    @property
    def count(self) -> int:
        """How many values it takes."""
        return sum(isinstance(part, _Conversion) for part in self._parts)

    def text(self, values: Sequence[Value | Missing]) -> str:
        """The text with ``values`` (:attr:`count` of them) in their places."""
        left = iter(values)
        return "".join(
            part.text(next(left)) if isinstance(part, _Conversion) else part for part in self._parts
        )


def parse_printf(text: str) -> tuple[PrintfFormat, list[str]]:
    """The format of ``"FORMAT", EXPRESSION...``, and an expression for each value that it takes;
    EvaluationError when ``text`` is no such thing."""
    template, arguments = split_printf(text)
    format_ = PrintfFormat(template)
    if format_.count != len(arguments):
        raise EvaluationError("Wrong number of arguments for specified format-string")
    return format_, arguments


def split_printf(text: str) -> tuple[str, list[str]]:
    """Parts ``"x=%d\\n", x, f(a, b)`` into the format and its arguments; EvaluationError when it is
    no such thing."""
    match = re.match(r'\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)', text)
    if match is None:
        raise EvaluationError('A format in quotes is needed, as in: "i=%d\\n", i')
    arguments, depth, start = [], 0, match.end()
    for position in range(match.end(), len(text)):
        letter = text[position]
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            arguments.append(text[start:position].strip())
            start = position + 1
    if match[0].endswith(","):
        arguments.append(text[start:].strip())
    if not all(arguments):
        raise EvaluationError("An argument is missing between commas.")
    return match[1], arguments


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)
