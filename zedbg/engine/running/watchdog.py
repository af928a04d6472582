"""Says why the stop that a command waits for may not come: breakpoints are still pending."""

from __future__ import annotations

import time

from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.ground.notifier import Message


class Watchdog:
    """Made anew for each wait. It speaks when no module came for ``watchdog_seconds``, and
    again each time that the silence has doubled; never, when those are 0."""

    def __init__(self, state: EngineState) -> None:
        self._state = state
        self._began = time.monotonic()
        self._silence = state.settings.watchdog_seconds
        self._counted_from = self._began

    def seconds_left(self) -> float | None:
        """How long until it may have to speak; None: it never will."""
        if self._state.settings.watchdog_seconds <= 0:
            return None
        last = self._state.breakpoints.history.last_module
        since = max(self._began, last or 0.0)
        if since != self._counted_from:
            self._counted_from, self._silence = since, self._state.settings.watchdog_seconds
        return since + self._silence - time.monotonic()

    def speak(self) -> None:
        """The time is over: one line, if breakpoints are pending."""
        state = self._state
        seconds, self._silence = self._silence, self._silence * 2
        count = len(state.breakpoints.pending)
        if not count:
            return
        if not state.debuggee.devices:
            what = "the program has not used Level Zero"
        elif not state.breakpoints.history.modules:
            what = "no module loaded"
        else:
            what = "no further module loaded"
        waiting = f"{count} breakpoint{'s' if count > 1 else ''} pending"
        state.notifier.notify(Message(f"[{what} for {seconds:g} s; {waiting}]"))
