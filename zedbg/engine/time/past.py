"""The past of a launch: shown in place of the present, and searched."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from zedbg.engine.engine_errors import TimeTravelError
from zedbg.engine.ground.settings import Settings
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.device import Device, DeviceStanding
from zedbg.engine.time.recorded_launch import recorded_launch, time_calls
from zedbg.levelzero.device_time import (
    PRESENT,
    Recording,
    RecordingState,
    Search,
    TimeHit,
)

# A search goes in stretches, so that it can be given up between two: of so many instructions at
# first, and longer ones for as long as they take no longer than this.
_FIRST_STRETCH = 1 << 16
_GROWTH = 8
_STRETCH_SECONDS = 0.1


class SearchGivenUpError(TimeTravelError):
    """The user did not want to wait for the end of a search."""

    def __init__(self) -> None:
        super().__init__("Interrupted.")


@dataclass(frozen=True)
class Moment:
    """A time of a launch (both as :class:`zedbg.levelzero.device_time.Recording` counts them)."""

    launch: int
    time: int


@dataclass(frozen=True)
class _Visit:
    """A device that shows the past; ``before``: how its threads are stopped in the present."""

    device: Device
    moment: Moment
    before: DeviceStanding


class Past:
    """Which device of a session shows the past, and which time of it: one at most. Calls are made
    with the session's lock held. ``leaves_present`` is called when the past takes its place,
    ``has_returned`` when it is back.

    All methods raise TimeTravelError for a device whose driver does not offer it, or when there is
    no such time, and LevelZeroError when the driver refuses.
    """

    def __init__(
        self,
        debuggee: Debuggee,
        leaves_present: Callable[[], None],
        has_returned: Callable[[], None],
    ) -> None:
        self._debuggee = debuggee
        self._has_returned = has_returned
        self._leaves_present = leaves_present
        self._visit: _Visit | None = None

    @property
    def device(self) -> Device | None:
        """The device that shows the past."""
        return None if self._visit is None else self._visit.device

    def is_shown_by(self, device: object) -> bool:
        """Whether ``device`` shows the past."""
        return self._visit is not None and self._visit.device is device

    def offers(self, device: Device) -> bool:
        """Whether the driver of ``device`` can go back."""
        return device.debug.time is not None

    def recording(self, device: Device, launch: int | None = None) -> Recording:
        """What is known of ``launch``; None: of the one that the device shows."""
        return time_calls(device).recording(self._shown(device) if launch is None else launch)

    def _shown(self, device: Device) -> int:
        """The launch that ``device`` shows; 0: the present one."""
        visit = self._visit
        return 0 if visit is None or visit.device is not device else visit.moment.launch

    def recorded(self, device: Device, launch: int | None = None) -> Recording:
        """As :meth:`recording`, of a launch that can be visited; TimeTravelError says why it
        cannot."""
        return recorded_launch(device, self._shown(device) if launch is None else launch)

    def apply_settings(self, device: Device, settings: Settings) -> None:
        """Lets ``device`` record launches, or not, as the user wants it."""
        calls = device.debug.time
        if calls is None:
            return
        found = calls.recording(0)
        budget = found.budget if settings.record_budget is None else settings.record_budget
        if settings.records is (found.state is RecordingState.OFF) or budget != found.budget:
            calls.set_recording(settings.records, budget)

    def moment(self, device: Device) -> Moment:
        """Where ``device`` is."""
        if self._visit is not None and self._visit.device is device:
            return self._visit.moment
        found = self.recorded(device)
        return Moment(found.launch, found.now)

    def go_to(self, device: Device, moment: Moment) -> None:
        """Lets ``device`` show ``moment``; at the end of a launch that has not ended, that is the
        present. The caller chooses what to look at: what was stopped need not be there.
        TimeTravelError when there is no such time, or another device shows the past."""
        if self._visit is not None and self._visit.device is not device:
            raise TimeTravelError(
                f"Device {self._visit.device.number} shows the past. Return first: goto end"
            )
        found = self.recorded(device, moment.launch)
        if not found.first <= moment.time <= found.end:
            raise TimeTravelError(
                f"Launch {moment.launch} can be visited from time {found.first} to {found.end}."
            )
        is_running = found.launch == time_calls(device).recording(0).launch
        if moment.time == found.end and is_running and found.state is not RecordingState.FINISHED:
            self.leave()
            return
        self._show(device, moment)

    def _show(self, device: Device, moment: Moment) -> None:
        calls = time_calls(device)
        visit = self._visit
        if visit is None:
            before = device.standing()
            self._leaves_present()
        else:
            before = visit.before
        calls.go_to(moment.launch, moment.time)
        device.code.leave_present()
        self._visit = _Visit(device, moment, before)
        device.show_past(calls.threads())

    def leave(self) -> None:
        """The present is back, as it was."""
        visit = self._visit
        if visit is None:
            return
        if visit.device.attached:
            time_calls(visit.device).go_to(0, PRESENT)
        self._visit = None
        visit.device.show_present(visit.before)
        if visit.device.attached:
            visit.device.code.return_to_present()
            self._has_returned()

    def forget(self) -> None:
        """The program is gone, or left alone."""
        if self._visit is not None:
            self._visit.device.in_past = False
            self._visit = None

    @contextlib.contextmanager
    def visiting(self, device: Device, moment: Moment) -> Iterator[None]:
        """Shows ``moment`` for the length of the block, then again what was shown before."""
        visit = self._visit
        self.go_to(device, moment)
        try:
            yield
        finally:
            if visit is None:
                self.leave()
            else:
                self._show(device, visit.moment)

    @staticmethod
    def give_up_if(wanted: bool) -> None:
        """SearchGivenUpError when the user does not want to wait any more."""
        if wanted:
            raise SearchGivenUpError

    def find(
        self, device: Device, search: Search, is_given_up: Callable[[], bool] = lambda: False
    ) -> Iterator[TimeHit]:
        """All that ``search`` finds, in its order, ``search.limit`` at a time; they are searched
        for as they are asked for. SearchGivenUpError when it ``is_given_up``."""
        calls = time_calls(device)
        first, end = search.first, search.end
        stretch = _FIRST_STRETCH
        while first < end:
            self.give_up_if(is_given_up())
            if search.backward:
                part = replace(search, first=max(first, end - stretch), end=end)
            else:
                part = replace(search, first=first, end=min(end, first + stretch))
            began = time.monotonic()
            # A driver may give fewer than asked for, though there are more.
            hits, searched_to = calls.find(part)
            yield from hits
            until, came_from = (part.first, end) if search.backward else (part.end, first)
            is_whole = searched_to == until
            if searched_to == came_from:  # cancelled, or nothing of it is recorded any more
                self.give_up_if(is_given_up())
                return
            if search.backward:
                end = searched_to
            else:
                first = searched_to
            if is_whole and time.monotonic() - began < _STRETCH_SECONDS:
                stretch *= _GROWTH
