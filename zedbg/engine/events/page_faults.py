"""Page faults that the driver reports: a thread's come with its stop, others by themselves."""

from __future__ import annotations

import time

from zedbg.engine.breakpoints.breakpoint_table import BreakpointTable
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.notifier import Message, Notifier, Severity
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.device import Device

# How long the stop of the thread that faulted may take to follow the event.
_STOP_SECONDS = 0.3


class PageFaults:
    """The faults of a session since its last stop. Calls are made with the session's lock held."""

    def __init__(
        self, debuggee: Debuggee, notifier: Notifier, breakpoints: BreakpointTable
    ) -> None:
        self._debuggee = debuggee
        self._notifier = notifier
        self._breakpoints = breakpoints
        self._reported: dict[Device, tuple[int, float]] = {}  # address and time, of the newest
        self._caught: Stop | None = None

    def happened(self, device: Device, address: int) -> None:
        """The driver reported a fault at ``address``."""
        self._reported[device] = address, time.monotonic()

    def take_address(self) -> int | None:
        """Where a fault was since the last time; it belongs to a thread that stopped."""
        reported, self._reported = self._reported, {}
        return next((address for address, _ in reported.values()), None)

    def forget(self) -> None:
        """The process is another one."""
        self._reported.clear()
        self._caught = None

    def quiet(self, device: Device) -> None:
        """No event of ``device`` is there: if none will follow its fault, no thread did it."""
        reported = self._reported.get(device)
        if reported is not None and time.monotonic() - reported[1] >= _STOP_SECONDS:
            self.left(device)

    def left(self, device: Device) -> None:
        """No event of ``device`` will come any more: if no thread stopped, none did its fault."""
        if device not in self._reported or device.new_stops:
            return
        address, _ = self._reported.pop(device)
        text = f"Page fault at {address:#x} on device {device.number}: of a copy or fill, no thread"
        self._notifier.notify(Message(f"{text}.", Severity.WARNING))
        for catchpoint in self._breakpoints.catching(StopReason.PAGE_FAULT):
            catchpoint.hits += 1
            if not catchpoint.is_ignored() and self._caught is None:
                self._caught = Stop(
                    StopReason.PAGE_FAULT,
                    detail=f"page fault at {address:#x}",
                    catchpoint=catchpoint,
                    fault_address=address,
                )
        self._debuggee.condition.notify_all()

    @property
    def is_caught(self) -> bool:
        """Whether a catchpoint waited for a fault that no thread did."""
        return self._caught is not None

    def take_caught(self) -> Stop | None:
        """The stop that such a fault makes."""
        caught, self._caught = self._caught, None
        return caught
