"""Expressions for commands: in the selected frame, with the value history and the user's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.no_thread import NoThread
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.values import api
from zedbg.values.context import ThreadContext
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.formatting import FormatOptions, format_value
from zedbg.values.frame_context import FrameContext
from zedbg.values.value import LaneValues, Value

if TYPE_CHECKING:
    from zedbg.commands.framework.context import CommandContext


def expression_context(context: CommandContext) -> ThreadContext:
    """What an expression sees: the selected frame of the focused thread; without one constants and
    the user's names only."""
    session = context.session
    if session.focus is None and session.state is not SessionState.RUNNING:
        return NoThread(session)
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
    """The value of ``text`` in ``lanes``, in the focused lane without; EvaluationError if none."""
    within = expression_context(context)
    return api.evaluate(text, within, lanes)


def evaluate(context: CommandContext, text: str) -> Value:
    """The value of ``text`` in the focused lane; CommandError when it has none."""
    value = evaluate_lanes(context, text).first
    if isinstance(value, Missing):
        raise CommandError(f"{text} has no value: {value.reason}.")
    return value


def format_options(context: CommandContext, letter: str = "") -> FormatOptions:
    """How values are printed in the format ``letter``, as the settings say."""
    return FormatOptions(letter, context.settings.number("print elements"))


def remember(context: CommandContext, value: Value) -> int:
    """Puts a value into the history; its number N, as in ``$N``."""
    return context.session.variables.remember(value)


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
