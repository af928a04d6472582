"""Expressions for commands: in the selected frame, with the value history and the user's names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zedbg.commands.errors import CommandError
from zedbg.engine.breakpoints import Condition
from zedbg.engine.frames import Frame, backtrace
from zedbg.engine.thread import HardwareThread
from zedbg.values import api
from zedbg.values.context import Missing, ThreadContext
from zedbg.values.errors import EvaluationError
from zedbg.values.formatting import FormatOptions, format_value
from zedbg.values.frame_context import FrameContext
from zedbg.values.value import LaneValues, Value
from zedbg.xe.registers import Register

if TYPE_CHECKING:
    from zedbg.commands.context import CommandContext

_USER_ASSIGNMENT = re.compile(r"\s*\$([A-Za-z_]\w*)\s*=(?!=)\s*(.+)", re.DOTALL)


def expression_context(context: CommandContext) -> ThreadContext:
    """What an expression sees: the selected frame of the focused thread."""
    return _frame_context(context.thread, context.frame)


def _frame_context(thread: HardwareThread, frame: Frame) -> ThreadContext:
    if frame.unwound is None:
        return thread
    return FrameContext(thread, frame.unwound)


def thread_context(thread: HardwareThread, level: int) -> ThreadContext:
    """What an expression sees in frame ``level`` of any stopped thread; EvaluationError when there
    is no such frame."""
    if level == 0:
        return thread
    frames = backtrace(thread, level + 1).frames
    if level >= len(frames):
        raise EvaluationError(f"Thread {thread.id} has no frame {level}.")
    return _frame_context(thread, frames[level])


def evaluate_lanes(
    context: CommandContext, text: str, lanes: list[int] | None = None
) -> LaneValues:
    """The value of ``text`` in ``lanes``, in the focused lane without; EvaluationError if none.

    ``$name = EXPRESSION`` keeps the value under a name of the user's.
    """
    within = expression_context(context)
    match = _USER_ASSIGNMENT.fullmatch(text)
    if match and Register.parse(match[1]) is None and match[1] not in ("pc", "ip"):
        values = api.evaluate(match[2], within, lanes)
        first = values.first
        if isinstance(first, Missing):
            raise CommandError(f"{match[2]} has no value: {first.reason}.")
        context.session.convenience_values[match[1]] = Value(first.type, first.data)
        return values
    return api.evaluate(text, within, lanes)


def evaluate(context: CommandContext, text: str) -> Value:
    """The value of ``text`` in the focused lane; CommandError when it has none."""
    value = evaluate_lanes(context, text).first
    if isinstance(value, Missing):
        raise CommandError(f"{text} has no value: {value.reason}.")
    return value


def remember(context: CommandContext, value: Value) -> int:
    """Puts a value into the history; its number N, as in ``$N``."""
    context.history.append(value)
    number = len(context.history)
    kept = Value(value.type, value.data)
    context.session.convenience_values |= {str(number): kept, "": kept}
    return number


def lane_condition(context: CommandContext, text: str) -> Condition:
    """A breakpoint condition: evaluated for all lanes of a thread at once.

    Where it cannot be told whether it holds, the breakpoint counts as hit; the user is told why.
    """
    parsed: dict[int, api.Expression] = {}

    def evaluate_condition(thread: HardwareThread, lanes: int) -> int:
        # Types belong to a module; the expression is read once for each.
        module = id(thread.module)
        try:
            if module not in parsed:
                parsed[module] = api.Expression(text, thread)
            result = parsed[module].condition(thread, lanes)
        except EvaluationError as error:
            context.tell(f"Error in testing condition {text!r}: {error}", warning=True)
            return lanes
        if result.unknown and result.reason is not None and not result.true:
            context.tell(f"Condition {text!r} cannot be told: {result.reason.reason}", warning=True)
        return result.true | result.unknown

    return evaluate_condition


def argument_list(context: CommandContext, thread: HardwareThread, level: int) -> str:
    """The arguments of a frame as location lines show them: ``n=64, scale=1.5``."""
    frames = backtrace(thread, level + 1).frames
    if level >= len(frames) or thread.debug_info is None:
        return ""
    within = _frame_context(thread, frames[level])
    if not thread.active_lanes and not thread.dispatch_lanes:
        return ""
    shown = []
    for each in api.variables(within, parameters=True):
        value = each.values.first
        text = "..." if isinstance(value, Value) and not value.is_scalar else None
        if text is None:
            text = format_value(value, FormatOptions())
            if text.startswith("(") and ") 0x" in text:
                text = text[text.rindex(") 0x") + 2 :]  # GDB leaves a pointer's type out here
        shown.append(f"{each.variable.name}={text}")
    return ", ".join(shown)
