"""A frame of a stopped thread, in one of its lanes, as variables and expressions are seen there."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.threads.frame_contexts import frame_context
from zedbg.engine.threads.frames import Frame
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.values.expressions import api
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.value import Value


@dataclass(frozen=True)
class FrameReference:
    """``frame`` of ``thread``; values are those of ``lane``."""

    thread: HardwareThread
    frame: Frame
    lane: int

    @property
    def context(self) -> ThreadContext:
        """What expressions see."""
        return frame_context(self.thread, self.frame)

    def evaluate(self, expression: str) -> Value | Missing:
        """The value of ``expression``; EvaluationError when it has none in any lane."""
        return api.evaluate(expression, self.context, [self.lane]).first

    def in_lane(self, lane: int) -> FrameReference:
        """The same frame in another lane."""
        return FrameReference(self.thread, self.frame, lane)
