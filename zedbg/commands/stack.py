"""Commands about call frames."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.rows.session_rows import FrameInfoRow
from zedbg.dwarf.frames.unwind import frame_address
from zedbg.engine.threads.frames import backtrace
from zedbg.missing import Missing
from zedbg.xe.coordinates import lanes_of

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
    shown = [
        (frame, places.frame_row(context, context.thread, frame.location, frame.level))
        for frame in chain.frames[:limit]
    ]
    for change in context.hooks.frames:
        shown = change(shown)
    rows: list[Row] = [row for _, row in shown]
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
)
def up_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, context.frame_level + _number(invocation, 1))


@builtin.command(
    "down",
    Category.STACK,
    "Select the frame that this one called",
    arguments=(_COUNT,),
    requires=Requirement.STOPPED_THREAD,
)
def down_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, context.frame_level - _number(invocation, 1))


@builtin.command(
    "info frame",
    Category.STATUS,
    "Show the selected frame in detail: its place, its lanes, its caller",
    aliases=("info f",),
    requires=Requirement.STOPPED_THREAD,
)
def info_frame_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    chain = backtrace(context.thread)
    frame = context.frame
    location, unwound, info = frame.location, frame.unwound, context.thread.debug_info
    outer = chain.frames[frame.level + 1 :]
    caller = outer[0] if outer else None
    kernel_frame = Missing("it is the kernel's own frame: nothing called it")
    called_from: int | Missing = chain.stopped or kernel_frame
    saved: tuple[str, ...] = ()
    if caller is not None:
        called_from = caller.pc
        if unwound is not None and caller.unwound is not None and not unwound.is_inlined:
            new = set(caller.unwound.state.saved) - set(unwound.state.saved)
            saved = tuple(each.name for each in sorted(new, key=lambda one: one.index))
    lanes = expression_context(context).active_lanes
    address: int | Missing = Missing("no debug info: compile with -g")
    if info is not None and unwound is not None:
        address = frame_address(info, unwound.state)
    row = FrameInfoRow(
        level=frame.level,
        pc=frame.pc,
        function=location.function,
        kernel=location.kernel,
        file=places.short_file(location.file),
        line=location.line,
        inlined=unwound is not None and unwound.is_inlined,
        lanes=tuple(lanes_of(lanes)),
        address=address,
        caller=caller.location.function if caller is not None else None,
        caller_pc=called_from,
        saved=saved,
    )
    return [row]
