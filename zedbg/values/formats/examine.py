"""``x/FMT``: memory as rows of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import (
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    ArrayType,
    Type,
)
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.formats.letters import LETTERS, SHORT_FLOATS
from zedbg.values.formats.text import format_text
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.locate import unreadable
from zedbg.values.typed.partial_memory import readable_part
from zedbg.values.typed.value import Plain, Value

_SIZES = {"b": 1, "h": 2, "w": 4, "g": 8}
_UNSIGNED: dict[int, Type] = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONG}
_SIGNED: dict[int, Type] = {1: CHAR, 2: SHORT, 4: INT, 8: LONG}
_FLOATS: dict[int, Type] = {2: HALF, 4: FLOAT, 8: DOUBLE}
_PER_LINE = {1: 8, 2: 8, 4: 4, 8: 2}
_STRING_CHUNK = 64
_STRING_LIMIT = 200
_MOST_UNITS = 1 << 24


@dataclass(frozen=True)
class ExamineFormat:
    """``/4xw``: how many units, in which format, of how many bytes each; a negative count is of
    those before an address.

    ``letter`` is one of GDB's, or ``f16`` or ``bf16``.
    """

    count: int = 1
    letter: str = "x"
    size: int = 4

    @classmethod
    def parse(cls, text: str, previous: ExamineFormat | None = None) -> ExamineFormat:
        """Reads what follows the slash; what it leaves out is as in ``previous``.

        Raises EvaluationError when it is no format.
        """
        match = re.fullmatch(r"(-?\d*)(b?f16|[a-z]*)", text)
        if match is None:
            raise EvaluationError(f'Invalid format "/{text}".')
        result = replace(previous or cls(), count=1)
        size = letter = None
        if match[2] in SHORT_FLOATS:
            size, letter = SHORT_FLOATS[match[2]].size, match[2]
        for each in "" if letter else match[2]:
            if each in _SIZES:
                size = _SIZES[each]
            elif each in LETTERS or each == "i":
                letter = each
            else:
                raise EvaluationError(f'Undefined output format "{each}".')
        if match[1] == "-":
            raise EvaluationError(f'Invalid format "/{text}".')
        if match[1]:
            result = replace(result, count=int(match[1]))
        if abs(result.count) > _MOST_UNITS:
            raise EvaluationError(f"x shows {_MOST_UNITS} units at most.")
        if letter is not None:
            result = replace(result, letter=letter)
        if size is not None and letter is None and result.letter in SHORT_FLOATS:
            result = replace(result, letter="f")
        if size is None:
            size = _size_for(result.letter, result.size, letter is not None)
        if result.letter == "f" and size not in _FLOATS:
            size = DOUBLE.size
        return replace(result, size=size)


def _size_for(letter: str, previous: int, chosen: bool) -> int:
    """The unit size when none is given: addresses have 8 bytes, characters one."""
    if letter == "a":
        return 8
    if letter == "c" and chosen:
        return 1
    return previous


@dataclass(frozen=True)
class ExamineRow:
    """One line: the address of its first unit, its symbol, texts and plain values of its units."""

    address: int
    symbol: str | None
    texts: tuple[str, ...]
    values: tuple[Plain, ...]

    def __str__(self) -> str:
        label = f" {self.symbol}" if self.symbol else ""
        return f"{self.address:#x}{label}:\t" + "\t".join(self.texts)


@dataclass(frozen=True)
class Examination:
    """The rows, the address after the last unit, where the next ``x`` goes on, and the last unit
    with its place, if there is one: ``$__`` and ``$_``. ``problem``: one line that names the first
    address that cannot be read, when memory ends before the last unit."""

    rows: list[ExamineRow]
    next_address: int
    last: Value | None = None
    problem: str | None = None


def examine(
    context: ThreadContext,
    format: ExamineFormat,
    address: int,
    space: MemorySpace = MemorySpace.GLOBAL,
    symbol_of: Callable[[int], str | None] | None = None,
    label_of: Callable[[int], str | None] | None = None,
) -> Examination:
    """``count`` units of memory from ``address`` on; not for ``/i``, which disassembles.
    ``symbol_of`` names what addresses in the memory (``/a``) refer to, ``label_of`` the addresses
    of the units.

    Raises EvaluationError when not even the first unit can be read.
    """
    if format.letter == "s":
        return _strings(context, format, address, space, label_of)
    data = _readable(context, space, address, format.count * format.size)
    count = len(data) // format.size
    problem = None if count == format.count else unreadable(space, address + len(data))
    if problem is not None and count == 0:
        raise EvaluationError(problem)
    unit_type = _unit_type(format)
    natural = format.letter in SHORT_FLOATS or format.letter == "f"
    letter = "" if natural else format.letter
    letter = "z" if letter == "x" else letter
    options = FormatOptions(letter, symbol_of=symbol_of)
    rows = []
    unit: Value | None = None
    per_line = _PER_LINE[format.size]
    for first in range(0, count, per_line):
        units = [
            Value(
                unit_type,
                data[index * format.size : (index + 1) * format.size],
                MemoryHome(space, address + index * format.size),
            )
            for index in range(first, min(first + per_line, count))
        ]
        unit = units[-1]
        start = address + first * format.size
        texts = tuple(_unit_text(unit, format, options) for unit in units)
        symbol = label_of(start) if label_of is not None else None
        rows.append(ExamineRow(start, symbol, texts, tuple(unit.plain() for unit in units)))
    return Examination(rows, address + count * format.size, unit, problem)


def _unit_text(unit: Value, format: ExamineFormat, options: FormatOptions) -> str:
    if format.letter == "t":
        return f"{int.from_bytes(unit.data, 'little'):0{len(unit.data) * 8}b}"
    return format_value(unit, options)


def _unit_type(format: ExamineFormat) -> Type:
    if format.letter == "f":
        return _FLOATS[format.size]
    if format.letter in SHORT_FLOATS:
        return SHORT_FLOATS[format.letter]
    return (_SIGNED if format.letter in "dca" else _UNSIGNED)[format.size]


def _readable(context: ThreadContext, space: MemorySpace, address: int, size: int) -> bytes:
    """The bytes in front of the first that cannot be read, ``size`` at most."""
    if address < 0:
        return b""
    size = max(min(size, (1 << 64) - address), 0)
    return readable_part(partial(context.read_memory, space), address, size)


def _strings(
    context: ThreadContext,
    format: ExamineFormat,
    address: int,
    space: MemorySpace,
    label_of: Callable[[int], str | None] | None,
) -> Examination:
    rows: list[ExamineRow] = []
    last: Value | None = None
    for _ in range(format.count):
        try:
            data = _read_string(context, space, address)
        except EvaluationError as error:
            if not rows:
                raise
            return Examination(rows, address, last, str(error))
        text = format_text(data, _STRING_LIMIT, FormatOptions().repeat_threshold)
        symbol = label_of(address) if label_of is not None else None
        plain = data.rstrip(b"\0").decode("utf-8", "replace")
        rows.append(ExamineRow(address, symbol, (text,), (plain,)))
        last = Value(ArrayType(len(data), CHAR, len(data)), data, MemoryHome(space, address))
        address += len(data)
    return Examination(rows, address, last)


def _read_string(context: ThreadContext, space: MemorySpace, address: int) -> bytes:
    """The bytes up to a zero and with it, or as many as are shown at most."""
    data = b""
    while len(data) < _STRING_LIMIT:
        more = _readable(context, space, address + len(data), _STRING_CHUNK)
        data += more
        end = data.find(b"\0")
        if end >= 0:
            return data[: end + 1]
        if len(more) < _STRING_CHUNK:
            raise EvaluationError(unreadable(space, address + len(data)))
    return data[:_STRING_LIMIT]
