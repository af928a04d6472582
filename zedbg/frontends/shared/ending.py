"""How zedbg ends: by a signal, or because nobody reads its output any more."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from types import FrameType

_SIGNALLED = 128  # the exit status of what a signal ended, without its number: as shells report it
#: The exit status of a program that Ctrl-C ended.
INTERRUPTED = _SIGNALLED + signal.SIGINT

_MOMENT_SECONDS = 0.001

_ends = threading.Event()


def discard_output() -> None:
    """The rest of standard output goes nowhere, without complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(error: OSError) -> None:
    """One line about what cannot be read or written, if that can be written."""
    with contextlib.suppress(OSError):
        place = error.filename or "standard output"
        print(f"zedbg: {place}: {error.strerror or error}", file=sys.stderr, flush=True)


def open_standard_streams() -> None:
    """What was closed before zedbg began is open and goes nowhere: nothing else may get its place.
    What the terminal's encoding has no letters for is written as escapes."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest place that is free
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def end_on_signals() -> None:
    """From here on SIGTERM and SIGHUP end zedbg the clean way, by EndedBySignal: breakpoints come
    out, threads go on. One that is ignored (nohup) stays so."""
    from zedbg.engine.ground.signals import EndedBySignal  # not for what has no session

    def end(number: int, _frame: FrameType | None) -> None:
        # A terminal that is closed sends it twice: the second must not break off the clean end.
        if not _ends.is_set():
            _ends.set()
            raise EndedBySignal(_SIGNALLED + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def keep_lost_signals() -> None:
    """What a signal raises in a finalizer ends there, with a traceback on the screen; from here on
    the signal comes again instead, a moment later."""
    previous = sys.unraisablehook
    lost: list[int] = []

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        error = unraisable.exc_value
        if isinstance(error, KeyboardInterrupt):
            lost.append(signal.SIGINT)
        elif isinstance(error, SystemExit) and _ends.is_set() and isinstance(error.code, int):
            _ends.clear()
            lost.append(error.code - _SIGNALLED)
        else:
            previous(unraisable)
            return
        signal.setitimer(signal.ITIMER_REAL, _MOMENT_SECONDS)

    def again(_number: int, frame: FrameType | None) -> None:
        in_hook = False  # where it would be lost as well
        while frame is not None and not in_hook:
            in_hook, frame = frame.f_code is hook.__code__, frame.f_back
        number = None if in_hook or not lost else lost.pop()
        if lost:
            signal.setitimer(signal.ITIMER_REAL, _MOMENT_SECONDS)
        if number is not None:
            signal.raise_signal(number)

    signal.signal(signal.SIGALRM, again)
    sys.unraisablehook = hook


class TimeLimit:
    """After ``seconds`` (None: never) zedbg ends as by SIGTERM, and ``is_over``."""

    def __init__(self, seconds: float | None) -> None:
        self.is_over = False
        self._timer = None if seconds is None else threading.Timer(seconds, self._over)
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def _over(self) -> None:
        self.is_over = True
        os.kill(os.getpid(), signal.SIGTERM)

    def end(self) -> None:
        """It does not count from now on."""
        if self._timer is not None:
            self._timer.cancel()
