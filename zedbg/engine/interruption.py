"""Ctrl-C while the engine waits: it interrupts the devices instead of the debugger."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zedbg.engine.session import Session


@contextlib.contextmanager
def interrupt_on_sigint(session: Session) -> Iterator[None]:
    """For the length of the block SIGINT asks for a stop; a second one raises KeyboardInterrupt.

    Only in the main thread, which alone may set signal handlers; elsewhere nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if session.interrupt_requested:
            raise KeyboardInterrupt
        session.interrupt()

    previous = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
