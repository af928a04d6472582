"""Running and stopping everything: from resume to the next Stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.notifications import Message, Severity, Stopped
from zedbg.engine.events.stop_builder import STOP_REGISTERS, Hit, build_stop, judge
from zedbg.engine.events.stops import Exited, Outcome, Stop, StopReason
from zedbg.engine.sessions import interruption
from zedbg.engine.sessions.deadlines import seconds_until, shorter
from zedbg.engine.sessions.watchdog import Watchdog
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.debug import ALL_THREADS
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable, NotReady

if TYPE_CHECKING:
    from zedbg.engine.sessions.session import Session
    from zedbg.engine.threads.device import Device

# After the first thread of a stop, those of other devices are given time to arrive at the same
# place by themselves: until none came for a while, but never long.
_SEVERAL = 2
_SETTLE_QUIET_SECONDS = 0.01
_SETTLE_SECONDS = 0.1


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
                for error in device.module_catches.release():
                    self._session.notify(Message(str(error), Severity.WARNING))

    def wait(self, timeout: float | None) -> Outcome | None:
        """What running ends with; None when the time was over first."""
        session = self._session
        deadline = None if timeout is None else time.monotonic() + timeout
        watchdog = Watchdog(session)
        while True:
            if not self.wait_watched(self.has_news, deadline, watchdog):
                return None
            exited = session.exited
            if exited is not None:
                return self.caught_before_end() or exited
            caught = self.caught_before_departure()
            if caught is not None:
                return caught
            if session.interrupt_requested:
                return self.stop_now(StopReason.INTERRUPT)
            hits = self.judge_new_stops(resume_false=True, together=True)
            if hits:
                self.settle()
                return self.collect(hits)
            caught = self.take_catch()
            if caught is not None:
                self.halt()
                return self.report(caught)

    def collect_unreported(self) -> Outcome | None:
        """What happened since the last stop and would be lost by resuming: one stop of it."""
        hits = self.judge_new_stops(resume_false=False)
        if hits:
            return self.collect(hits)
        caught = self.take_catch()
        return None if caught is None else self.report(caught)

    def wait_watched(
        self, predicate: Callable[[], bool], deadline: float | None, watchdog: Watchdog
    ) -> bool:
        """Waits for ``predicate`` while ``watchdog`` watches; False when it is ``deadline``."""
        while True:
            remaining = seconds_until(deadline)
            silence = watchdog.seconds_left()
            if self.wait_for(predicate, shorter(remaining, silence)):
                return True
            if deadline is not None and time.monotonic() >= deadline:
                return False
            if silence is not None and (watchdog.seconds_left() or 0) <= 0:
                watchdog.speak()
                self._session.waits()

    def caught_before_end(self) -> Stop | None:
        """What the program was caught at just before its end, if that has not been told: nobody
        could hear of it afterwards. Then the end is what comes next."""
        self._session.settle()
        caught = self.take_catch()
        return None if caught is None else self.report(caught)

    def caught_before_departure(self) -> Stop | None:
        """The same where the program has left all its devices, and goes on without: when all has
        been told, these are forgotten."""
        if any(device.attached for device in self._session.devices):
            return None
        caught = self.take_catch()
        if caught is not None:
            return self.report(caught)
        self._session.retire_detached_devices()
        return None

    def take_catch(self) -> Stop | None:
        """What a catchpoint caught that no thread did, the oldest first; None when nothing."""
        for device in self._session.devices:
            caught = device.module_catches.take()
            if caught is not None:
                return caught.stop()
        return self._session.page_faults.take_caught()

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        """Waits for ``predicate``, and shows what happens meanwhile; False when time is over."""
        session = self._session

        def look() -> bool:
            session.waits()
            return predicate()

        return session.condition.wait_for(look, timeout)

    def wait_for_exit(self) -> Outcome:
        """After a device went away under a step: the exit, or the program's next stop."""
        if self._session.non_stop:
            return self._session.exited or Exited()
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
            for device in session.devices:
                threads = device.stopped_threads()
                device.read_together(threads, *STOP_REGISTERS)
                hits += [Hit(thread, reason, thread.active_lanes) for thread in threads]
        return self.report(build_stop(hits, session.previous_focus()))

    def judge_new_stops(self, resume_false: bool, together: bool = False) -> list[Hit]:
        """Takes the stops that threads reported; threads that stopped for nothing go on.

        Without ``resume_false`` those stay halted like everything else, until the next resume.
        In non-stop mode they always go on, and threads that a command moves are left to it.
        ``together``: at once, if no other is stopped; only where no single thread is waited for.
        """
        hits: list[Hit] = []
        for device in self._session.devices:
            arrived = [thread for thread in device.new_stops if not thread.is_moved]
            if not arrived:
                continue
            for thread in arrived:
                del device.new_stops[thread]
            stopped_for_nothing = []
            device.read_together(arrived, *STOP_REGISTERS)
            with device.reading_ahead(), self._session.breakpoints.standing():
                for thread in arrived:
                    try:
                        hit = judge(thread, self._session.breakpoints)
                    except (LevelZeroError, NoThreadError) as error:
                        self._lost(thread, error)
                    else:
                        if hit is not None:
                            thread.interrupt_wanted = False
                            hits.append(hit)
                        else:
                            stopped_for_nothing.append(thread)
            if self._session.non_stop or (resume_false and not hits):
                self._resume(device, stopped_for_nothing, together)
        return hits

    def _resume(self, device: Device, threads: list[HardwareThread], together: bool) -> None:
        """Lets ``threads`` go on; all at once they stay in step.

        The driver's word for all of them also takes a thread whose stop has been read, but not been
        taken: it stops again at once, since its cause is still set, and that is told again. Whoever
        waited for that thread would meanwhile believe that it is stopped.
        """
        if together and device.only_stopped(threads):
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
            interruption.INTERRUPT_SECONDS,
        )
        for device in session.devices:
            device.stands_still = device.interrupts_pending <= 0
        if not answered:
            session.notify(Message("The device does not answer an interrupt.", Severity.ERROR))

    def report(self, stop: Stop) -> Stop:
        """Makes ``stop`` the session's, with its focus; hit temporary breakpoints go."""
        session = self._session
        session.stopped_with(stop)
        for breakpoint_ in stop.breakpoints:
            session.breakpoints.stopped_at(breakpoint_)
        session.notify(Stopped(stop))
        return stop

    def has_news(self) -> bool:
        """Whether anything happened that may end the wait for a stop."""
        session = self._session
        devices = session.devices
        return (
            (session.interrupt_requested and not session.non_stop)
            or session.exited is not None
            or bool(self.arrivals())
            or any(device.module_catches.caught for device in devices)
            or session.page_faults.is_caught
            or (bool(devices) and not any(device.attached for device in devices))
        )

    def settle(self) -> None:
        """Waits a moment for threads of other devices to stop by themselves.

        Each driver tells at once of all the threads of a device that it finds stopped (Intel's asks
        ten times a second which are): to wait for more of them would not bring any.
        """
        if sum(device.attached for device in self._session.devices) < _SEVERAL:
            return
        deadline = time.monotonic() + _SETTLE_SECONDS
        while time.monotonic() < deadline:
            arrived = partial(self._arrived_since, self.arrivals())
            if not self._session.condition.wait_for(arrived, _SETTLE_QUIET_SECONDS):
                return

    def arrivals(self) -> int:
        """How many stops there are that nobody has judged, but those of threads that are moved."""
        devices = self._session.devices
        return sum(not thread.is_moved for device in devices for thread in device.new_stops)

    def _arrived_since(self, before: int) -> bool:
        """Whether not just ``before`` stops have arrived that nobody has judged."""
        return self.arrivals() != before

    def collect(self, hits: list[Hit]) -> Outcome:
        """Halts the rest, and makes one stop of everything that hit by then."""
        session = self._session
        self.halt()
        hits += self.judge_new_stops(resume_false=False)
        exited = session.exited
        if exited is not None:
            return exited
        session.interrupt_requested = False
        return self.report(
            build_stop(hits, session.previous_focus(), session.page_faults.take_address())
        )
