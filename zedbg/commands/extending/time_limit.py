"""A time limit for code that nobody knows, in whatever thread runs it."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType

from zedbg.engine.ground.signals import held_blocks

# Of Python's signals, one that nothing else in a debugger uses: it interrupts what the main thread
# waits for. Other threads are only interrupted between two instructions of Python.
_SIGNAL = signal.SIGVTALRM
_AGAIN_SECONDS = 0.1  # code that catches everything is interrupted again


class TimeUp(BaseException):
    """Raised in the code whose time is over."""


@dataclass(eq=False)
class _Clock:
    """One limit that runs; ``ends`` is None while it is paused."""

    thread: int
    left: float
    ends: float | None = None
    held: int = field(default_factory=held_blocks)  # blocks that hold signals, around the code
    sent: bool = False

    def start(self) -> None:
        self.ends = time.monotonic() + self.left

    def pause(self) -> None:
        if self.ends is not None:
            self.left = max(self.ends - time.monotonic(), 0.01)
            self.ends = None


_lock = threading.Condition(threading.Lock())
_clocks: list[_Clock] = []  # all that run; those of one thread in the order in which they began
_watchdog: threading.Thread | None = None


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """The block may take so many seconds, 0: any; then TimeUp is raised in it. What it waits for in
    :func:`time_paused` does not count. A block inside of it counts by itself."""
    if not seconds:
        yield
        return
    with time_paused():
        clock = _Clock(threading.get_ident(), seconds)
        _ensure_watchdog()
        with _lock:
            clock.start()
            _clocks.append(clock)
            if len(_clocks) == 1:
                _lock.notify()
        try:
            yield
        finally:
            _stop(clock)


def _stop(clock: _Clock) -> None:
    # First of all, in one instruction of Python's: nothing is sent from here on.
    clock.ends = None
    with _lock:
        _clocks.remove(clock)
        if clock.sent and threading.current_thread() is not threading.main_thread():
            _raise_in(clock.thread, None)


@contextlib.contextmanager
def time_paused() -> Iterator[None]:
    """The block is no part of what the innermost limit of this thread limits."""
    own = [each for each in _clocks if each.thread == threading.get_ident()]
    running = own[-1] if own and own[-1].ends is not None else None
    if running is None:
        yield
        return
    running.pause()
    try:
        yield
    finally:
        with _lock:
            running.start()
            _lock.notify()


def _ensure_watchdog() -> None:
    global _watchdog
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(_SIGNAL) is signal.SIG_DFL:
        signal.signal(_SIGNAL, _interrupted)
    if _watchdog is None or not _watchdog.is_alive():
        _watchdog = threading.Thread(target=_watch, name="zedbg-time-limit", daemon=True)
        _watchdog.start()


def _watch() -> None:
    while True:
        with _lock:
            running = [each for each in _clocks if each.ends is not None]
            ends = min((each.ends for each in running if each.ends is not None), default=None)
            now = time.monotonic()
            if ends is None or ends > now:
                _lock.wait(None if ends is None else ends - now)
                continue
            for clock in running:
                if clock.ends is not None and clock.ends <= now:
                    clock.ends = now + _AGAIN_SECONDS
                    clock.sent = True
                    _interrupt(clock)


def _interrupt(clock: _Clock) -> None:
    main = threading.main_thread().ident
    if clock.thread != main:
        _raise_in(clock.thread, TimeUp)
    elif main is not None and signal.getsignal(_SIGNAL) is _interrupted:
        signal.pthread_kill(main, _SIGNAL)


def _interrupted(_number: int, _frame: FrameType | None) -> None:
    """In the main thread: ends the innermost block there, if its time is over, but nothing that
    must not be left half done."""
    own = [each for each in _clocks if each.thread == threading.get_ident()]
    if own and own[-1].sent and own[-1].ends is not None and held_blocks() == own[-1].held:
        raise TimeUp


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises ``error`` in another thread, before its next instruction; None takes one back that it
    has not raised yet."""
    import ctypes  # of CPython itself, which offers this to C alone

    target = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), target)
