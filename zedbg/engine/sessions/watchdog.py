"""Tells who waits for a stop why it may not come: breakpoints that no module has brought yet."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from zedbg.engine.events.notifications import Message

if TYPE_CHECKING:
    from zedbg.engine.sessions.session import Session


class Watchdog:
    """Made anew for each wait. It speaks when no module came for ``session.watchdog_seconds``, and
    again each time that the silence has doubled; never, when those are 0."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._began = time.monotonic()
        self._silence = session.watchdog_seconds
        self._counted_from = self._began

    def seconds_left(self) -> float | None:
        """How long until it may have to speak; None: it never will."""
        if self._session.watchdog_seconds <= 0:
            return None
        last = self._session.breakpoints.history.last_module
        since = max(self._began, last or 0.0)
        if since != self._counted_from:
            self._counted_from, self._silence = since, self._session.watchdog_seconds
        return since + self._silence - time.monotonic()

    def speak(self) -> None:
        """The time is over: one line, if breakpoints are pending."""
        session = self._session
        seconds, self._silence = self._silence, self._silence * 2
        count = len(session.breakpoints.pending)
        if not count:
            return
        if not session.devices:
            what = "the program has not used Level Zero"
        elif not session.breakpoints.history.modules:
            what = "no module loaded"
        else:
            what = "no further module loaded"
        waiting = f"{count} breakpoint{'s' if count > 1 else ''} pending"
        session.notify(Message(f"[{what} for {seconds:g} s; {waiting}]"))
