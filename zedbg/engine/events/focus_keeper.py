"""The focus of a session, and how it follows from one stop to the next."""

from __future__ import annotations

from zedbg.engine.engine_errors import LaneError, NoThreadError
from zedbg.engine.events.stops import Stop, StoppedThread
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of


class FocusKeeper:
    """The focus of a session, and how it follows from one stop to the next."""

    def __init__(self) -> None:
        self._current: Focus | None = None

    @property
    def current(self) -> Focus | None:
        """The focus, also where its thread runs."""
        return self._current

    def forget(self) -> None:
        """Nothing is focused."""
        self._set(None)

    def _set(self, focus: Focus | None) -> None:
        if self._current is not None:
            self._current.thread.selected_lane = None
        self._current = focus
        if focus is not None:
            focus.thread.selected_lane = focus.lane

    def require(self) -> Focus:
        """The focus; NoThreadError when there is none, or its thread runs."""
        focus = self._current
        if focus is None:
            raise NoThreadError("No thread selected")
        thread = focus.thread
        if not thread.is_at_rest:
            raise NoThreadError(
                f"Thread {thread.id} ({thread.name}) is running: interrupt it, or select a stopped "
                "thread."
            )
        return focus

    def select(self, thread: HardwareThread, lane: int | None) -> Focus:
        """Focuses ``thread``, and ``lane`` or its lowest active one; LaneError for a lane that
        is inactive or does not exist."""
        active = thread.active_lanes
        if lane is None:
            lane = next(iter(lanes_of(active)), 0)
        elif lane >= thread.simd_width:
            raise LaneError(f"Incorrect SIMD lane number: {lane}.")
        elif not active >> lane & 1:
            raise LaneError(f"SIMD lane {lane} is inactive in thread {thread.id}")
        focus = Focus(thread, lane)
        self._set(focus)
        return focus

    def prefer(self, thread: HardwareThread, lane: int) -> None:
        """Goes to ``lane`` of ``thread``, whose stop is not known yet."""
        self._set(Focus(thread, lane))

    def as_stopped(self) -> StoppedThread | None:
        """The focus of the last stop, for the next one to keep."""
        focus = self.current
        return None if focus is None else StoppedThread(focus.thread, 1 << focus.lane)

    def follow(self, stop: Stop) -> int | None:
        """Goes to where ``stop`` is; the lane, if it had to leave its own within the thread."""
        before, chosen = self.current, stop.focus
        if chosen is None:
            self.forget()
            return None
        lane = next(iter(lanes_of(chosen.lanes)), 0)
        moved = None
        if before is not None and before.thread is chosen.thread:
            if chosen.lanes >> before.lane & 1:
                lane = before.lane
            else:
                moved = lane
        self._set(Focus(chosen.thread, lane))
        return moved
