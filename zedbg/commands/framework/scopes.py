"""What expressions see: frames of stopped threads, or no thread at all."""

from __future__ import annotations

from zedbg.commands.framework.no_thread import NoThread
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.frame_contexts import frame_context
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions import api
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.value import Value


def selected_frame(session: Session, level: int) -> Frame:
    """Frame ``level`` of the focused thread, or its outermost one; EngineError without a thread."""
    frames = backtrace(session.require_focus().thread, level + 1).frames
    return frames[min(level, len(frames) - 1)]


def selected_scope(session: Session, level: int) -> ThreadContext:
    """What an expression sees in frame ``level`` of the focused thread; without a thread, constants
    and the user's names only. EngineError when the focused thread runs."""
    if session.focus is None and session.state is not SessionState.RUNNING:
        return NoThread(session)
    thread = session.require_focus().thread
    return frame_context(thread, selected_frame(session, level)) if level else thread


def argument_list(thread: HardwareThread, level: int) -> str:
    """The arguments of a frame as location lines show them: ``n=64, scale=1.5``."""
    frames = backtrace(thread, level + 1).frames
    if level >= len(frames) or thread.debug_info is None:
        return ""
    within = frame_context(thread, frames[level])
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
