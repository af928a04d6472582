"""The process of a core file: gone, and yet there to be looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zedbg.engine.process.exited import Exited


class CoreProcess:
    """Implements :class:`zedbg.engine.process.process.Process` for process ``pid`` of old.

    ``host`` is what the file says of the program on the processor, as the commands read it that
    wrote it; it may be damaged.
    """

    is_child = False
    can_run = False

    def __init__(self, pid: int, host: Mapping[str, Any]) -> None:
        self.pid = pid
        self.host = host
        self.exited: Exited | None = None

    def kill(self) -> None:
        """There is nothing to end."""

    def take_output(self, partial: bool = True) -> None:
        """It writes nothing."""

    def forget(self) -> None:
        """There is nothing to leave alone."""
