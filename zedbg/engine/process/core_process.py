"""The process of a core file: gone, and yet there to be looked at."""

from __future__ import annotations

from zedbg.engine.process.exited import Exited


class CoreProcess:
    """Implements :class:`zedbg.engine.process.process.Process` for process ``pid`` of old."""

    is_child = False
    can_run = False

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.exited: Exited | None = None

    def kill(self) -> None:
        """There is nothing to end."""

    def take_output(self, partial: bool = True) -> None:
        """It writes nothing."""

    def forget(self) -> None:
        """There is nothing to leave alone."""
