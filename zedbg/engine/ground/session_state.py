"""Whether there is a process under debug, and whether it runs."""

from __future__ import annotations

from enum import Enum


class SessionState(Enum):
    """What the process under debug does."""

    NO_PROCESS = "no process"
    RUNNING = "running"
    STOPPED = "stopped"
