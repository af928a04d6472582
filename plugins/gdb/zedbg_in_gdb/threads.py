"""Threads that read sockets, and what they have GDB do."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable

import gdb

_END_SECONDS = 10.0


class Threads:
    """The threads that read sockets. None may be left when GDB ends: it takes Python down."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._ends = False
        self._status = 0
        self._pending = 0  # posted, and not done
        self.is_interactive = False  # whether GDB has a prompt, at which its event loop runs
        self.is_listening = False  # whether that runs, or soon will
        atexit.register(self._leave_pending)

    def start(self, work: Callable[[], None]) -> None:
        """A thread that no signal comes to: they are GDB's."""
        thread = threading.Thread(target=work, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            thread.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]

    def post(self, call: Callable[[], None]) -> None:
        """Has GDB's thread do it, unless GDB ends."""
        if self._ends:
            return
        self._pending += 1

        def do() -> None:
            self._pending -= 1
            call()

        gdb.post_event(do)

    def end(self, status: int) -> None:
        """Nothing is posted any more; waits for all threads, whose sockets have been closed.
        ``status`` is what GDB will exit with."""
        self._ends = True
        self._status = status
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _leave_pending(self) -> None:
        """At the end of Python, after GDB has let its programs go. GDB 13 crashes at its exit when
        something is posted that it has not come to: it would drop that without Python."""
        if self._pending:
            gdb.flush()
            os._exit(self._status)


threads = Threads()
