"""Watching values: the watch command."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
from zedbg.commands.rows.row import Row


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
    description="While there are watchpoints, continue steps only their threads, one instruction "
    "each in turn, and compares the value in every active lane after each step. The stop shows the "
    "old and the new value. A watchpoint lasts until its thread ends. At a barrier the rest of the "
    "work-group runs, too: a change made there is reported late.",
)
def watch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    match = re.fullmatch(
        r"(?P<location>(?:-l|-location)\s+)?(?P<expression>.+?)(?:\s+if\s+(?P<condition>.+))?",
        invocation.text(0).strip(),
    )
    if match is None:
        raise UsageError("watch needs an expression.")
    watchpoint = context.session.breakpoints.watch(
        match["expression"],
        context.focus,
        location=match["location"] is not None,
        condition=match["condition"],
        within=expression_context(context),
    )
    return [BreakpointSet.of(breakpoint_row(watchpoint))]
