"""The time that a program may take under debug."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zedbg.api.errors import TimeLimitError

_ENDING_SECONDS = 60.0


class TimeLimit:
    """Calls ``end`` once ``seconds`` are over, on a thread of its own; that kills the program and
    gives a report."""

    def __init__(self, seconds: float, end: Callable[[], str]) -> None:
        self._seconds = seconds
        self._end = end
        self._reached = threading.Event()
        self._ended = threading.Event()
        self._report = ""
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """The program has ended, or is left alone."""
        self._timer.cancel()

    @property
    def is_reached(self) -> bool:
        """Whether the time is over."""
        return self._reached.is_set()

    def check(self) -> None:
        """TimeLimitError when the time is over, as soon as the program is gone."""
        if self.is_reached:
            self._ended.wait(_ENDING_SECONDS)
            raise TimeLimitError(self._seconds, self._report)

    def _expire(self) -> None:
        self._reached.set()
        try:
            self._report = self._end()
        finally:
            self._ended.set()
