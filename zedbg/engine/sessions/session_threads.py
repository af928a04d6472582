"""The part of a session that says what there is: devices, stopped threads, the focused one."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.stops import StoppedThread
from zedbg.engine.threads.focus import Focus, FocusKeeper
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_lanes import WorkItem
from zedbg.xe.coordinates import lanes_of

if TYPE_CHECKING:
    from zedbg.engine.sessions.process import Process
    from zedbg.engine.threads.device import Device


class SessionThreads(ABC):
    """What :class:`zedbg.engine.sessions.session.Session` knows of the threads of its devices."""

    def __init__(self) -> None:
        self.condition = threading.Condition(threading.RLock())
        self.devices: list[Device] = []
        self._focus = FocusKeeper()

    @property
    @abstractmethod
    def process(self) -> Process | None:
        """The process under debug."""

    @property
    @abstractmethod
    def _stops_one_by_one(self) -> bool:
        """Whether a process is debugged in non-stop mode: others run while a thread is stopped."""

    @property
    @abstractmethod
    def _is_stopped(self) -> bool:
        """Whether everything is stopped."""

    @abstractmethod
    def _require_stopped(self) -> None:
        """An error that says why nothing is stopped, if so."""

    # --- what there is ---------------------------------------------------------------------------

    def device(self, number: int) -> Device:
        """Device ``number``, from 1."""
        for device in self.devices:
            if device.number == number:
                return device
        raise NoThreadError(f"There is no device {number}.")

    def thread(self, device: int, number: int) -> HardwareThread:
        """Stopped thread ``number`` of ``device``; NoThreadError when it is not stopped."""
        with self.condition:
            return self.device(device).thread_numbered(number)

    def stopped_threads(self) -> list[HardwareThread]:
        """Every stopped thread, also those that were only halted with the rest."""
        with self.condition:
            if not self._stops_one_by_one:
                self._require_stopped()
            every = (t for device in self.devices for t in device.stopped_threads())
            return [thread for thread in every if thread.is_at_rest]

    def running_threads(self) -> list[HardwareThread]:
        """The threads that were stopped once and have been let go: they run, or have ended."""
        with self.condition:
            return [thread for device in self.devices for thread in device.let_go()]

    def find_work_item(self, global_id: tuple[int, int, int]) -> WorkItem:
        """The work-item among the stopped threads; NoThreadError when no thread runs it."""
        for thread in self.stopped_threads():
            ids = thread.global_ids()
            if not isinstance(ids, list):
                continue
            for lane in lanes_of(thread.dispatch_lanes):
                if ids[lane] == global_id:
                    item = thread.lanes()[lane].work_item
                    if isinstance(item, WorkItem):
                        return item
        wanted = ",".join(str(part) for part in global_id)
        raise NoThreadError(f"No stopped thread executes work-item {wanted}.")

    # --- focus -----------------------------------------------------------------------------------

    @property
    def focus(self) -> Focus | None:
        """The focused thread and lane; None while nothing is stopped."""
        focus = self._focus.current
        if self._stops_one_by_one:
            return focus if focus is not None and focus.thread.is_at_rest else None
        return focus if self._is_stopped else None

    @property
    def selected(self) -> Focus | None:
        """The focus, also of a thread that runs, which non-stop mode allows."""
        return self._focus.current if self.process is not None else None

    def require_focus(self) -> Focus:
        """The focus, or an error that says why there is none."""
        if not self._stops_one_by_one or self._focus.current is None:
            self._require_stopped()
        return self._focus.require()

    def select(self, thread: HardwareThread, lane: int | None = None) -> Focus:
        """Focuses ``thread``, and ``lane`` or its lowest active one; LaneError for a lane that
        is inactive or does not exist."""
        return self._focus.select(thread, lane)

    def focused_lane_of(self, thread: HardwareThread) -> int | None:
        """The focused lane if ``thread`` is the focused thread."""
        return self._focus.lane_of(thread)

    def previous_focus(self) -> StoppedThread | None:
        """The focus of the last stop, for the next one to keep."""
        return self._focus.as_stopped()
