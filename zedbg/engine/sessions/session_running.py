"""The part of a session that lets the program run, waits for stops, and interrupts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.sessions.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions.session_state import SessionState
from zedbg.engine.sessions.session_steps import SessionSteps
from zedbg.engine.sessions.signals import interrupt_on_sigint

if TYPE_CHECKING:
    from zedbg.engine.sessions.non_stop import NonStop
    from zedbg.engine.threads.thread import HardwareThread


class SessionRunning(SessionSteps):
    """What a session does to all threads, or to those that are named.

    Methods that run the program block until it stops, but for those in the background.
    """

    def continue_(
        self,
        timeout: float | None = None,
        *,
        all_threads: bool = False,
        background: bool = False,
    ) -> Outcome | None:
        """Lets everything run until something stops; None when ``timeout`` seconds were over.

        While values are watched, only the threads that they are watched in run; when the time is
        over they are stopped. In non-stop mode the focused thread goes on, or those that are
        stopped with ``all_threads``; it ends with the next stop of any thread, and with
        ``background`` at once, with None.
        """
        session = self._session
        with session.condition, interrupt_on_sigint(session):
            session._require_process()
            if background:
                session.require_non_stop()
            if session._non_stop is not None:
                return self._continue_some(session._non_stop, timeout, all_threads, background)
            if session.state is SessionState.STOPPED:
                found = self._run_control.collect_unreported()
                if found is not None:
                    return self._over(found)
                watched = session.breakpoints.watched_threads()
                if watched:
                    return self._watch(watched, timeout)
                if session.scheduler_locking is SchedulerLocking.ON and session.focus is not None:
                    return self._continue_alone()
                self._resumed()
                self._run_control.resume_all()
            session._lifecycle.release()
            outcome = self._run_control.wait(timeout)
            return None if outcome is None else self._over(outcome)

    def _continue_some(
        self, non_stop: NonStop, timeout: float | None, all_threads: bool, background: bool
    ) -> Outcome | None:
        session = self._session
        if not background:
            non_stop.forget_told()
        focus = None if all_threads else session.focus
        watched = {} if focus is None else session.breakpoints.watched_threads()
        if focus is not None and focus.thread in watched:
            alone = {focus.thread: watched[focus.thread]}
            if not background:
                return self._watch(alone, timeout)
            self.in_background(lambda: self._watch(alone, None))
            return None
        if focus is not None or all_threads:
            self._resumed()
            non_stop.resume(None if focus is None else focus.thread)
        elif session.state is SessionState.STOPPED:
            session.require_focus()  # says why there is none
        else:
            non_stop.resume(None)
        session._lifecycle.release()
        return None if background else non_stop.wait(timeout)

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """The stop that there is, or the next one; None when ``timeout`` seconds were over.

        In non-stop mode each stop is given once, oldest first.
        """
        session = self._session
        with session.condition, interrupt_on_sigint(session):
            if session._non_stop is not None:
                return session._non_stop.wait(timeout)
        if session.state is SessionState.STOPPED and session.stop is not None:
            return session.stop
        return self.continue_(timeout)

    def interrupt(self) -> None:
        """Asks whoever waits to stop everything; may be called from any thread.

        In non-stop mode, a command that moves one thread stops that one only.
        """
        session = self._session
        with session.condition:
            if self._foreground is not None:
                self._foreground.interrupt_wanted = True
            else:
                session.interrupt_requested = True
            session.condition.notify_all()

    def interrupt_thread(self, device: int, number: int) -> Stop | None:
        """Stops one running thread, in non-stop mode; None when it does not run."""
        session = self._session
        with session.condition:
            found = session.device(device)
            if not 1 <= number <= found.topology.thread_count:
                raise NoThreadError(f"Invalid thread ID: {device}.{number}")
            thread = found.thread(found.topology.thread(number - 1))
            if thread.is_at_rest:
                raise NoThreadError(f"Thread {thread.id} ({thread.name}) is stopped already.")
            return session._require_non_stop().interrupt_one(thread)

    def interrupt_threads(
        self, wanted: Callable[[HardwareThread], bool] = lambda _thread: True
    ) -> Stop | None:
        """Stops every running thread that is ``wanted``, in non-stop mode; None when none was.

        ``wanted`` is asked of stopped threads: those that it refuses go on.
        """
        session = self._session
        with session.condition:
            return session._require_non_stop().interrupt_those(wanted)
