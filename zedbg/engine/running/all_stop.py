"""All-stop mode: when one thread stops, all do."""

from __future__ import annotations

import time
from collections.abc import Callable

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.engine_errors import AllStopError, NotRunningError, ProgramRunsError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.notifications import FocusChanged
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.running.run_control import Others, RunControl
from zedbg.engine.running.watchdog import Watchdog
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread

# For so long after the user asked for a stop, conditions of breakpoints are still tried.
_PATIENCE_SECONDS = 0.1


class AllStop(RunControl):
    """Run control in all-stop mode."""

    def __init__(
        self,
        state: EngineState,
        ended: Callable[[Exited], None],
        forget_devices: Callable[[], None],
        run_state: SessionState,
    ) -> None:
        super().__init__(state, ended, forget_devices)
        self._run_state = run_state
        self._interrupted_at: float | None = None  # when the user asked for a stop

    @property
    def run_state(self) -> SessionState:
        return self._run_state

    @property
    def focus(self) -> Focus | None:
        return self._state.focus.current if self._is_stopped else None

    @property
    def _is_stopped(self) -> bool:
        return self._run_state is SessionState.STOPPED

    def require_stopped(self) -> None:
        if self._run_state is SessionState.NO_PROCESS:
            raise NotRunningError
        if not self._is_stopped:
            raise ProgramRunsError

    def require_focus(self) -> Focus:
        self.require_stopped()
        return self._state.focus.require()

    def attached(self, background: bool) -> Outcome | None:
        return self.over(self.stop_now(StopReason.INTERRUPT))

    def leave(self) -> None:
        pass

    def close(self) -> None:
        pass

    def before_continue(self, background: bool) -> Outcome | None:
        return self._collect_unreported() if self._is_stopped else None

    def _collect_unreported(self) -> Outcome | None:
        """What happened since the last stop and would be lost by resuming: one stop of it."""
        hits = self.judge_new_stops(resume_false=False)
        if hits:
            return self.collect(hits)
        caught = self.take_catch()
        return None if caught is None else self.report(caught)

    def watched_threads(self, all_threads: bool) -> dict[HardwareThread, list[Breakpoint]]:
        if not self._is_stopped:
            return {}
        focus = self.focus
        return self._state.breakpoints.watched_threads(None if focus is None else focus.thread)

    @property
    def continues_alone(self) -> bool:
        is_locked = self._state.settings.scheduler_locking is SchedulerLocking.ON
        return is_locked and self.focus is not None

    def resume(self, all_threads: bool) -> None:
        if self._is_stopped:
            self.resumed()
            self.resume_threads(None)

    def resumed(self) -> None:
        self._interrupted_at = None
        self._run_state = SessionState.RUNNING
        super().resumed()

    def wait(self, timeout: float | None) -> Outcome | None:
        state = self._state
        deadline = None if timeout is None else time.monotonic() + timeout
        watchdog = Watchdog(state)
        while True:
            if not self.wait_watched(self.has_news, deadline, watchdog):
                return None
            exited = self._debuggee.exited
            if exited is not None:
                return self.caught_before_end() or exited
            caught = self.caught_before_departure()
            if caught is not None:
                return caught
            if state.interrupt_requested:
                return self.stop_now(StopReason.INTERRUPT)
            hits = self.judge_new_stops(resume_false=True, together=True)
            if hits:
                self.settle()
                return self.collect(hits)
            caught = self.take_catch()
            if caught is not None:
                self.halt()
                return self.report(caught)

    def wait_only(
        self, timeout: float | None, go_on: Callable[[float | None], Outcome | None]
    ) -> Outcome | None:
        if self._is_stopped and self._state.stop is not None:
            return self._state.stop
        return go_on(timeout)

    def wait_for_exit(self) -> Outcome:
        outcome = self.wait(None)
        assert outcome is not None
        return outcome

    def over(self, outcome: Outcome) -> Outcome:
        if self._debuggee.process is not None and isinstance(outcome, Exited):
            self._ended(outcome)
        return outcome

    def unreported(self, thread: HardwareThread) -> Outcome | None:
        return self._collect_unreported()

    def stopped_with(self, stop: Stop) -> None:
        self._state.stop = stop
        self._interrupted_at = None
        self._run_state = SessionState.STOPPED
        lane = self._state.focus.follow(stop)
        if lane is not None:
            self._state.notifier.notify(FocusChanged(lane))

    def interrupt(self) -> None:
        self._state.interrupt_requested = True
        self._interrupted_at = time.monotonic()

    @property
    def must_answer(self) -> bool:
        asked = self._interrupted_at
        return asked is not None and time.monotonic() - asked > _PATIENCE_SECONDS

    def interrupt_one(self, thread: HardwareThread) -> Stop | None:
        raise AllStopError

    def interrupt_those(self, wanted: Callable[[HardwareThread], bool]) -> Stop | None:
        raise AllStopError

    def begin_move(self, thread: HardwareThread) -> None:
        pass

    def end_move(self, thread: HardwareThread) -> None:
        pass

    def half_done(self) -> None:
        if self._run_state is SessionState.RUNNING:
            self._run_state = SessionState.STOPPED

    def others_during_step(self, locking: SchedulerLocking) -> Others:
        return Others.STAY if locking.steps_alone else Others.GO_TOO

    def is_interrupted(self, thread: HardwareThread) -> bool:
        return self._state.interrupt_requested

    def halt_moved(self, thread: HardwareThread) -> bool:
        self.halt()
        return self._debuggee.device_of(thread).is_stopped(thread)

    @property
    def interrupt_ends_wait(self) -> bool:
        return True

    def may_resume_false(self, wanted: bool, hits: bool) -> bool:
        return wanted and not hits
