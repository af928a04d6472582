"""What happens between letting a program run and its next stop, or its end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from zedbg.api.breakpoint import Breakpoint
from zedbg.api.errors import EndedError
from zedbg.api.messages import Messages
from zedbg.api.stack_report import stack_report
from zedbg.api.stopped_state import StoppedState
from zedbg.api.stops import Outcome, Stop
from zedbg.api.time_limit import TimeLimit
from zedbg.engine.breakpoints.breakpoint import Breakpoint as EngineBreakpoint
from zedbg.engine.engine_errors import AttachError
from zedbg.engine.events.stops import Outcome as EngineOutcome
from zedbg.engine.events.stops import Stop as EngineStop
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.user_error import UserError

_GRACE_SECONDS = 5.0

Action = Callable[[float | None], EngineOutcome | None]
"""Lets the program run, for so many seconds at most."""


class ProgramRun:
    """Lets the program of ``engine`` run, and takes what that ends with.

    ``stop``: the newest one, None while the program runs; ``exited``: how it ended; ``state``: what
    is known of the threads of that stop; ``breakpoint_of`` gives what scripts have of a breakpoint.
    """

    def __init__(
        self,
        engine: EngineSession,
        breakpoint_of: Callable[[EngineBreakpoint], Breakpoint],
        time_limit: float | None,
    ) -> None:
        """``time_limit``: after so many seconds the program is killed; None: never."""
        self._engine = engine
        self._breakpoint_of = breakpoint_of
        self.state = StoppedState(engine)
        self.stop: Stop | None = None
        self.exited: Exited | None = None
        self._messages = Messages(engine)
        self._waiting = 0
        self._interrupt_asked = False  # by a caller; Ctrl-C is none
        self._limit: TimeLimit | None = None
        if time_limit is not None:
            self.limit(time_limit)

    def limit(self, seconds: float) -> None:
        """From now on the program has so many ``seconds``."""
        self._limit = TimeLimit(seconds, self._report_and_kill)

    def heard(self) -> list[str]:
        """What the engine has said so far."""
        self._hear()
        return list(self._messages.texts)

    def until_stop(self, action: Action, timeout: float | None) -> Outcome | None:
        """Lets the program run until something that no callback has an answer to; None when
        ``timeout`` seconds were over."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            self._forget_stop()
            outcome = self._wait(action, deadline)
            if not isinstance(outcome, Stop) or not self._goes_on(outcome):
                return outcome
            action = self._engine.continue_

    def move(self, action: Callable[[], EngineOutcome]) -> Stop:
        """One thread moves, all others stay. Raises EndedError."""
        self.state.changed()
        moved = self._wait(lambda _: action(), None)
        if isinstance(moved, Exited):
            raise EndedError(moved)
        assert moved is not None
        return moved

    def stayed(self) -> None:
        """Threads were asked to move, and are where they were."""
        self.state.changed()
        self._hear()

    def took(self, outcome: EngineOutcome | None) -> Outcome | None:
        """What a run ended with, as scripts have it. Raises AttachError where the program used a
        device and could not be debugged."""
        if outcome is None:
            return None
        if isinstance(outcome, Exited):
            self.exited = outcome
            self._end_limit()
            self._messages.explain_end()
            if self._messages.refused is not None:
                raise AttachError(self._messages.refused)
            return outcome
        self.stop = Stop(self.state, outcome, self._breakpoint_of, self.move)
        return self.stop

    def follow_engine(self, before: EngineStop | None) -> None:
        """Something else than this may have let the program run since the stop ``before``."""
        self.state.changed()
        if self._engine.stop is not before:
            self._forget_stop()
        if self.stop is None and self._engine.stop is not None:
            self.took(self._engine.stop)
        self._hear()

    def attach(self, pid: int) -> None:
        """Stops what process ``pid`` runs. Raises AttachError."""
        self._interrupt_asked = True
        self.until_stop(lambda _: self._engine.attach(pid), None)

    def interrupt(self) -> None:
        """Asks the call that waits to stop everything."""
        self._interrupt_asked = True
        self._engine.interrupt()

    def kill(self) -> None:
        """Ends the program, if it is still there."""
        self._end_limit()
        if self._engine.process is not None:
            self.exited = self._engine.kill()
        self._forget_stop()
        self._hear()

    def detach(self) -> None:
        """Lets the program go on by itself, if it is still there."""
        self._end_limit()
        self._forget_stop()
        if self._engine.process is not None:
            self._engine.detach()
        self._hear()

    def stop_for_report(self, seconds: float) -> None:
        """Stops the program if it runs, whether another thread waits for it or not; waits so many
        ``seconds`` for that."""
        engine = self._engine
        if engine.state is not SessionState.RUNNING:
            return
        self.interrupt()
        if self._waiting:
            with engine.condition:
                engine.condition.wait_for(lambda: engine.state is not SessionState.RUNNING, seconds)
        else:
            engine.wait(seconds)

    def _wait(self, action: Action, deadline: float | None) -> Outcome | None:
        self._check_limit()
        remaining = None if deadline is None else max(deadline - time.monotonic(), 0)
        self._waiting += 1
        try:
            outcome = action(remaining)
        except UserError:
            self._check_limit()
            raise
        finally:
            self._waiting -= 1
            self._hear()
        self._check_limit()
        asked, self._interrupt_asked = self._interrupt_asked, False
        took = self.took(outcome)
        if isinstance(took, Stop) and took.reason is StopReason.INTERRUPT and not asked:
            raise KeyboardInterrupt
        return took

    def _goes_on(self, stop: Stop) -> bool:
        """Whether callbacks answer for everything that stopped, and let it go on."""
        hit = stop.breakpoints
        if not hit or not all(each.callback is not None for each in hit):
            for each in hit:
                if each.callback is not None:
                    each.callback(stop)
            return False
        answers = [each.callback(stop) for each in hit if each.callback is not None]
        return all(answer is False for answer in answers) and self.stop is stop

    def _forget_stop(self) -> None:
        """The program runs, or is gone: threads of earlier stops are not what they were."""
        self.state.is_over = True
        self.state = StoppedState(self._engine)
        self.stop = None

    def _hear(self) -> None:
        """Takes what the engine has said."""
        self.exited = self._messages.hear() or self.exited

    def _check_limit(self) -> None:
        if self._limit is not None:
            self._limit.check()

    def _end_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()

    def _report_and_kill(self) -> str:
        """The time is over: says where everything is, and kills the program."""
        process = self._engine.process
        if process is None:
            return "The program had ended."
        report = self._report_of_the_end()
        self._forget_stop()
        with contextlib.suppress(UserError):
            self.exited = self._engine.kill()
        process.kill()
        return report

    def _report_of_the_end(self) -> str:
        """Where its threads are; stops it for that, unless it is stopped."""
        try:
            self.stop_for_report(_GRACE_SECONDS)
            return stack_report(self._engine)
        except UserError as error:
            return error.line
