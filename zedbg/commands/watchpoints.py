"""Watching values: the watch command."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def _in_python(_context: CommandContext, invocation: Invocation) -> str:
    match = _parts(invocation)
    given = [quoted(match["expression"])]
    if match["location"]:
        given.append("location=True")
    if match["condition"]:
        given.append(f"condition={quoted(match['condition'])}")
    return called("session.breakpoints.add_watch", given)


@builtin.command(
    "watch",
    Category.BREAKPOINTS,
    "Stop when a value changes in the focused thread (slow: it steps the thread)",
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
    python=_in_python,
    description="While there are watchpoints, continue steps only their threads, one instruction "
    "each in turn, and compares the value in every active lane after each step. The stop shows the "
    "old and the new value. A watchpoint lasts until its thread ends. At a barrier the rest of the "
    "work-group runs, too: a change made there is reported late.",
)
def watch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    match = _parts(invocation)
    watchpoint = context.session.breakpoints.watch(
        match["expression"],
        context.focus,
        location=match["location"] is not None,
        condition=match["condition"],
        within=expression_context(context),
    )
    row = BreakpointSet.of(breakpoint_row(watchpoint))
    return [row if row.note else replace(row, note=_how(context))]


def _how(context: CommandContext) -> str:
    """How changes are found."""
    stepping = f"It is watched by stepping thread {context.thread.id}: continue is slow."
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
