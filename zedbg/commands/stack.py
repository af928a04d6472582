"""Commands about call frames."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands import places
from zedbg.commands.context import CommandContext
from zedbg.commands.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.errors import CommandError, UsageError
from zedbg.commands.rows import Row, Text
from zedbg.engine.frames import backtrace

_COUNT = Argument("count", Kind.NUMBER, "how many frames", optional=True)


def _number(invocation: Invocation, default: int) -> int:
    text = invocation.optional(0)
    if text is None:
        return default
    if not text.isdecimal():
        raise UsageError(f'"{text}" is not a number.')
    return int(text)


@builtin.command(
    "backtrace",
    Category.STACK,
    "Show the call frames of the focused thread, innermost first",
    aliases=("bt", "where", "info stack"),
    arguments=(_COUNT,),
    requires=Requirement.STOPPED_THREAD,
)
def backtrace_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    limit = _number(invocation, 1000)
    chain = backtrace(context.thread, limit)
    rows: list[Row] = [
        places.frame_row(context, context.thread, frame.location, frame.level)
        for frame in chain.frames[:limit]
    ]
    if chain.stopped is not None:
        rows.append(Text(f"Backtrace stopped: {chain.stopped.reason}"))
    return rows


def _select(context: CommandContext, level: int) -> Sequence[Row]:
    frames = backtrace(context.thread).frames
    if level < 0:
        raise CommandError("Bottom (innermost) frame selected; you cannot go down.")
    if level >= len(frames):
        raise CommandError(
            "Initial frame selected; you cannot go up."
            if level == len(frames)
            else f"No frame at level {level}."
        )
    context.frame_level = level
    frame = frames[level]
    row = places.frame_row(context, context.thread, frame.location, level)
    source = places.source_row(context, context.thread, frame.location)
    return [row, *([source] if source else [])]


@builtin.command(
    "frame",
    Category.STACK,
    "Show or select a call frame",
    aliases=("f",),
    arguments=(Argument("level", Kind.NUMBER, "frame number, 0 is the innermost", optional=True),),
    requires=Requirement.STOPPED_THREAD,
)
def frame_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, _number(invocation, context.frame_level))


@builtin.command(
    "up",
    Category.STACK,
    "Select the frame that called this one",
    arguments=(_COUNT,),
    requires=Requirement.STOPPED_THREAD,
    repeats=True,
)
def up_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, context.frame_level + _number(invocation, 1))


@builtin.command(
    "down",
    Category.STACK,
    "Select the frame that this one called",
    arguments=(_COUNT,),
    requires=Requirement.STOPPED_THREAD,
    repeats=True,
)
def down_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, context.frame_level - _number(invocation, 1))
