"""How zedbg ends: by a signal, or because nobody reads its output any more."""

from __future__ import annotations

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
