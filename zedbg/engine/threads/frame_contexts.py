"""What expressions see in a frame of a stopped thread."""

from __future__ import annotations

from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.source.frame_context import FrameContext
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError


def frame_context(thread: HardwareThread, frame: Frame) -> ThreadContext:
    """What an expression sees in ``frame`` of ``thread``."""
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
    return frame_context(thread, frames[level])
