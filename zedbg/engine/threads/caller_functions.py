"""``$_caller_is("f")`` and its like, which ask for the functions that called, as in GDB."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zedbg.engine.ground.variables import Variables
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions.regular_expressions import compiled
from zedbg.values.operands.convenience_functions import ConvenienceFunction
from zedbg.values.source.frame_context import FrameContext
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_view import ThreadView
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value

_MOST_FRAMES = 1000


def define_caller_functions(variables: Variables) -> None:
    """Adds them to the names that expressions may use."""
    for name, fits, any_of_them in (
        ("_caller_is", _equals, False),
        ("_caller_matches", _matches, False),
        ("_any_caller_is", _equals, True),
        ("_any_caller_matches", _matches, True),
    ):
        variables.set(name, _function(name, fits, any_of_them))


def _equals(text: str, name: str) -> bool:
    return text == name


def _matches(text: str, name: str) -> bool:
    try:
        return compiled(text).match(name) is not None
    except re.error as error:
        raise EvaluationError(f"Bad regular expression: {error}.") from None


def _function(
    name: str, fits: Callable[[str, str], bool], any_of_them: bool
) -> ConvenienceFunction:
    """Takes the text and how many frames further out to look, which is 1 if it is not given.
    ``any_of_them``: from the selected frame on up to there, as in GDB."""

    def compute(context: ThreadContext, lane: int, arguments: Sequence[Value]) -> int:
        if not 1 <= len(arguments) <= 2:
            raise EvaluationError(f"${name} takes a string, and how many frames further out.")
        text, further = arguments[0].text, 1
        if text is None:
            raise EvaluationError(f"${name} takes a string.")
        if len(arguments) == 2:
            further = int(arguments[1].number) if arguments[1].is_scalar else -1
        if not 0 <= further < _MOST_FRAMES:
            raise EvaluationError(f"${name} takes 0 to {_MOST_FRAMES - 1} frames further out.")
        frames = _frames(context, further)
        asked = frames if any_of_them else frames[further:]
        return int(any(fits(text, each) for frame in asked for each in _names(frame)))

    return ConvenienceFunction(name, compute)


def _frames(context: ThreadContext, further: int) -> Sequence[Frame]:
    """The frame of ``context`` and those that many ``further`` out."""
    level = context.frame.level if isinstance(context, FrameContext) else 0
    thread = context.thread if isinstance(context, ThreadView) else context
    if not isinstance(thread, HardwareThread):
        raise EvaluationError("No thread is stopped.")
    key = _frames, level, further
    found = thread.stop_cache.get(key)
    if not isinstance(found, list):  # else another lane has asked
        found = thread.stop_cache[key] = backtrace(thread, level + further + 1).frames[level:]
    return found


def _names(frame: Frame) -> Sequence[str]:
    """A function's name as it is shown, and without its parameters."""
    name = frame.location.function or frame.location.kernel
    return () if name is None else (name, name.partition("(")[0])
