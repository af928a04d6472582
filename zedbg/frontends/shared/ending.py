"""How zedbg ends: by a signal, or because nobody reads its output any more."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from types import CodeType, FrameType

_SIGNALLED = 128  # the exit status of what a signal ended, without its number: as shells report it
#: The exit status of a program that Ctrl-C ended.
INTERRUPTED = _SIGNALLED + signal.SIGINT

_MOMENT_SECONDS = 0.001

_ends = threading.Event()


def discard_output() -> None:
    """The rest of standard output goes nowhere, without complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_on_signals() -> None:
    """From here on SIGTERM and SIGHUP end zedbg the clean way, by SystemExit: breakpoints come
    out, threads go on. One that is ignored (nohup) stays so."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    # A terminal that is closed sends it twice: the second time must not break off the clean end.
    if not _ends.is_set():
        _ends.set()
        raise SystemExit(_SIGNALLED + number)


def keep_lost_signals() -> None:
    """What a signal raises in a finalizer ends there, with a traceback on the screen; from here on
    the signal comes again after the finalizer."""
    previous = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        error = unraisable.exc_value
        if isinstance(error, KeyboardInterrupt):
            _send_again(signal.SIGINT, hook.__code__)
        elif isinstance(error, SystemExit) and _ends.is_set() and isinstance(error.code, int):
            _ends.clear()
            _send_again(error.code - _SIGNALLED, hook.__code__)
        else:
            previous(unraisable)

    sys.unraisablehook = hook


def _send_again(number: int, hook: CodeType) -> None:
    """Not here, where it would be lost as well: when the main thread has left ``hook``."""

    def send() -> None:
        while _runs_in_main_thread(hook):
            time.sleep(_MOMENT_SECONDS)
        os.kill(os.getpid(), number)

    _thread.start_new_thread(send, ())  # threading's own start is not for the middle of anything


def _runs_in_main_thread(code: CodeType) -> bool:
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False
