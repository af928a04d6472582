"""Expressions that are shown after every stop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.describe.display_row import display_row, frame_variables, shown_displays
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
from zedbg.commands.framework.remembered import Display
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.rows.value_rows import DisplayRow


@builtin.command(
    "display",
    Category.DATA,
    "Show an expression now and after every stop",
    arguments=(Argument("expression", Kind.EXPRESSION, "C expression", optional=True, rest=True),),
    flags="FMT",
    example="display/l value",
    description="FMT is as for print (l: every lane), or as for x with a count, i or s, as in "
    "display/3i $pc. One that names variables of a function is shown where they are in scope. "
    "Without an expression it shows all enabled displays.",
)
def display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        return shown_displays(context)
    number = context.next_display
    display = Display(number, text, invocation.flags, variables=frame_variables(context, text))
    context.next_display += 1
    context.displays[number] = display
    return [display_row(context, display)] if context.session.focus is not None else []


_NUMBERS = Argument(
    "numbers", Kind.NUMBER, "display numbers, 2 or 2-4; default: all", optional=True, rest=True
)


@builtin.command(
    "undisplay",
    Category.DATA,
    "Stop showing all or some displays",
    aliases=("delete display",),
    arguments=(_NUMBERS,),
    repeats=Repeat.NO,
)
def undisplay_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    if invocation.optional(0) is None and context.displays:
        context.require_confirmation("Delete all auto-display expressions?")
    for each in _selected(context, invocation):
        context.displays.pop(each.number, None)
    return []


@builtin.command(
    "enable display",
    Category.DATA,
    "Show displays again that were disabled",
    arguments=(_NUMBERS,),
    example="enable display 1",
)
def enable_display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _set_enabled(context, invocation, enabled=True)


@builtin.command(
    "disable display",
    Category.DATA,
    "Show all or some displays no more, until they are enabled",
    arguments=(_NUMBERS,),
    example="disable display 1",
)
def disable_display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _set_enabled(context, invocation, enabled=False)


def _set_enabled(
    context: CommandContext, invocation: Invocation, *, enabled: bool
) -> Sequence[Row]:
    for each in _selected(context, invocation):
        context.displays[each.number] = replace(each, enabled=enabled)
    return []


def _selected(context: CommandContext, invocation: Invocation) -> list[Display]:
    """The displays that are numbered, all when none is. Raises UsageError, CommandError."""
    text = invocation.optional(0)
    if text is None:
        return list(context.displays.values())
    found = []
    for word in text.replace(",", " ").split():
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word, re.ASCII)
        if match is None:
            raise UsageError(f'"{word}" is not a display number.')
        first, last = int(match[1]), int(match[2] or match[1])
        inside = [each for each in context.displays.values() if first <= each.number <= last]
        if not inside:
            raise CommandError(f"No display number {word}.")
        found += inside
    return found


@builtin.command("info display", Category.STATUS, "List the expressions shown after every stop")
def info_display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [
        DisplayRow(each.number, each.expression, each.flags, (), each.enabled)
        for each in context.displays.values()
    ] or [Text("There are no auto-display expressions now.")]
