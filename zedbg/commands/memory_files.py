"""Memory and files: dump, append, restore; and what lies where in memory: find."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.describe.places import place_of
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Handler,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context, symbol_text
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import user_path
from zedbg.dwarf.types.program_types import VOID
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.operands.pointers import pointer_to
from zedbg.values.threads.context import MemorySpace
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.locate import memory_home, unreadable

_MOST_BYTES = 1 << 30
_CHUNK = 1 << 20
_SIZES = {"b": 1, "h": 2, "w": 4, "g": 8}


def _read(context: CommandContext, place: MemoryHome, size: int) -> bytes:
    within, end = expression_context(context), place.address + size
    try:
        return b"".join(
            within.read_memory(place.space, start, min(_CHUNK, end - start))
            for start in range(place.address, end, _CHUNK)
        )
    except LevelZeroError:
        raise CommandError(unreadable(place.space, place.address)) from None


def _write(path: Path, data: bytes, mode: str) -> None:
    try:
        with path.open(mode) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{path}: {reason}.") from None


def _words(text: str, least: int, usage: str) -> list[str]:
    """The blank-separated words of ``text`` with what is in brackets or quotes kept together."""
    words = re.findall(r"(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\"[^\"]*\"|\S)+", text)
    if len(words) < least:
        raise UsageError(f"Usage: {usage}")
    return words


def _range(context: CommandContext, first: str, last: str) -> tuple[MemoryHome, int]:
    """The place and the size of what lies from ``first`` to ``last``."""
    start, end = _place(context, first), _place(context, last)
    if start.space is not end.space:
        raise CommandError("The range begins in one memory and ends in another.")
    size = end.address - start.address
    if size <= 0:
        raise CommandError("Invalid memory address range (start >= end).")
    if size > _MOST_BYTES:
        raise CommandError(f"{size} bytes are more than {_MOST_BYTES} at once.")
    return start, size


def _place(context: CommandContext, text: str) -> MemoryHome:
    try:
        return memory_home(int(text, 0), None)
    except ValueError:
        return place_of(context, text)


def _writer(what: str, mode: str, *, value: bool) -> Handler:
    usage = f"{what} FILE " + ("EXPRESSION" if value else "START STOP")

    def run(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        words = _words(invocation.text(0), 2 if value else 3, usage)
        path = user_path(words[0])
        if value:
            data = context.evaluate(invocation.text(0).strip()[len(words[0]) :].strip()).data
        else:
            if len(words) > 3:
                raise UsageError(f"Usage: {usage} (put expressions with blanks into brackets)")
            data = _read(context, *_range(context, words[1], words[2]))
        _write(path, data, mode)
        return [Text(f"Wrote {len(data)} bytes to {path}.")]

    return run


for _command, _mode, _summary in (
    ("dump", "wb", "Write {} to a file"),
    ("append", "ab", "Append {} to a file"),
):
    for _prefix in ("", "binary "):
        for _what, _text in (("memory", "memory"), ("value", "the bytes of a value")):
            _usage = "FILE START STOP" if _what == "memory" else "FILE EXPRESSION"
            _name = f"{_command} {_prefix}{_what}"
            builtin.command(
                _name,
                Category.DATA,
                _summary.format(_text),
                arguments=(Argument("file", Kind.EXPRESSION, _usage, rest=True),),
                requires=Requirement.STOPPED_THREAD,
                example=f"{_name} out.bin " + ("out out+64" if _what == "memory" else "*out@64"),
                repeats=Repeat.NO,
            )(_writer(_name, _mode, value=_what == "value"))


@builtin.command(
    "restore",
    Category.DATA,
    "Write the bytes of a file into memory",
    arguments=(
        Argument("file", Kind.EXPRESSION, "FILE [binary] ADDRESS [START [END]]", rest=True),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="restore out.bin binary out",
    description="START and END are places in the file; default: all of it. Other formats than "
    "binary are not read.",
    repeats=Repeat.NO,
)
def restore_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    words = _words(invocation.text(0), 2, "restore FILE [binary] ADDRESS [START [END]]")
    path = user_path(words[0])
    rest = words[2:] if words[1] == "binary" else words[1:]
    if not 1 <= len(rest) <= 3:
        raise UsageError("Usage: restore FILE [binary] ADDRESS [START [END]]")
    place, *offsets = [_place(context, word) for word in rest]
    start = offsets[0].address if offsets else 0
    try:
        with path.open("rb") as file:
            file.seek(start)
            count = offsets[1].address - start if len(offsets) > 1 else _MOST_BYTES + 1
            data = file.read(max(count, 0))
    except (OSError, ValueError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{path}: {reason}.") from None
    if not data:
        raise CommandError(f"{path}: nothing to restore.")
    if len(data) > _MOST_BYTES:
        raise CommandError(f"{path}: more than zedbg restores at once ({_MOST_BYTES} bytes).")
    where = f"{place.text}-{place.address + len(data):#x}"
    try:
        for at in range(0, len(data), _CHUNK):
            part = data[at : at + _CHUNK]
            expression_context(context).write_memory(place.space, place.address + at, part)
    except LevelZeroError:
        raise CommandError(f"Cannot access memory at {where}.") from None
    return [Text(f"Restored binary data of {path} into memory {where}.")]


@builtin.command(
    "find",
    Category.DATA,
    "Search memory for a sequence of values",
    arguments=(
        Argument("range", Kind.EXPRESSION, "START, +LENGTH or END, VALUE, VALUE...", rest=True),
    ),
    flags="bhwgN",
    requires=Requirement.STOPPED_THREAD,
    example="find/w out, +256, 2, 3",
    description="START may be in shared local memory: a local pointer, or @slm OFFSET. "
    "Values are as large as their types; /b /h /w /g: 1, 2, 4, 8 bytes each. A string "
    "is searched without its end. N: stop after so many. After it, $_ is the last address found, "
    "$numfound how many.",
)
def find_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    parts = _split(invocation.text(0))
    if len(parts) < 3:
        raise UsageError("find needs START, +LENGTH or END, and values.")
    size, most = _format(invocation.flags)
    if parts[1].startswith("+"):
        first, length = _place(context, parts[0]), _place(context, parts[1][1:].strip()).address
        if not 0 < length <= _MOST_BYTES:
            raise CommandError("Empty search range." if length <= 0 else "The range is too long.")
    else:
        first, length = _range(context, parts[0], f"({parts[1]}) + 1")
    pattern = b"".join(_bytes(context, each, size) for each in parts[2:])
    data = _read(context, first, length)
    found: list[MemoryHome] = []
    at = data.find(pattern)
    while at >= 0 and (most is None or len(found) < most):
        found.append(first.moved(at))
        at = data.find(pattern, at + 1)
    variables = context.session.variables
    variables.set("numfound", len(found))
    if not found:
        return [Text("Pattern not found.")]
    variables.set("_", pointer_to(VOID, found[-1]))
    names = [(each.text, _symbol(context, each)) for each in found]
    rows: list[Row] = [Text(f"{text} {name}" if name else text) for text, name in names]
    return [*rows, Text(f"{len(found)} pattern{'s' if len(found) > 1 else ''} found.")]


def _symbol(context: CommandContext, place: MemoryHome) -> str | None:
    return symbol_text(context, place.address) if place.space is MemorySpace.GLOBAL else None


def _split(text: str) -> list[str]:
    """The parts between commas that are outside of brackets and quotes."""
    parts, depth, quoted, last = [], 0, False, 0
    for position, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif not quoted:
            depth += (letter in "([{") - (letter in ")]}")
            if letter == "," and depth == 0:
                parts.append(text[last:position].strip())
                last = position + 1
    return [*parts, text[last:].strip()]


def _format(flags: str) -> tuple[int | None, int | None]:
    match = re.fullmatch(r"([bhwg]?)(\d*)([bhwg]?)", flags)
    if match is None or (match[1] and match[3]):
        raise UsageError("find takes /b /h /w /g for the size and a number for the most matches.")
    letter = match[1] or match[3]
    return (_SIZES[letter] if letter else None), (int(match[2]) if match[2] else None)


def _bytes(context: CommandContext, text: str, size: int | None) -> bytes:
    """What ``text`` is in memory."""
    value = context.evaluate(text)
    if text.startswith('"'):
        return value.data.removesuffix(b"\0")
    if size is None or not value.is_scalar:
        return value.data
    number = value.number
    if isinstance(number, float):
        return struct.pack({2: "<e", 4: "<f", 8: "<d"}.get(size, "<d"), number)
    return (number & ((1 << size * 8) - 1)).to_bytes(size, "little")
