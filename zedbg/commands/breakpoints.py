"""Commands about breakpoints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands import places
from zedbg.commands.context import CommandContext
from zedbg.commands.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.errors import CommandError, UsageError
from zedbg.commands.logpoints import Logpoint, split_log
from zedbg.commands.rows import BreakpointLocationRow, BreakpointRow, Nothing, Row
from zedbg.engine.breakpoints import Breakpoint
from zedbg.engine.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of, parse_threads

_LOCATION = Argument(
    "location",
    Kind.LOCATION,
    "LINE, FILE:LINE, FUNCTION, kernel GLOB or *ADDRESS, then [thread ID] [if CONDITION] "
    '[log "TEXT {EXPRESSION}"]; '
    "the current line without",
    optional=True,
    rest=True,
)
_NUMBERS = Argument(
    "numbers", Kind.BREAKPOINT, "breakpoint numbers; all without", optional=True, rest=True
)


def breakpoint_row(breakpoint_: Breakpoint) -> BreakpointRow:
    """A breakpoint as a row."""
    return BreakpointRow(
        breakpoint_.number,
        "dprintf" if breakpoint_.log is not None else "breakpoint",
        "del" if breakpoint_.temporary else "keep",
        breakpoint_.enabled,
        breakpoint_.text,
        breakpoint_.condition_text,
        breakpoint_.hits,
        breakpoint_.ignore_count,
        breakpoint_.pending,
        tuple(
            BreakpointLocationRow(
                place.address,
                place.code.kernel,
                place.code.function,
                places.short_file(place.code.file),
                place.code.line,
            )
            for place in breakpoint_.locations
        ),
        breakpoint_.note or None,
        breakpoint_.log_text,
    )


@builtin.command(
    "break",
    Category.BREAKPOINTS,
    "Stop where a kernel comes to a line, a function or an address",
    aliases=("b", "br"),
    arguments=(_LOCATION,),
    example="break vadd.cl:3 if i == 17",
    description="A place that no module has yet is kept until one brings it. The condition is "
    "evaluated for every active lane: the stop names the lanes where it is true. With a log it "
    "does not stop, but shows the text for the lanes that hit; an {EXPRESSION} in it is its value.",
)
def break_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _break(context, invocation, temporary=False)


@builtin.command(
    "tbreak",
    Category.BREAKPOINTS,
    "Like break, but the breakpoint is deleted when it is hit",
    aliases=("tb",),
    arguments=(_LOCATION,),
)
def tbreak_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _break(context, invocation, temporary=True)


@builtin.command(
    "catch launch",
    Category.BREAKPOINTS,
    "Stop once in every launch of a kernel, when its first thread starts",
    arguments=(
        Argument("kernel", Kind.KERNEL, "name or glob; every kernel without", optional=True),
    ),
    example="catch launch v*",
    description="The first thread is the first of work-group (0,0,0). It stops behind the kernel's "
    "prologue, where its arguments can be read.",
)
def catch_launch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    breakpoint_ = context.session.break_at(
        f"kernel {invocation.optional(0) or '*'}",
        condition_text="it is the first thread of the launch",
        condition=_starts_launch,
    )
    return [BreakpointSet.of(breakpoint_row(breakpoint_))]


def _starts_launch(thread: HardwareThread, lanes: int) -> int:
    return lanes if thread.workgroup == (0, 0, 0) and not thread.header.thread_in_group else 0


def _break(context: CommandContext, invocation: Invocation, *, temporary: bool) -> Sequence[Row]:
    text, log = split_log(invocation.optional(0) or "")
    where, thread, condition = _split(text)
    place: tuple[int, int] | None = None
    lane: int | None = None
    if thread is not None:
        place, lane = _one_thread(context, thread)
    if not where:
        where = f"*{context.frame.pc:#x}"
    elif where.isdecimal():
        where = f"{_current_file(context)}:{where}"
    compiled = None
    if condition is not None:
        from zedbg.commands.evaluation import lane_condition

        compiled = lane_condition(context, condition)
    breakpoint_ = context.session.break_at(
        where,
        temporary=temporary,
        condition_text=condition,
        condition=compiled,
        thread=place,
        lane=lane,
        log_text=log,
        log=Logpoint(context, log) if log is not None else None,
    )
    return [BreakpointSet.of(breakpoint_row(breakpoint_))]


class BreakpointSet(BreakpointRow):
    """A breakpoint just made: shown as GDB's confirmation, not as a table."""

    @classmethod
    def of(cls, row: BreakpointRow) -> BreakpointSet:
        """The same row, told as a confirmation."""
        return cls(**vars(row))


def _split(text: str) -> tuple[str, str | None, str | None]:
    """Parts ``vadd.cl:3 thread 1.2 if i > 3`` into place, thread and condition."""
    place, *condition = re.split(r"(?:^|\s+)if\s*(?=[\s(])", text, maxsplit=1)
    place, *thread = re.split(r"(?:^|\s+)thread\s+", place, maxsplit=1)
    if condition and not condition[0].strip():
        raise UsageError("A condition must follow the if.")
    return (
        place.strip(),
        thread[0].strip() if thread else None,
        condition[0].strip() if condition else None,
    )


def _one_thread(context: CommandContext, text: str) -> tuple[tuple[int, int], int | None]:
    patterns = parse_threads(text)
    if len(patterns) != 1 or not patterns[0].is_single:
        raise UsageError(f'"{text}" is not one thread, as in: thread 1.17 or thread 1.17:3')
    pattern = patterns[0]
    focus = context.session.focus
    device = pattern.device.first if pattern.device else 0
    number = pattern.thread.first if pattern.thread else 0
    if not device:
        device = focus.thread.device.number if focus else 1
    if not number:
        if focus is None:
            raise CommandError("No thread is selected.")
        number = focus.thread.number
    return (device, number), lanes_of(pattern.lanes)[0] if pattern.lanes else None


def _current_file(context: CommandContext) -> str:
    """The file that a line number alone means: where we are, else the only one there is."""
    focus = context.session.focus
    if focus is not None:
        file = context.frame.location.file
        if file:
            return file
    files = {
        source.path
        for device in context.session.devices
        for module in device.modules
        if module.debug_info is not None
        for source in module.debug_info.lines.files
    }
    if len(files) == 1:
        return files.pop()
    raise CommandError("Name the file, as in: break vadd.cl:3 (no source file is current).")


def _selected(context: CommandContext, invocation: Invocation) -> list[Breakpoint]:
    text = invocation.optional(0)
    if text is None:
        return list(context.session.breakpoints)
    found = []
    for word in re.split(r"[\s,]+", text.strip()):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if match is None:
            raise UsageError(f'Bad breakpoint number "{word}".')
        for number in range(int(match[1]), int(match[2] or match[1]) + 1):
            found.append(context.session.breakpoints.get(number))
    return found


@builtin.command(
    "delete",
    Category.BREAKPOINTS,
    "Delete breakpoints, all without numbers",
    aliases=("d",),
    arguments=(_NUMBERS,),
    example="delete 1 3-5",
)
def delete_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    selected = _selected(context, invocation)
    if (
        invocation.optional(0) is None
        and selected
        and not context.confirm("Delete all breakpoints?")
    ):
        raise CommandError("Not confirmed.")
    for breakpoint_ in selected:
        context.session.breakpoints.delete(breakpoint_)
    return []


@builtin.command(
    "enable", Category.BREAKPOINTS, "Enable breakpoints, all without numbers", arguments=(_NUMBERS,)
)
def enable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    for breakpoint_ in _selected(context, invocation):
        context.session.breakpoints.set_enabled(breakpoint_, True)
    return []


@builtin.command(
    "disable",
    Category.BREAKPOINTS,
    "Disable breakpoints, all without numbers",
    arguments=(_NUMBERS,),
)
def disable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    for breakpoint_ in _selected(context, invocation):
        context.session.breakpoints.set_enabled(breakpoint_, False)
    return []


@builtin.command(
    "ignore",
    Category.BREAKPOINTS,
    "Let the next hits of a breakpoint go by",
    arguments=(
        Argument("number", Kind.BREAKPOINT, "breakpoint number"),
        Argument("count", Kind.NUMBER, "how many hits"),
    ),
    example="ignore 1 10",
)
def ignore_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    number, count = invocation.text(0), invocation.text(1)
    if not number.isdecimal() or not count.isdecimal():
        raise UsageError("ignore takes two numbers, as in: ignore 1 10")
    breakpoint_ = context.session.breakpoints.get(int(number))
    breakpoint_.ignore_count = int(count)
    return [breakpoint_row(breakpoint_)]


@builtin.command(
    "info breakpoints",
    Category.STATUS,
    "List the breakpoints",
    aliases=("info b",),
)
def info_breakpoints_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = [breakpoint_row(each) for each in context.session.breakpoints]
    return rows or [Nothing("No breakpoints.")]
