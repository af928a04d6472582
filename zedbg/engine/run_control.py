"""Running and stopping everything: from resume to the next Stop."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING

from zedbg.engine.errors import NoThreadError
from zedbg.engine.notifications import BreakpointChanged, Message, Severity, Stopped
from zedbg.engine.stop_builder import Hit, build_stop, judge
from zedbg.engine.stops import Outcome, Stop, StopReason
from zedbg.engine.thread import HardwareThread
from zedbg.levelzero.debug import ALL_THREADS
from zedbg.levelzero.errors import LevelZeroError, NotAvailable, NotReady

if TYPE_CHECKING:
    from zedbg.engine.device import Device
    from zedbg.engine.session import Session

# After the first thread of a stop, others are given time to arrive at the same place by
# themselves: until none came for a while, but never long.
_SETTLE_QUIET_SECONDS = 0.01
_SETTLE_SECONDS = 0.1
# Intel's driver answers an interrupt that hits nothing after 2 s.
_INTERRUPT_SECONDS = 10.0


class Advance(Enum):
    """How letting a single thread run ended."""

    STOPPED = "stopped"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    EXITED = "exited"


class RunControl:
    """All calls are made with the session's lock held; waiting releases it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def resume_all(self) -> None:
        """Lets everything run."""
        for device in self._session.devices:
            if device.attached:
                try:
                    device.resume_all()
                except LevelZeroError:
                    if not self._session.device_is_gone(device):
                        raise

    def wait(self, timeout: float | None) -> Outcome | None:
        """What running ends with; None when the time was over first."""
        session = self._session
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            remaining = None if deadline is None else max(deadline - time.monotonic(), 0)
            if not session.condition.wait_for(self._has_news, remaining):
                return None
            exited = session.exited
            if exited is not None:
                return exited
            session.retire_detached_devices()
            if session.interrupt_requested:
                return self.stop_now(StopReason.INTERRUPT)
            hits = self.judge_new_stops(resume_false=True)
            if hits:
                self._settle()
                return self.collect(hits)

    def wait_for_exit(self) -> Outcome:
        """After a device went away under a step: the exit, or the program's next stop."""
        outcome = self.wait(None)
        assert outcome is not None
        return outcome

    def stop_now(self, reason: StopReason) -> Outcome:
        """Halts everything and reports what is there: for a user's interrupt."""
        session = self._session
        self.halt()
        session.interrupt_requested = False
        exited = session.exited
        if exited is not None:
            return exited
        hits = self.judge_new_stops(resume_false=False)
        if not hits:
            hits = [
                Hit(thread, reason, thread.active_lanes)
                for device in session.devices
                for thread in device.stopped_threads()
            ]
        return self.report(build_stop(hits, session.previous_focus()))

    def judge_new_stops(self, resume_false: bool) -> list[Hit]:
        """Takes the stops that threads reported; threads that stopped for nothing go on.

        Without ``resume_false`` those stay halted like everything else, until the next resume.
        """
        hits = []
        for device in self._session.devices:
            arrived = list(device.new_stops)
            device.new_stops.clear()
            stopped_for_nothing = []
            for thread in arrived:
                try:
                    hit = judge(thread, self._session.breakpoints)
                except (LevelZeroError, NoThreadError) as error:
                    self._lost(thread, error)
                else:
                    if hit is not None:
                        hits.append(hit)
                    else:
                        stopped_for_nothing.append(thread)
            if resume_false and not hits:
                self._resume(device, stopped_for_nothing)
        return hits

    def _resume(self, device: Device, threads: list[HardwareThread]) -> None:
        """Lets ``threads`` go on, all at once if no other is stopped: then they stay in step."""
        if device.only_stopped(threads):
            device.resume_all()
            return
        for thread in threads:
            try:
                thread.resume()
            except (LevelZeroError, NoThreadError) as error:
                self._lost(thread, error)

    def _lost(self, thread: HardwareThread, error: Exception) -> None:
        """A thread that reported a stop cannot be reached any more."""
        thread.mark_running()
        if not isinstance(error, NotAvailable | NoThreadError):
            self._session.notify(Message(str(error), Severity.WARNING))

    def halt(self) -> None:
        """Interrupts every device and waits until all have answered."""
        session = self._session
        for device in session.devices:
            if not device.attached:
                continue
            try:
                device.debug.interrupt(ALL_THREADS)
                device.interrupts_pending += 1
            except NotReady:
                pass  # one is under way
            except NotAvailable:
                pass  # all are stopped
            except LevelZeroError as error:
                session.notify(Message(str(error), Severity.WARNING))
        answered = session.condition.wait_for(
            lambda: all(d.interrupts_pending <= 0 or not d.attached for d in session.devices),
            _INTERRUPT_SECONDS,
        )
        if not answered:
            session.notify(Message("The device does not answer an interrupt.", Severity.ERROR))

    def report(self, stop: Stop) -> Stop:
        """Makes ``stop`` the session's, with its focus; hit temporary breakpoints go."""
        session = self._session
        session.stopped_with(stop)
        for group in stop.groups:
            hit = group.breakpoint
            if hit is not None and hit.temporary and hit in list(session.breakpoints):
                session.breakpoints.delete(hit)
                session.notify(BreakpointChanged(hit, deleted=True))
        session.notify(Stopped(stop))
        return stop

    def advance(self, thread: HardwareThread, step: bool) -> Advance:
        """Lets only ``thread`` go on (``step``: for one instruction) until it stops again.

        A thread at its end is let go. At a barrier the other threads of its work-group run too,
        since the barrier would never be complete without them; all are halted again afterwards.
        """
        session = self._session
        device = thread.device
        instruction = device.code.instruction(thread.pc)
        ends = step and instruction is not None and instruction.ends_thread
        at_barrier = step and instruction is not None and instruction.waits_for_barrier
        peers = self._peers(thread) if at_barrier else []
        try:
            thread.resume(step and not ends)
            for peer in peers:
                peer.resume()
        except LevelZeroError:
            if not self._session.device_is_gone(device):
                raise
            return Advance.EXITED
        if ends:
            self.halt()
            return Advance.ENDED
        session.condition.wait_for(lambda: self._has_returned(thread))
        if session.exited is not None or not device.attached:
            return Advance.EXITED
        device.new_stops.pop(thread, None)
        if not thread.is_stopped:
            return Advance.INTERRUPTED
        if peers:
            self.halt()
        return Advance.STOPPED

    def _peers(self, thread: HardwareThread) -> list[HardwareThread]:
        """The other stopped threads of the work-group of ``thread``."""
        kernel, workgroup = thread.location.kernel, thread.workgroup
        return [
            other
            for other in thread.device.stopped_threads()
            if other is not thread
            and other.location.kernel == kernel
            and other.workgroup == workgroup
        ]

    def _has_returned(self, thread: HardwareThread) -> bool:
        session = self._session
        gone = session.exited is not None or not thread.device.attached
        return thread.is_stopped or session.interrupt_requested or gone

    def _has_news(self) -> bool:
        session = self._session
        return (
            session.interrupt_requested
            or session.exited is not None
            or any(device.new_stops or not device.attached for device in session.devices)
        )

    def _settle(self) -> None:
        """Waits a moment for more threads to stop by themselves."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        while time.monotonic() < deadline:
            before = self._arrivals()
            if not self._session.condition.wait_for(
                lambda before=before: self._arrivals() != before,  # type: ignore[misc]
                _SETTLE_QUIET_SECONDS,
            ):
                return

    def _arrivals(self) -> int:
        return sum(len(device.new_stops) for device in self._session.devices)

    def collect(self, hits: list[Hit]) -> Outcome:
        """Halts the rest, and makes one stop of everything that hit by then."""
        session = self._session
        self.halt()
        hits += self.judge_new_stops(resume_false=False)
        exited = session.exited
        if exited is not None:
            return exited
        session.interrupt_requested = False
        return self.report(build_stop(hits, session.previous_focus(), session.take_detail()))
