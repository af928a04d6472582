"""Interrupts: Ctrl-C while the engine waits reaches the devices instead of the debugger; a thread
alone is stopped."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from zedbg.engine.errors import UnresponsiveError
from zedbg.levelzero.errors import LevelZeroError, NotAvailable, NotReady

if TYPE_CHECKING:
    from zedbg.engine.session import Session
    from zedbg.engine.thread import HardwareThread

# Intel's driver answers an interrupt that hits nothing after 2 s.
INTERRUPT_SECONDS = 10.0

_held: list[threading.Event] = []  # of the blocks that hold SIGINT: set when it came


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


@contextlib.contextmanager
def sigint_held() -> Iterator[None]:
    """SIGINT waits until the block has ended: half done, it would leave a program that waits for a
    debugger which has forgotten it. Only in the main thread, as above."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = threading.Event()
    _held.append(came)
    previous = signal.signal(signal.SIGINT, lambda _signal, _frame: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        _held.remove(came)
    if came.is_set():
        signal.raise_signal(signal.SIGINT)


def raise_held_sigint() -> None:
    """Where :func:`sigint_held` may be left early: KeyboardInterrupt when SIGINT came in it."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and any(came.is_set() for came in _held):
        raise KeyboardInterrupt


def interrupt_thread(session: Session, thread: HardwareThread) -> bool:
    """Stops ``thread`` alone; False when it does not run. Called with the session's lock held."""
    device = thread.device
    device.asked.add(thread)
    try:
        device.debug.interrupt(thread.place.fields)
    except NotReady:
        pass  # one for it is under way
    except LevelZeroError as error:
        device.asked.discard(thread)
        if isinstance(error, NotAvailable):  # no thread runs
            return thread.is_stopped
        raise
    answered = session.condition.wait_for(
        lambda: thread.is_stopped or thread not in device.asked or not device.attached,
        INTERRUPT_SECONDS,
    )
    device.asked.discard(thread)
    if not answered:
        raise UnresponsiveError(f"{device.name} does not answer an interrupt of {thread.id}.")
    return thread.is_stopped
