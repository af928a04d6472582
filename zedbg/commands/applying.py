"""Running a command for many threads or frames: thread apply, frame apply and their short forms."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence

from zedbg.commands.describe import places
from zedbg.commands.framework.command_errors import CommandError, PartialResult, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.regular_expressions import regular_expression
from zedbg.commands.rows.applied_rows import AppliedFrame, AppliedThread
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.user_error import UserError
from zedbg.xe.coordinates import parse_threads
from zedbg.xe.registers import RegisterKind

_FLAGS = re.compile(r"-(q|c|s|ascending)(?:\s+|$)|--\s+")
_DESCRIPTION = (
    "-q shows no headers; -c goes on after an error and shows it, -s goes on and shows nothing "
    "where there is one."
)

_READ_TOGETHER = 256  # threads whose registers are read ahead: a megabyte


class _Flags:
    """``-q -c -s -ascending`` in front of a command."""

    def __init__(self, text: str) -> None:
        self.given: set[str] = set()
        while (match := _FLAGS.match(text)) is not None:
            text = text[match.end() :]
            if match[1] is None:
                break
            self.given.add(match[1])
        self.command = text.strip()
        if not self.command:
            raise UsageError("Please specify a command at the end of the line.")
        if {"c", "s"} <= self.given:
            raise UsageError("-c and -s contradict each other.")


def _results(context: CommandContext, flags: _Flags) -> Sequence[Row] | None:
    """What the command gives here; None where -s leaves it out. Raises UserError."""
    try:
        rows = context.execute(flags.command)
    except (UserError, LevelZeroError) as error:
        if "s" in flags.given:
            return None
        if "c" not in flags.given:
            raise
        rows = [Text(context.explain_error(error))]
    return None if "s" in flags.given and not rows else rows


@contextlib.contextmanager
def _focus_kept(context: CommandContext) -> Iterator[None]:
    """Afterwards thread, lane and frame are what they were, if that thread is still stopped."""
    before, level = context.session.selected, context.frame_level
    try:
        yield
    finally:
        if before is not None:
            with contextlib.suppress(EngineError, LevelZeroError):
                context.session.select(before.thread, before.lane)
                context.frame_level = level


@builtin.command(
    "thread apply",
    Category.FOCUS,
    "Run a command for several threads",
    arguments=(
        Argument(
            "threads",
            Kind.THREAD,
            "all, or a thread list as in 1.1-8; then [-q] [-c] [-s] COMMAND",
            rest=True,
        ),
    ),
    requires=Requirement.PROCESS,
    example="thread apply 1.1-4 print i",
    description=f"The focus is the same afterwards. {_DESCRIPTION} all begins with the last "
    "thread, -ascending with the first. stacks shows the call stacks of all, equal ones together.",
)
def thread_apply_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    words = invocation.text(0)
    match = re.match(r"(all\b|[\d.*:,\s-]*[\d*](?=\s))\s*", words)
    if match is None:
        raise UsageError("thread apply needs all or a thread list, as in: thread apply all bt")
    flags = _Flags(words[match.end() :])
    return _applied_to_threads(context, _threads(context, match[1].strip(), flags), flags)


def _threads(context: CommandContext, text: str, flags: _Flags) -> list[HardwareThread]:
    threads = context.session.stopped_threads()
    if text == "all":
        return threads if "ascending" in flags.given else threads[::-1]
    focus = context.session.focus
    place = (focus.thread.device.number, focus.thread.number) if focus else None
    patterns = [pattern for word in re.split(r"[\s,]+", text) for pattern in parse_threads(word)]
    return [
        thread
        for pattern in patterns
        for thread in threads
        if pattern.matches(thread.device.number, thread.number, place)
    ]


def _reads_values(thread: HardwareThread) -> bool:
    """Whether the command that was carried out there read its general registers."""
    return thread.is_stopped and not thread.lacks(RegisterKind.GRF)


def _read_ahead(context: CommandContext, threads: Sequence[HardwareThread]) -> None:
    """Reads what the command will ask of the next threads as well, all of it together."""
    for device in context.session.devices:
        at_rest = (each for each in threads if each.device is device and each.is_at_rest)
        read_general_registers(device, at_rest)


def _applied_to_threads(
    context: CommandContext, threads: Sequence[HardwareThread], flags: _Flags
) -> Sequence[Row]:
    rows: list[Row] = []
    with contextlib.ExitStack() as around:
        around.enter_context(_focus_kept(context))
        for device in context.session.devices:
            around.enter_context(device.reading_ahead())
        for position, thread in enumerate(threads):
            if not thread.is_at_rest:
                continue
            if position % _READ_TOGETHER == 1 and _reads_values(threads[position - 1]):
                _read_ahead(context, threads[position : position + _READ_TOGETHER])
            context.session.select(thread)
            context.frame_level = 0
            name = context.thread_names.get(thread.order)
            try:
                found = _results(context, flags)
            except (UserError, LevelZeroError) as error:
                raise PartialResult(rows, context.explain_error(error)) from None
            if found is not None:
                applied = AppliedThread(thread.id, thread.name, name, tuple(found))
                rows += found if "q" in flags.given else [applied]
    return rows


@builtin.command(
    "taas",
    Category.FOCUS,
    "Run a command for all threads; errors and empty output are left out",
    arguments=(Argument("command", Kind.COMMAND, "command", rest=True),),
    requires=Requirement.PROCESS,
    example="taas print i",
    description="It is thread apply all -s COMMAND.",
)
def taas_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return context.execute(f"thread apply all -s {invocation.text(0)}")


@builtin.command(
    "tfaas",
    Category.FOCUS,
    "Run a command for all frames of all threads; errors and empty output are left out",
    arguments=(Argument("command", Kind.COMMAND, "command", rest=True),),
    requires=Requirement.PROCESS,
    example="tfaas print r",
    description="It is thread apply all -s -- frame apply all -s COMMAND.",
)
def tfaas_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return context.execute(f"thread apply all -s -- frame apply all -s {invocation.text(0)}")


@builtin.command(
    "frame apply",
    Category.STACK,
    "Run a command in several frames of the focused thread",
    arguments=(
        Argument(
            "frames",
            Kind.TEXT,
            "all, COUNT (the innermost), -COUNT (the outermost) or level LEVEL...; then [-q] [-c] "
            "[-s] COMMAND",
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="frame apply all info locals",
    description=_DESCRIPTION,
)
def frame_apply_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0)
    match = re.match(r"(all|-?\d+|level(?:\s+\d+(?:-\d+)?)+)(?=\s)\s*", text)
    if match is None:
        raise UsageError("frame apply needs all, COUNT or level LEVEL, as in: frame apply all p i")
    flags = _Flags(text[match.end() :])
    frames = _frames(context, match[1])
    rows: list[Row] = []
    with _focus_kept(context):
        for frame in frames:
            context.frame_level = frame.level
            row = places.frame_row(context, context.thread, frame.location, frame.level)
            try:
                found = _results(context, flags)
            except (UserError, LevelZeroError) as error:
                raise PartialResult(rows, context.explain_error(error)) from None
            if found is not None:
                rows += found if "q" in flags.given else [AppliedFrame(row, tuple(found))]
    return rows


def _frames(context: CommandContext, text: str) -> list[Frame]:
    frames = list(backtrace(context.thread).frames)
    if text == "all":
        return frames
    if text.startswith("level"):
        wanted: list[int] = []
        for word in text.split()[1:]:
            first, _, last = word.partition("-")
            wanted += range(int(first), min(int(last or first), len(frames)) + 1)
        missing = [level for level in wanted if level >= len(frames)]
        if missing:
            raise CommandError(f"No frame at level {missing[0]}.")
        return [frames[level] for level in wanted]
    count = int(text)
    return frames[:count] if count >= 0 else frames[count:]


@builtin.command(
    "faas",
    Category.STACK,
    "Run a command in all frames; errors and empty output are left out",
    arguments=(Argument("command", Kind.COMMAND, "command", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="faas print r",
    description="It is frame apply all -s COMMAND.",
)
def faas_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return context.execute(f"frame apply all -s {invocation.text(0)}")


@builtin.command(
    "thread name",
    Category.FOCUS,
    "Give the focused thread a name of your own, or take it away",
    arguments=(Argument("name", Kind.TEXT, "default: none any more", optional=True, rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="thread name the slow one",
)
def thread_name_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    key = context.thread.device.number, context.thread.number
    name = invocation.optional(0)
    if name is None:
        context.thread_names.pop(key, None)
    else:
        context.thread_names[key] = name
    return []


@builtin.command(
    "thread find",
    Category.FOCUS,
    "List the stopped threads whose id, name or kernel has a pattern",
    arguments=(Argument("pattern", Kind.TEXT, "regular expression", rest=True),),
    requires=Requirement.PROCESS,
    example="thread find vadd",
)
def thread_find_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = regular_expression(invocation.text(0))
    rows: list[Row] = []
    for thread in context.session.stopped_threads():
        name = context.thread_names.get(thread.order)
        for what, text in (
            ("name", name),
            ("target id", thread.name),
            ("kernel", thread.kernel_name),
        ):
            if text is not None and pattern.search(text):
                rows.append(Text(f"Thread {thread.id} has {what} '{text}'"))
    return rows or [Text(f"No threads match '{invocation.text(0)}'")]
