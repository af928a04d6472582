"""Non-stop mode: what stops is reported while everything else runs on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from zedbg.engine.events.notifications import Message, Severity
from zedbg.engine.events.stop_builder import Hit, build_stop
from zedbg.engine.events.stops import Exited, Outcome, Stop, StopReason
from zedbg.engine.sessions.interruption import interrupt_thread
from zedbg.engine.sessions.run_control import RunControl
from zedbg.engine.sessions.watchdog import Watchdog
from zedbg.levelzero.level_zero_errors import LevelZeroError

if TYPE_CHECKING:
    from zedbg.engine.sessions.session import Session
    from zedbg.engine.threads.thread import HardwareThread


class NonStop:
    """Run control of one process in non-stop mode. Calls are made with the session's lock held.

    A thread of its own judges what stops as it comes, and reports it to the session; ``ended`` is
    called there, with the lock held, when the process is gone.
    """

    def __init__(
        self, session: Session, run_control: RunControl, ended: Callable[[Exited], None]
    ) -> None:
        self._session = session
        self._run = run_control
        self._ended = ended
        self._closed = False
        self._outcomes: deque[Outcome] = deque()  # reported, and not waited for yet
        threading.Thread(target=self._judge, name="zedbg-non-stop", daemon=True).start()

    def close(self) -> None:
        """Nothing is reported from now on."""
        self._closed = True
        self._session.condition.notify_all()

    # --- what the user asks for ----------------------------------------------------------------

    def resume(self, thread: HardwareThread | None) -> None:
        """Lets ``thread`` go on, or (None) every thread that is at rest; and programs that wait
        for a module event to be acknowledged."""
        for device in self._session.devices:
            if not device.attached:
                continue
            try:
                if thread is None:
                    device.resume_all()
                elif thread.device is device:
                    thread.resume()
            except LevelZeroError:
                if not self._session.device_is_gone(device):
                    raise
            for error in device.module_catches.release():
                self._warn(str(error))

    def wait(self, timeout: float | None) -> Outcome | None:
        """The oldest outcome that nobody waited for, or the next one; None when ``timeout`` seconds
        were over, or the user interrupted the wait."""
        session = self._session
        deadline = None if timeout is None else time.monotonic() + timeout
        self._run.wait_watched(
            lambda: bool(self._outcomes) or session.interrupt_requested or self._closed,
            deadline,
            Watchdog(session),
        )
        if session.interrupt_requested:
            session.interrupt_requested = False
            return self.interrupt_those(lambda _thread: True) if not self._outcomes else None
        return self._outcomes.popleft() if self._outcomes else None

    def interrupt_one(self, thread: HardwareThread) -> Stop | None:
        """Stops ``thread``; None when it does not run, or when the command that moves it reports
        the stop."""
        if thread.is_moved:
            thread.interrupt_wanted = True
            self._session.condition.notify_all()
            return None
        thread.interrupt_wanted = thread.is_moved = True  # its stop is ours to report
        try:
            stopped = interrupt_thread(self._session, thread)
        finally:
            thread.is_moved = False
        if not stopped:
            thread.interrupt_wanted = False
            return None
        return self._returned(self._run.judge_new_stops(resume_false=True))

    def interrupt_those(self, wanted: Callable[[HardwareThread], bool]) -> Stop | None:
        """Stops every thread that runs and is ``wanted``; None when there was none.

        What a thread executes is known when it is stopped: all are, for a moment, and those that
        are not wanted go on.
        """
        devices = [device for device in self._session.devices if device.attached]
        resting = {each for device in devices for each in device.stopped_threads()}
        self._run.halt()
        hits = []
        for device in devices:
            found = [each for each in device.stopped_threads() if each not in resting]
            for thread in found:
                if thread in device.new_stops:
                    continue  # it stopped for a reason of its own
                if thread.is_moved:
                    thread.interrupt_wanted = wanted(thread)
                elif wanted(thread):
                    hits.append(Hit(thread, StopReason.INTERRUPT, thread.active_lanes))
                else:
                    thread.resume()
        self._session.condition.notify_all()
        hits += self._run.judge_new_stops(resume_false=True)
        return self._returned(hits)

    def unreported(self, thread: HardwareThread) -> Stop | None:
        """The stop of ``thread`` if it has just come, and has not been reported; reports it."""
        if thread not in thread.device.new_stops:
            return None
        return self._returned(self._run.judge_new_stops(resume_false=True))

    # --- what happens --------------------------------------------------------------------------

    def told(self, outcome: Outcome) -> None:
        """Somebody may wait for ``outcome``."""
        self._outcomes.append(outcome)
        self._session.condition.notify_all()

    def forget_told(self) -> None:
        """What was reported up to now need not be waited for."""
        self._outcomes.clear()

    def not_waited_for(self, outcome: Outcome) -> None:
        """A command has returned ``outcome``: nobody needs to wait for it."""
        if outcome in self._outcomes:
            self._outcomes.remove(outcome)

    def _judge(self) -> None:
        session = self._session
        with session.condition:
            while True:
                session.condition.wait_for(lambda: self._closed or self._run.has_news())
                if self._closed:
                    return
                exited = session.exited
                if exited is not None:
                    while self._run.caught_before_end() is not None:
                        pass  # reporting it is all there is to do
                    self._ended(exited)
                    self.told(exited)
                    return
                try:
                    self._judge_what_came()
                except Exception as error:  # the session must go on, whatever a condition does
                    self._warn(str(error))

    def _judge_what_came(self) -> None:
        if self._run.caught_before_departure() is not None:
            return
        hits = self._run.judge_new_stops(resume_false=True)
        if hits:
            for each in hits:
                each.thread.is_moved = True  # nobody knows of its stop: it is not to go on
            self._run.settle()
            for each in hits:
                each.thread.is_moved = each.thread.interrupt_wanted = False
            if self._closed:
                return
            hits += self._run.judge_new_stops(resume_false=True)
            self._report(hits)
        caught = self._run.take_catch()
        if caught is not None:
            self._run.report(caught)

    def _report(self, hits: list[Hit]) -> Stop | None:
        """One stop of ``hits``; None when there are none."""
        session = self._session
        if not hits:
            return None
        return self._run.report(
            build_stop(hits, session.previous_focus(), session.page_faults.take_address())
        )

    def _returned(self, hits: list[Hit]) -> Stop | None:
        """Reports a stop that a command returns: nobody needs to wait for it."""
        stop = self._report(hits)
        if stop is not None:
            self.not_waited_for(stop)
        return stop

    def _warn(self, text: str) -> None:
        self._session.notify(Message(text, Severity.WARNING))
