"""Watching values: the watch command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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
from zedbg.commands.framework.evaluation import evaluate, expression_context, lane_condition
from zedbg.commands.rows.breakpoint_rows import BreakpointSet, breakpoint_row
from zedbg.commands.rows.row import Row
from zedbg.engine.breakpoints.watch import Watch
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values import api
from zedbg.values.context import MemorySpace
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.formatting import format_value
from zedbg.values.homes import MemoryHome
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

if TYPE_CHECKING:
    from zedbg.dwarf import DebugInfo
    from zedbg.engine.threads.thread import HardwareThread


@builtin.command(
    "watch",
    Category.BREAKPOINTS,
    "Stop when a value changes in the focused thread (slow: by stepping)",
    arguments=(
        Argument(
            "expression",
            Kind.EXPRESSION,
            "[-l] EXPRESSION [if CONDITION]; -l: the memory that it names in the focused lane now, "
            "whatever its variables become",
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="watch -l out[i]",
    description="While there are watchpoints, continue lets only their threads go on, by one "
    "instruction in turn, and looks at the value in each active lane after each. It tells the old "
    "and the new value, and lasts until the thread ends. At a barrier the rest of the work-group "
    "runs, too: what changes there is told late.",
)
def watch_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    match = re.fullmatch(
        r"(?P<location>(?:-l|-location)\s+)?(?P<expression>.+?)(?:\s+if\s+(?P<condition>.+))?",
        invocation.text(0).strip(),
    )
    if match is None:
        raise UsageError("watch needs an expression.")
    text = match["expression"]
    focus = context.focus
    lane = focus.lane if match["location"] else None
    if lane is None:
        sample = _ExpressionSample(context, text)
        watch = Watch(focus.thread, sample)
    else:
        watch = Watch(focus.thread, _LocationSample(context, text, lane))
    condition = match["condition"]
    watchpoint = context.session.breakpoints.add_watch(
        f"-location {text}" if lane is not None else text,
        watch,
        condition_text=condition,
        condition=lane_condition(context, condition) if condition else None,
        lane=lane,
    )
    return [BreakpointSet.of(breakpoint_row(watchpoint))]


class _ExpressionSample:
    """The value of an expression in each active lane, where its variables are in scope."""

    def __init__(self, context: CommandContext, text: str) -> None:
        within = expression_context(context)
        self._expression = api.Expression(text, within)
        if self._expression.assigns:
            raise CommandError("watch does not assign.")
        self._info: DebugInfo | None = within.debug_info
        self._function = self._function_of(context.thread)
        self._expression.evaluate(within)  # what is wrong with it is said now

    def _function_of(self, thread: HardwareThread) -> object:
        return None if self._info is None else self._info.function_at(thread.pc)

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        """In a called function the expression means nothing, or something else."""
        if thread.debug_info is not self._info or self._function_of(thread) is not self._function:
            return {}
        try:
            found = self._expression.evaluate(thread, lanes_of(thread.active_lanes))
        except (EvaluationError, LevelZeroError):
            return {}
        return {lane: format_value(value) for lane, value in found if isinstance(value, Value)}


class _LocationSample:
    """What memory holds at the place that an expression named when it was set."""

    def __init__(self, context: CommandContext, text: str, lane: int) -> None:
        value = evaluate(context, text)
        if not isinstance(value.home, MemoryHome):
            raise CommandError(f"{text} is not in memory: watch it without -l.")
        self._type, self._lane = value.type, lane
        self._space: MemorySpace = value.home.space
        self._address = value.home.address

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        try:
            data = thread.read_memory(self._space, self._address, self._type.size)
        except LevelZeroError:
            return {}
        return {self._lane: format_value(Value(self._type, data))}
