"""Watching values and memory: watch, rwatch, awatch."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zedbg.commands.breakpoints import work_coordinates
from zedbg.commands.describe.breakpoint_rows import BreakpointSet, breakpoint_row
from zedbg.commands.framework.command_errors import UsageError
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
from zedbg.commands.framework.python_calls import called, quoted
from zedbg.commands.rows.row import Row
from zedbg.engine.breakpoints.watch import LocationSample, Watch, WatchAccess
from zedbg.engine.threads.focus import Focus
from zedbg.xe.coordinates import lanes_of, parse_lanes

_MEMORY = Argument(
    "expression",
    Kind.EXPRESSION,
    "[-l] [-lane N|-workitem X,Y,Z] EXPRESSION [if CONDITION]: the memory that the expression "
    "names in the focused lane now; -lane, -workitem: only what that lane or work-item does",
    rest=True,
)


def _in_python(access: WatchAccess) -> Callable[[CommandContext, Invocation], str]:
    def text(_context: CommandContext, invocation: Invocation) -> str:
        asked = _parts(invocation)
        given = [quoted(asked.expression)]
        if asked.location:
            given.append("location=True")
        if access is not WatchAccess.WRITE:
            given.append(f"access={quoted(access.value)}")
        if asked.condition:
            given.append(f"condition={quoted(asked.condition)}")
        if asked.lane is not None:
            given.append(f"lane={asked.lane}")
        if asked.work_item is not None:
            given.append(f"work_item={asked.work_item}")
        return called("session.breakpoints.add_watch", given)

    return text


@builtin.command(
    "watch",
    Category.BREAKPOINTS,
    "Stop when a value changes in the focused thread, or with -l when any thread changes memory",
    arguments=(
        Argument(
            "expression",
            Kind.EXPRESSION,
            "[-l] [-lane N|-workitem X,Y,Z] EXPRESSION [if CONDITION]; -l: watch the memory that "
            "the expression names in the focused lane now; -lane, -workitem: only in that lane, or "
            "for that work-item",
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="watch -l out[i]",
    python=_in_python(WatchAccess.WRITE),
    description="The value is that of the expression in each lane of the focused thread, wherever "
    "it lies: memory, registers ($r10, $r10.f[3], $f0), or variables that move. The watchpoint "
    "ends with the frame, or the thread's work. With -l it is the memory that the expression names "
    "in the focused lane now, whichever thread changes it; it lasts until it is deleted or the "
    "program ends. A range of bytes is watch -l *(char (*)[SIZE])ADDRESS, in shared local memory "
    "*@slm(char (*)[SIZE])OFFSET. "
    "Where the driver can watch (the simulated GPU's does), a thread stops after the instruction "
    "that changed it. The stop shows the old and the new value and the lanes that wrote. Where it "
    "cannot, and for what depends on more than registers and memory, such as $pc, continue steps "
    "only the threads of watchpoints, one instruction each in turn, and compares, which is slow. "
    "What other threads write is not seen: they stay stopped. At a barrier the rest of the "
    "work-group runs, too: a change made there is reported late, as if the focused lane had made "
    "it.",
)
def watch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _watch(context, invocation, WatchAccess.WRITE)


@builtin.command(
    "rwatch",
    Category.BREAKPOINTS,
    "Stop when any thread reads memory",
    arguments=(_MEMORY,),
    requires=Requirement.STOPPED_THREAD,
    example="rwatch in[i]",
    python=_in_python(WatchAccess.READ),
    description="The driver has to offer it: the simulated GPU does. A thread stops after an "
    "instruction that reads a byte of the memory; atomic operations read, too.",
)
def rwatch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _watch(context, invocation, WatchAccess.READ)


@builtin.command(
    "awatch",
    Category.BREAKPOINTS,
    "Stop when any thread reads or writes memory",
    arguments=(_MEMORY,),
    requires=Requirement.STOPPED_THREAD,
    example="awatch out[i]",
    python=_in_python(WatchAccess.ACCESS),
    description="As rwatch, and also for writes, those too that leave the value as it was.",
)
def awatch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _watch(context, invocation, WatchAccess.ACCESS)


def _watch(context: CommandContext, invocation: Invocation, access: WatchAccess) -> Sequence[Row]:
    asked = _parts(invocation)
    focus, within = context.focus, expression_context(context)
    if asked.work_item is not None:
        item = context.session.find_work_item(asked.work_item)
        if item.thread is not focus.thread:
            within = item.thread
        focus = Focus(item.thread, item.lane)
    elif asked.lane is not None and not focus.thread.dispatch_lanes >> asked.lane & 1:
        raise UsageError(f"Thread {focus.thread.id} has no work-item in lane {asked.lane}.")
    watchpoint = context.session.breakpoints.watch(
        asked.expression,
        focus,
        location=asked.location,
        access=access,
        condition=asked.condition,
        within=within,
        lane=asked.lane,
        alone=asked.work_item is not None,
    )
    assert watchpoint.watch is not None
    row = BreakpointSet.of(breakpoint_row(watchpoint))
    said = (_doubt(watchpoint.watch), row.note or _how(context, watchpoint.watch))
    return [replace(row, note=" ".join(filter(None, said)) or None)]


def _how(context: CommandContext, watch: Watch) -> str | None:
    """How changes are found, where the driver does not do it."""
    if watch.by_driver:
        return None
    stepping = (
        f"It is watched by stepping thread {watch.thread.id}: continue is slow, and what other "
        "threads write is not seen."
    )
    if watch.thread.device.debug.watches is None:
        stepping = f"The driver cannot watch memory or registers. {stepping}"
    if not context.session.time.offered_by(context.session.time.device()):
        return stepping
    return f"{stepping} In the past, the recording is searched."


def _doubt(watch: Watch) -> str | None:
    """Why the memory that is watched may not be what was meant."""
    if not isinstance(watch.sample, LocationSample) or watch.sample.doubt is None:
        return None
    return f"The place is doubtful: {watch.sample.doubt}."


@dataclass(frozen=True)
class _Asked:
    """What a command was given: ``location``: the memory that the expression names; ``lane``,
    ``work_item``: whose value, or accesses."""

    expression: str
    location: bool
    lane: int | None
    work_item: tuple[int, int, int] | None
    condition: str | None


def _parts(invocation: Invocation) -> _Asked:
    match = re.fullmatch(
        r"(?P<options>(?:(?:-l|-location|-lane\s+\S+|-workitem\s+\S+)\s+)*)"
        r"(?P<expression>.+?)(?:\s+if\s+(?P<condition>.+))?",
        invocation.text(0).strip(),
    )
    if match is None:
        raise UsageError("watch needs an expression.")
    words = match["options"].split()
    lane, item = _after(words, "-lane"), _after(words, "-workitem")
    if lane is not None and item is not None:
        raise UsageError("A work-item is one lane: give -lane or -workitem.")
    lanes = () if lane is None else lanes_of(parse_lanes(lane))
    if lane is not None and len(lanes) != 1:
        raise UsageError(f'"{lane}" is not one lane.')
    return _Asked(
        match["expression"],
        "-l" in words or "-location" in words,
        lanes[0] if lanes else None,
        None if item is None else work_coordinates(item, "workitem"),
        match["condition"],
    )


def _after(words: Sequence[str], option: str) -> str | None:
    return words[words.index(option) + 1] if option in words else None
