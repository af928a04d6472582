"""Watching values and memory: watch, rwatch, awatch."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

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
from zedbg.engine.breakpoints.watch import Watch, WatchAccess

_MEMORY = Argument(
    "expression",
    Kind.EXPRESSION,
    "[-l] EXPRESSION [if CONDITION]: the memory that the expression names in the focused lane now",
    rest=True,
)


def _in_python(access: WatchAccess) -> Callable[[CommandContext, Invocation], str]:
    def text(_context: CommandContext, invocation: Invocation) -> str:
        match = _parts(invocation)
        given = [quoted(match["expression"])]
        if match["location"]:
            given.append("location=True")
        if access is not WatchAccess.WRITE:
            given.append(f"access={quoted(access.value)}")
        if match["condition"]:
            given.append(f"condition={quoted(match['condition'])}")
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
            "[-l] EXPRESSION [if CONDITION]; -l: watch the memory that the expression names in "
            "the focused lane now",
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="watch -l out[i]",
    python=_in_python(WatchAccess.WRITE),
    description="With -l the driver watches, where it can (the simulated GPU does): a thread "
    "stops after an instruction that changes the memory. The stop shows the old and the new value "
    "and the lanes that wrote. Such a watchpoint lasts until it is deleted or the program ends. "
    "Without -l, or where the driver cannot watch, continue steps only the threads of watchpoints, "
    "one instruction each in turn, and compares the value in every active lane after each step, "
    "which is slow. Such a watchpoint lasts until its thread ends. At a barrier the rest of the "
    "work-group runs, too: a change made there is reported late. "
    "A range of bytes is watch -l *(char (*)[SIZE])ADDRESS.",
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
    match = _parts(invocation)
    watchpoint = context.session.breakpoints.watch(
        match["expression"],
        context.focus,
        location=match["location"] is not None,
        access=access,
        condition=match["condition"],
        within=expression_context(context),
    )
    assert watchpoint.watch is not None
    row = BreakpointSet.of(breakpoint_row(watchpoint))
    return [row if row.note else replace(row, note=_how(context, watchpoint.watch))]


def _how(context: CommandContext, watch: Watch) -> str | None:
    """How changes are found, where the driver does not do it."""
    if watch.by_driver:
        return None
    stepping = f"It is watched by stepping thread {context.thread.id}: continue is slow."
    if watch.sample.place is not None:
        stepping = f"The driver cannot watch memory. {stepping}"
    if not context.session.time.offered_by(context.session.time.device()):
        return stepping
    return f"{stepping} In the past, the recording is searched."


def _parts(invocation: Invocation) -> re.Match[str]:
    """What is watched, whether its memory is, and the condition."""
    match = re.fullmatch(
        r"(?P<location>(?:-l|-location)\s+)?(?P<expression>.+?)(?:\s+if\s+(?P<condition>.+))?",
        invocation.text(0).strip(),
    )
    if match is None:
        raise UsageError("watch needs an expression.")
    return match
