"""Expressions that are shown after every stop."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe.display_row import display_row
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
    "display/3i $pc. Without an expression it shows all displays.",
)
def display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        return [display_row(context, each) for each in context.displays.values()]
    number = context.next_display
    display = Display(number, text, invocation.flags)
    context.next_display += 1
    context.displays[number] = display
    return [display_row(context, display)] if context.session.focus is not None else []


@builtin.command(
    "undisplay",
    Category.DATA,
    "Stop showing all or some displays",
    aliases=("delete display",),
    arguments=(
        Argument("numbers", Kind.NUMBER, "display numbers; default: all", optional=True, rest=True),
    ),
    repeats=Repeat.NO,
)
def undisplay_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        context.displays.clear()
        return []
    for word in text.replace(",", " ").split():
        if not word.isdecimal():
            raise UsageError(f'"{word}" is not a display number.')
        if context.displays.pop(int(word), None) is None:
            raise CommandError(f"No display number {word}.")
    return []


@builtin.command("info display", Category.STATUS, "List the expressions shown after every stop")
def info_display_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [
        DisplayRow(each.number, each.expression, each.flags, ())
        for each in context.displays.values()
    ] or [Text("There are no auto-display expressions now.")]
