"""``list``: source lines around a place, and on from there in both directions, as GDB does it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

from zedbg.commands.code import locate
from zedbg.commands.describe import places
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.framework.regular_expressions import regular_expression
from zedbg.commands.framework.remembered import Listing
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import SourceRow
from zedbg.commands.shell_commands import shell_rows
from zedbg.engine.modules.place_specs import FunctionSpec, KernelSpec, parse_spec
from zedbg.zebin.build_options import COMPILE_WITH_DEBUG_INFO

_LINE = re.compile(r"(?:(.+):)?(\d+)")


@builtin.command(
    "list",
    Category.FILES,
    "Show source lines",
    aliases=("l",),
    arguments=(
        Argument(
            "location",
            Kind.LOCATION,
            "LINE, FILE:LINE, FUNCTION or *ADDRESS for the lines around it; FIRST,LAST or "
            "FIRST,+COUNT for these lines; FIRST, or ,LAST for listsize lines; - for the lines "
            "before the last listing; default: the lines after it",
            optional=True,
            rest=True,
        ),
    ),
    example="list 10,20",
    repeats=Repeat.ON,
)
def list_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    wanted = _wanted(context, (invocation.optional(0) or "").strip())
    lines = _lines(context, wanted.file)
    if wanted.first > len(lines):
        context.listed = Listing(wanted.file, wanted.first, wanted.first - 1)
        raise CommandError(
            f"Line number {wanted.first} out of range; {wanted.file} has {len(lines)} lines."
        )
    last = min(wanted.last, len(lines))
    context.listed = Listing(wanted.file, wanted.first, last)
    here = _here(context)
    same_file = here is not None and _is_same(here[0], wanted.file)
    current = here[1] if here is not None and same_file else None
    return [
        SourceRow(wanted.file, number, lines[number - 1], number == current)
        for number in range(wanted.first, last + 1)
    ]


def _lines(context: CommandContext, file: str) -> list[str]:
    lines = context.sources.lines(file)
    if lines is None:
        raise _not_found(file)
    return lines


def _not_found(file: str) -> CommandError:
    return CommandError(f"{file}: source file not found. Add its directory with: directory DIR")


def _declare_search(name: str, summary: str, step: int, aliases: tuple[str, ...] = ()) -> None:
    def search(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        pattern = regular_expression(invocation.text(0))
        listed = context.listed
        file, line = (listed.file, listed.last) if listed is not None else _current(context)
        lines = _lines(context, file)
        start = line + 1 if step > 0 else (listed.first if listed is not None else line) - 1
        for number in range(start, len(lines) + 1 if step > 0 else 0, step):
            if pattern.search(lines[number - 1]):
                context.listed = Listing(file, number, number)
                context.session.variables.set("_", number)
                return [SourceRow(file, number, lines[number - 1], False)]
        raise CommandError("Expression not found")

    pattern = Argument("pattern", Kind.TEXT, "regular expression", rest=True)
    builtin.command(name, Category.FILES, summary, aliases=aliases, arguments=(pattern,))(search)


_declare_search(
    "forward-search", "Search the source from the last line listed on", 1, ("search", "fo")
)
_declare_search("reverse-search", "Search the source back from the last line listed", -1, ("rev",))


@builtin.command(
    "edit",
    Category.FILES,
    "Open source text in an editor",
    aliases=("e",),
    arguments=(
        Argument(
            "location",
            Kind.LOCATION,
            "LINE, FILE:LINE, FUNCTION or *ADDRESS; default: the line listed last, or the current "
            "one",
            optional=True,
            rest=True,
        ),
    ),
    example="edit blur.cl:17",
    description="The editor is $VISUAL, or $EDITOR, or vi. It gets the line as +LINE.",
    repeats=Repeat.NO,
)
def edit_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text, listed = invocation.optional(0), context.listed
    if text is not None:
        file, line = _line(context, text.strip())
    elif listed is not None:
        file, line = listed.file, (listed.first + listed.last) // 2
    else:
        file, line = _current(context)
    path = context.sources.find(file)
    if path is None:
        raise _not_found(file)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    return shell_rows(context, f"{editor} +{line} {shlex.quote(str(path))}")


def _wanted(context: CommandContext, text: str) -> Listing:
    """The lines that ``text`` means; the last one may be after the end of the file."""
    size, listed = context.settings.number("listsize"), context.listed
    if text in ("", "+") and listed is not None:
        return Listing(listed.file, listed.last + 1, listed.last + size)
    if text == "-" and listed is not None:
        if listed.first == 1:
            raise CommandError(f"Already at the start of {listed.file}.")
        return Listing(listed.file, max(listed.first - size, 1), listed.first - 1)
    if text in ("", "+", "-"):
        return _around(*_current(context), size)
    first, comma, last = (each.strip() for each in text.partition(","))
    if not comma:
        return _around(*_line(context, first), size)
    if not first:
        file, number = _line(context, last)
        return Listing(file, max(number - size + 1, 1), number)
    file, number = _line(context, first)
    if not last:
        return Listing(file, number, number + size - 1)
    if re.fullmatch(r"\+\s*\d+", last):
        return Listing(file, number, number + int(last[1:]))
    end = int(last) if last.isdecimal() else _line(context, last)[1]
    return Listing(file, number, end)


def _around(file: str, middle: int, size: int) -> Listing:
    first = max(middle - size // 2, 1)
    return Listing(file, first, first + size - 1)


def _line(context: CommandContext, text: str) -> tuple[str, int]:
    """File and line of a place; for a function those of its declaration."""
    match = _LINE.fullmatch(text)
    if match:
        return match[1] or _file(context), int(match[2])
    _, module, place = locate(context, text)
    if place.file is None or place.line is None:
        advice = COMPILE_WITH_DEBUG_INFO if module is None else module.debug_info_advice
        raise CommandError(f'No source line is known for "{text}": {advice}.')
    is_function = isinstance(parse_spec(text), FunctionSpec | KernelSpec)
    function = module.debug_info.function_at(place.pc) if module.debug_info else None
    named = is_function and function is not None and place.function == function.name
    if named and function is not None and function.file is not None and function.line:
        return function.file.path, function.line
    return place.file, place.line


def _here(context: CommandContext) -> tuple[str, int] | None:
    if context.session.focus is None:
        return None
    location = context.frame.location
    return (location.file, location.line) if location.file and location.line else None


def _current(context: CommandContext) -> tuple[str, int]:
    here = _here(context)
    if here is None:
        raise CommandError("No current source line: name one, as in: list vadd.cl:1")
    return here


def _file(context: CommandContext) -> str:
    here = _here(context)
    if here is not None:
        return here[0]
    if context.listed is not None:
        return context.listed.file
    raise CommandError("Name the file, as in: list vadd.cl:3")


def _is_same(one: str, other: str) -> bool:
    return places.short_file(one) == places.short_file(other)
