"""Commands that change breakpoints: on, off, for how long, and what follows a stop."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands.breakpoints import NUMBERS, selected_breakpoints
from zedbg.commands.describe.breakpoint_rows import breakpoint_row
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.framework.python_calls import quoted
from zedbg.commands.rows.row import Row
from zedbg.engine.breakpoints.breakpoint import Breakpoint, BreakpointLocation, Disposition
from zedbg.engine.breakpoints.breakpoint_table import BreakpointTable


def _enable_in_python(context: CommandContext, invocation: Invocation) -> str:
    return _enabled_in_python(context, invocation, "True")


def _disable_in_python(context: CommandContext, invocation: Invocation) -> str:
    return _enabled_in_python(context, invocation, "False")


def _enabled_in_python(context: CommandContext, invocation: Invocation, enabled: str) -> str:
    if "." in (invocation.optional(0) or ""):
        return ""  # places of a breakpoint
    chosen = selected_breakpoints(context, invocation)
    return "\n".join(f"session.breakpoints[{each.number}].enabled = {enabled}" for each in chosen)


@builtin.command(
    "enable",
    Category.BREAKPOINTS,
    "Enable all or some breakpoints, or single locations",
    aliases=("en", "enable breakpoints"),
    arguments=(NUMBERS,),
    example="enable 2 1.3",
    python=_enable_in_python,
)
def enable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _set_enabled(context, invocation, True)


def _set_enabled(context: CommandContext, invocation: Invocation, enabled: bool) -> Sequence[Row]:
    table = context.session.breakpoints
    text = invocation.optional(0) or ""
    locations = [word for word in re.split(r"[\s,]+", text) if "." in word]
    for word in locations:
        for breakpoint_, place in _locations(table, word):
            table.set_location_enabled(breakpoint_, place, enabled)
    rest = " ".join(word for word in re.split(r"[\s,]+", text) if "." not in word)
    if rest or not locations:
        for breakpoint_ in selected_breakpoints(context, Invocation(arguments=(rest or None,))):
            table.set_enabled(breakpoint_, enabled)
    return []


def _locations(table: BreakpointTable, word: str) -> list[tuple[Breakpoint, BreakpointLocation]]:
    """The locations that ``1.2`` or ``1.2-4`` names."""
    match = re.fullmatch(r"(\d+)\.(\d+)(?:-(\d+))?", word)
    if match is None:
        raise UsageError(f'Bad breakpoint location "{word}", as in: disable 1.2')
    breakpoint_ = table.get(int(match[1]))
    numbers = range(int(match[2]), int(match[3] or match[2]) + 1)
    return [(breakpoint_, breakpoint_.location(number)) for number in numbers]


@builtin.command(
    "enable once",
    Category.BREAKPOINTS,
    "Enable breakpoints for one stop; then they are disabled",
    arguments=(NUMBERS,),
    example="enable once 2",
)
def enable_once_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _limit(context, invocation, 1, Disposition.DISABLE)


@builtin.command(
    "enable delete",
    Category.BREAKPOINTS,
    "Enable breakpoints for one stop; then they are deleted",
    arguments=(NUMBERS,),
    example="enable delete 2",
)
def enable_delete_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _limit(context, invocation, 1, Disposition.DELETE)


@builtin.command(
    "enable count",
    Category.BREAKPOINTS,
    "Enable breakpoints for a number of stops; then they are disabled",
    arguments=(Argument("count", Kind.NUMBER, "how many stops"), NUMBERS),
    example="enable count 3 1-2",
)
def enable_count_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    count = invocation.text(0)
    if not count.isdecimal() or not int(count):
        raise UsageError("enable count needs the number of stops, as in: enable count 3 1-2")
    return _limit(context, invocation, int(count), Disposition.DISABLE, position=1)


def _limit(
    context: CommandContext,
    invocation: Invocation,
    stops: int,
    disposition: Disposition,
    position: int = 0,
) -> Sequence[Row]:
    for breakpoint_ in selected_breakpoints(context, invocation, position):
        context.session.breakpoints.limit(breakpoint_, stops, disposition)
    return []


@builtin.command(
    "disable",
    Category.BREAKPOINTS,
    "Disable all or some breakpoints, or single locations",
    aliases=("dis", "disa", "disable breakpoints"),
    arguments=(NUMBERS,),
    example="disable 1.2-4",
    python=_disable_in_python,
)
def disable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _set_enabled(context, invocation, False)


def _ignore_in_python(_context: CommandContext, invocation: Invocation) -> str:
    number, count = invocation.arguments
    return f"session.breakpoints[{number}].ignore_count = {count}"


@builtin.command(
    "ignore",
    Category.BREAKPOINTS,
    "Ignore the next hits of a breakpoint",
    arguments=(
        Argument("number", Kind.BREAKPOINT, "breakpoint number"),
        Argument("count", Kind.NUMBER, "how many hits"),
    ),
    example="ignore 1 10",
    python=_ignore_in_python,
)
def ignore_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    count = invocation.text(1)
    if not count.isdecimal():
        raise UsageError("ignore takes two numbers, as in: ignore 1 10")
    chosen = selected_breakpoints(context, Invocation(arguments=(invocation.text(0),)))
    for breakpoint_ in chosen:
        breakpoint_.ignore_count = int(count)
    return [breakpoint_row(each) for each in chosen]


@builtin.command(
    "commands",
    Category.BREAKPOINTS,
    "Set the commands that run when breakpoints are hit",
    arguments=(
        Argument(
            "numbers", Kind.BREAKPOINT, "breakpoint numbers; default: the newest", True, rest=True
        ),
    ),
    example="commands 1",
    description="The commands follow, one on each line, up to a line with end. They are typed, "
    "in a script, or one -ex each. If the first is silent, the stop itself is not shown. "
    "Commands after one that resumes the program are not executed. An empty list removes the "
    "commands.",
    repeats=Repeat.NO,
)
def commands_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    if invocation.optional(0) is None:
        newest = list(context.session.breakpoints)[-1:]
        if not newest:
            raise CommandError("No breakpoints specified.")
        chosen = newest
    else:
        chosen = selected_breakpoints(context, invocation)

    def keep(lines: list[str]) -> Sequence[Row]:
        for breakpoint_ in chosen:
            breakpoint_.commands = list(lines)
        return []

    context.read_block("commands", keep)
    return []


def _condition_in_python(_context: CommandContext, invocation: Invocation) -> str:
    text = invocation.optional(1)
    condition = "None" if text is None else quoted(text)
    return f"session.breakpoints[{invocation.text(0)}].condition = {condition}"


@builtin.command(
    "condition",
    Category.BREAKPOINTS,
    "Give a breakpoint a condition, or take it away",
    arguments=(
        Argument("number", Kind.BREAKPOINT, "breakpoint number"),
        Argument(
            "condition", Kind.EXPRESSION, "C expression; default: none any more", True, rest=True
        ),
    ),
    example="condition 1 i == 17",
    description="It is evaluated in every active lane.",
    python=_condition_in_python,
)
def condition_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    chosen = selected_breakpoints(context, Invocation(arguments=(invocation.text(0),)))
    text = invocation.optional(1)
    for breakpoint_ in chosen:
        context.session.breakpoints.set_condition(breakpoint_, text)
        if text is None:
            context.show_message(f"Breakpoint {breakpoint_.number} now unconditional.")
    return []
