"""The one thread and lane that commands look at."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.threads.thread import HardwareThread


@dataclass(frozen=True)
class Focus:
    """The thread and lane that commands look at."""

    thread: HardwareThread
    lane: int
