"""zedbg as its command line starts it, which reports when the driver gives events of stops.

watched_zedbg.py DESCRIPTOR ARGUMENTS...: writes to DESCRIPTOR, a line each, when the driver gave
the first stop event after threads were let go on: seconds of time.perf_counter(), which is one
clock for all processes.
"""

from __future__ import annotations

import os
import sys
import time

from zedbg.frontends.main import main
from zedbg.levelzero.debug import DebugSession
from zedbg.levelzero.debug_events import DebugEvent, ThreadFields, ThreadStopped


def watch(descriptor: int) -> None:
    """From now on, sessions report their events."""
    read_event, resume = DebugSession.read_event, DebugSession.resume
    runs = True

    def read_watched(self: DebugSession, timeout_milliseconds: int) -> DebugEvent | None:
        nonlocal runs
        event = read_event(self, timeout_milliseconds)
        if runs and isinstance(event, ThreadStopped):
            os.write(descriptor, f"{time.perf_counter()}\n".encode())
            runs = False
        return event

    def resume_watched(self: DebugSession, thread: ThreadFields) -> None:
        nonlocal runs
        runs = True
        resume(self, thread)

    DebugSession.read_event, DebugSession.resume = read_watched, resume_watched


if __name__ == "__main__":
    watch(int(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
