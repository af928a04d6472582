"""Non-stop mode: what stops is reported while everything else runs on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.engine_errors import ProgramRunsError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.notifications import FocusChanged
from zedbg.engine.events.stop_builder import Hit
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.running.interruption import interrupt_thread
from zedbg.engine.running.run_control import Others, RunControl
from zedbg.engine.running.watchdog import Watchdog
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread


class NonStop(RunControl):
    """Run control in non-stop mode: a stop is that of the threads that hit.

    A thread of its own judges what stops as it comes, and reports it to the session.
    """

    def __init__(
        self,
        state: EngineState,
        ended: Callable[[Exited], None],
        forget_devices: Callable[[], None],
    ) -> None:
        super().__init__(state, ended, forget_devices)
        self._closed = False
        self._outcomes: deque[Outcome] = deque()  # reported, and not waited for yet
        self._foreground: HardwareThread | None = None  # that a command moves while it blocks
        threading.Thread(target=self._judge, name="zedbg-non-stop", daemon=True).start()

    def close(self) -> None:
        self._closed = True
        self._state.condition.notify_all()

    def leave(self) -> None:
        self.halt()  # what hits a breakpoint just now is to go on, too
        self.close()

    # --- what there is -------------------------------------------------------------------------

    @property
    def run_state(self) -> SessionState:
        """The program counts as stopped while any thread is."""
        stopped = any(device.rests() for device in self._debuggee.devices)
        return SessionState.STOPPED if stopped else SessionState.RUNNING

    @property
    def focus(self) -> Focus | None:
        focus = self._state.focus.current
        return focus if focus is not None and focus.thread.is_at_rest else None

    def require_stopped(self) -> None:
        pass

    def require_focus(self) -> Focus:
        if self._state.focus.current is None and self.run_state is SessionState.RUNNING:
            raise ProgramRunsError
        return self._state.focus.require()

    # --- what the user asks for ----------------------------------------------------------------

    def attached(self, background: bool) -> Outcome | None:
        if background:
            return None
        stop = self.interrupt_those(lambda _thread: True)
        return stop or self.report(Stop(StopReason.INTERRUPT))

    def before_continue(self, background: bool) -> Outcome | None:
        """What was reported up to now need not be waited for."""
        if not background:
            self._outcomes.clear()
        return None

    def watched_threads(self, all_threads: bool) -> dict[HardwareThread, list[Breakpoint]]:
        focus = self.focus
        if focus is None or all_threads:
            return {}
        watched = self._state.breakpoints.watched_threads()
        return {focus.thread: watched[focus.thread]} if focus.thread in watched else {}

    @property
    def continues_alone(self) -> bool:
        return False

    def resume(self, all_threads: bool) -> None:
        focus = None if all_threads else self.focus
        if focus is not None or all_threads:
            self.resumed()
        elif self.run_state is SessionState.STOPPED:
            self.require_focus()  # says why there is none
            return
        self.resume_threads(None if focus is None else focus.thread)

    def wait(self, timeout: float | None) -> Outcome | None:
        """The oldest outcome that no caller has got, or the next one. None when ``timeout`` seconds
        were over, or the user interrupted the wait."""
        state = self._state
        deadline = None if timeout is None else time.monotonic() + timeout
        self.wait_watched(
            lambda: bool(self._outcomes) or state.interrupt_requested or self._closed,
            deadline,
            Watchdog(state),
        )
        if state.interrupt_requested:
            state.interrupt_requested = False
            return self.interrupt_those(lambda _thread: True) if not self._outcomes else None
        return self._outcomes.popleft() if self._outcomes else None

    def wait_only(
        self, timeout: float | None, go_on: Callable[[float | None], Outcome | None]
    ) -> Outcome | None:
        return self.wait(timeout)

    def wait_for_exit(self) -> Outcome:
        return self._debuggee.exited or Exited()

    def interrupt(self) -> None:
        """A command that moves one thread stops that one only."""
        if self._foreground is not None:
            self._foreground.interrupt_wanted = True
        else:
            self._state.interrupt_requested = True

    def interrupt_one(self, thread: HardwareThread) -> Stop | None:
        if thread.is_moved:
            thread.interrupt_wanted = True
            self._state.condition.notify_all()
            return None
        thread.interrupt_wanted = thread.is_moved = True  # its stop is ours to report
        try:
            stopped = interrupt_thread(self._debuggee, thread)
        finally:
            thread.is_moved = False
        if not stopped:
            thread.interrupt_wanted = False
            return None
        return self._returned(self.judge_new_stops(resume_false=True))

    def interrupt_those(self, wanted: Callable[[HardwareThread], bool]) -> Stop | None:
        """What a thread executes is known when it is stopped: all are, for a moment, and those that
        are not wanted go on."""
        devices = [device for device in self._debuggee.devices if device.attached]
        resting = {each for device in devices for each in device.stopped_threads()}
        self.halt()
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
        self._state.condition.notify_all()
        hits += self.judge_new_stops(resume_false=True)
        return self._returned(hits)

    # --- while a command moves a thread --------------------------------------------------------

    def unreported(self, thread: HardwareThread) -> Stop | None:
        """The stop of ``thread`` if it has just come, and has not been reported; reports it."""
        if not any(thread in device.new_stops for device in self._debuggee.devices):
            return None
        return self._returned(self.judge_new_stops(resume_false=True))

    def begin_move(self, thread: HardwareThread) -> None:
        """Its stops are the command's."""
        thread.is_moved = True
        if threading.current_thread() is threading.main_thread():
            self._foreground = thread

    def end_move(self, thread: HardwareThread) -> None:
        thread.is_moved = False
        if self._foreground is thread:
            self._foreground = None

    def half_done(self) -> None:
        pass

    def over(self, outcome: Outcome) -> Outcome:
        if not self._state.is_in_background:
            self._not_waited_for(outcome)
        return outcome

    def others_during_step(self, locking: SchedulerLocking) -> Others:
        return Others.RUN_ON

    def is_interrupted(self, thread: HardwareThread) -> bool:
        return thread.interrupt_wanted

    def halt_moved(self, thread: HardwareThread) -> bool:
        return interrupt_thread(self._debuggee, thread)

    @property
    def interrupt_ends_wait(self) -> bool:
        return False

    def may_resume_false(self, wanted: bool, hits: bool) -> bool:
        return True

    # --- what happens --------------------------------------------------------------------------

    def stopped_with(self, stop: Stop) -> None:
        self._state.stop = stop
        for each in stop:
            each.thread.is_moved = False
        self._offer(stop)
        if self._keeps_focus(stop):
            return
        lane = self._state.focus.follow(stop)
        if lane is not None:
            self._state.notifier.notify(FocusChanged(lane))

    def _keeps_focus(self, stop: Stop) -> bool:
        """Whether the user looks at a thread that ``stop`` does not concern."""
        focus = self._state.focus.current
        if focus is None or any(each.thread is focus.thread for each in stop):
            return False
        return focus.thread.is_stopped or focus.thread.is_moved

    def _offer(self, outcome: Outcome) -> None:
        """Keeps ``outcome`` for the next caller that waits, and wakes those that wait."""
        self._outcomes.append(outcome)
        self._state.condition.notify_all()

    def _not_waited_for(self, outcome: Outcome) -> None:
        """A command has returned ``outcome``: no caller needs to wait for it."""
        if outcome in self._outcomes:
            self._outcomes.remove(outcome)

    def _judge(self) -> None:
        with self._state.condition:
            while True:
                self._state.condition.wait_for(lambda: self._closed or self.has_news())
                if self._closed:
                    return
                exited = self._debuggee.exited
                if exited is not None:
                    while self.caught_before_end() is not None:
                        pass  # reporting it is all there is to do
                    self._ended(exited)
                    self._offer(exited)
                    return
                try:
                    self._judge_what_came()
                except Exception as error:  # the session must go on, whatever a condition does
                    self._state.warn(str(error))

    def _judge_what_came(self) -> None:
        if self.caught_before_departure() is not None:
            return
        hits = self.judge_new_stops(resume_false=True)
        if hits:
            for each in hits:
                each.thread.is_moved = True  # its stop is not reported yet: it must not go on
            self.settle()
            for each in hits:
                each.thread.is_moved = each.thread.interrupt_wanted = False
            if self._closed:
                return
            hits += self.judge_new_stops(resume_false=True)
            self._report(hits)
        caught = self.take_catch()
        if caught is not None:
            self.report(caught)

    def _report(self, hits: list[Hit]) -> Stop | None:
        """One stop of ``hits``; None when there are none."""
        return self.report(self.stop_of(hits)) if hits else None

    def _returned(self, hits: list[Hit]) -> Stop | None:
        """Reports a stop that a command returns: no caller needs to wait for it."""
        stop = self._report(hits)
        if stop is not None:
            self._not_waited_for(stop)
        return stop
