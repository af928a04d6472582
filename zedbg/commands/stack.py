"""Commands about call frames."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.frame_variables import frame_variables
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
from zedbg.commands.rows.applied_rows import FullFrame
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.rows.session_rows import FrameInfoRow, FrameRow
from zedbg.dwarf.frames.unwind import frame_address
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.missing import Missing
from zedbg.xe.coordinates import lanes_of

_MOST_FRAMES = 1000
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
    aliases=("bt", "where", "info stack", "info s"),
    arguments=(
        Argument(
            "count",
            Kind.NUMBER,
            "[full] [COUNT]: the innermost ones, -COUNT: the outermost ones; full: with their "
            "variables",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="bt full 2",
    description="set backtrace limit shows fewer in any case.",
    python="list({thread}.frames)",
)
def backtrace_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    words = (invocation.optional(0) or "").split()
    full = [word for word in words if word.lstrip("-") == "full"]
    numbers = [word for word in words if word not in full]
    count = None
    if numbers:
        if len(numbers) > 1 or not re.fullmatch(r"-?\d{1,9}", numbers[0]):
            raise UsageError(f'backtrace takes [full] [COUNT], not "{" ".join(words)}".')
        count = int(numbers[0])
    most = context.settings.number("backtrace limit") or _MOST_FRAMES
    wanted = most if count is None or count < 0 else min(count, most)
    chain = backtrace(context.thread, wanted + 1)
    shown = [
        (frame, places.frame_row(context, context.thread, frame.location, frame.level))
        for frame in chain.frames[:wanted]
    ]
    for change in context.hooks.frames:
        shown = change(shown)
    if count is not None and count < 0:
        shown = shown[count:]
    rows: list[Row] = [_full(context, *each) if full else each[1] for each in shown]
    if len(chain.frames) > wanted:
        rows.append(Text("(More stack frames follow...)"))
    elif chain.stopped is not None:
        rows.append(Text(f"Backtrace stopped: {chain.stopped.reason}"))
    return rows


def _full(context: CommandContext, frame: Frame, row: FrameRow) -> FullFrame:
    """A frame with its variables."""
    before, context.frame_level = context.frame_level, frame.level
    try:
        return FullFrame(row, tuple(frame_variables(context, parameters=False)))
    finally:
        context.frame_level = before


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


_LEVEL = Argument(
    "level", Kind.NUMBER, "frame number, 0 is the innermost, or a function", optional=True
)


@builtin.command(
    "frame",
    Category.STACK,
    "Show or select a call frame",
    aliases=("f",),
    arguments=(_LEVEL,),
    requires=Requirement.STOPPED_THREAD,
)
def frame_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, _number(invocation, context.frame_level))


@builtin.command(
    "frame level",
    Category.STACK,
    "Select a call frame by its number",
    arguments=(Argument("level", Kind.NUMBER, "0 is the innermost"),),
    requires=Requirement.STOPPED_THREAD,
)
def frame_level_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _select(context, _number(invocation, 0))


@builtin.command(
    "frame function",
    Category.STACK,
    "Select the innermost call frame of a function",
    arguments=(Argument("name", Kind.TEXT, "its name", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="frame function blur",
)
def frame_function_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.text(0).strip()
    for frame in backtrace(context.thread).frames:
        if frame.location.function == name:
            return _select(context, frame.level)
    raise CommandError(f'No frame for function "{name}".')


@builtin.command(
    "select-frame",
    Category.STACK,
    "Select a call frame without showing it",
    arguments=(_LEVEL,),
    requires=Requirement.STOPPED_THREAD,
)
def select_frame_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _select(context, _number(invocation, context.frame_level))
    return []


def _moves(name: str, summary: str, sign: int, aliases: tuple[str, ...] = ()) -> None:
    """Declares ``up`` or ``down``, and the form that shows nothing."""

    def move(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        level = context.frame_level + sign * _number(invocation, 1)
        last = len(backtrace(context.thread).frames) - 1
        inside = 0 <= context.frame_level + sign <= last  # one step at least can be made
        return _select(context, min(max(level, 0), last) if inside else min(level, last + 1))

    def move_silently(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        move(context, invocation)
        return []

    needs = Requirement.STOPPED_THREAD
    builtin.command(
        name, Category.STACK, summary, aliases=aliases, arguments=(_COUNT,), requires=needs
    )(move)
    builtin.command(
        f"{name}-silently",
        Category.STACK,
        f"{summary}, and show nothing",
        arguments=(_COUNT,),
        requires=needs,
    )(move_silently)


_moves("up", "Select the frame that called this one", 1)
_moves("down", "Select the frame that this one called", -1, ("dow",))


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
    address: int | Missing = Missing(f"no debug info: {context.thread.debug_info_advice}")
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
