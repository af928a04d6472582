"""The part of a session that moves one thread: steps, finish, advance, watched values."""

from __future__ import annotations

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from zedbg.engine.events.notifications import Message, Severity
from zedbg.engine.events.stops import Outcome
from zedbg.engine.sessions.signals import interrupt_on_sigint
from zedbg.engine.stepping.advancer import Advancer
from zedbg.engine.stepping.watching import Watcher, watch
from zedbg.levelzero.level_zero_errors import LevelZeroError

if TYPE_CHECKING:
    from zedbg.engine.breakpoints.breakpoint import Breakpoint
    from zedbg.engine.sessions.run_control import RunControl
    from zedbg.engine.sessions.session import Session
    from zedbg.engine.threads.thread import HardwareThread

_Moved = TypeVar("_Moved")

_BEGIN_SECONDS = 10.0


class SessionSteps(ABC):
    """What :class:`zedbg.engine.sessions.session.Session` does to its focused thread.

    NoThreadError when none is stopped; all methods block until the thread has come to where it
    should, or something else ended the command.
    """

    def __init__(self, run_control: RunControl) -> None:
        self._run_control = run_control
        self._moves_begun = 0
        self._workers: set[threading.Thread] = set()  # that move threads in the background
        self._foreground: HardwareThread | None = None  # that a command moves while it blocks

    @abstractmethod
    def _resumed(self) -> None:
        """Something runs again."""

    @abstractmethod
    def _half_done(self) -> None:
        """A command ended before its time: what it moved is stopped all the same."""

    @abstractmethod
    def _over(self, outcome: Outcome) -> Outcome:
        """Takes what running ended with."""

    @abstractmethod
    def _unreported(self, thread: HardwareThread) -> Outcome | None:
        """A stop that nobody has been told of, and that moving ``thread`` would lose."""

    @property
    def _session(self) -> Session:
        return cast("Session", self)

    def step_instruction(self, count: int = 1, over_calls: bool = False) -> Outcome:
        """The focused thread executes ``count`` instructions; all others stay stopped.

        ``over_calls``: a call counts as one.
        """
        return self._step(lambda stepper: stepper.instructions(count, over_calls))

    def step_line(
        self, count: int = 1, over_calls: bool = False, follow_lane: bool = False
    ) -> Outcome:
        """The focused thread goes on to another source line, ``count`` times.

        ``over_calls``: a line's calls belong to it. ``follow_lane``: lines that leave the focused
        lane inactive do not count.
        """
        return self._step(lambda stepper: stepper.lines(count, over_calls), follow_lane)

    def finish(self, level: int = 0) -> Outcome:
        """The focused thread runs until its frame ``level`` returns; NoThreadError for a kernel's
        own frame, or when the calling one is not known."""
        return self._step(lambda stepper: stepper.finish(level))

    def until_line(self, follow_lane: bool = False) -> Outcome:
        """As a step over calls, but not back to the start of a loop."""
        return self._step(lambda stepper: stepper.until_line(), follow_lane)

    def advance_to(self, spec: str, within_frame: bool = False) -> Outcome:
        """The focused thread runs to a place (as in :meth:`break_at`) of its module;
        BreakpointError when there is none. ``within_frame``: or until its frame returns."""
        return self._step(lambda stepper: stepper.to_place(spec, within_frame))

    def _continue_alone(self) -> Outcome:
        """The focused thread runs until it hits something, or ends."""
        return self._step(lambda stepper: stepper.run_to(()))

    def _step(
        self, move: Callable[[Advancer], Outcome | None], follow_lane: bool = False
    ) -> Outcome:
        """Lets ``move`` move the focused thread. Stops that nobody has been told of come first:
        moving on would lose them."""
        session = self._session
        with session.condition, interrupt_on_sigint(session):
            focus = session.require_focus()
            unreported = self._unreported(focus.thread)
            if unreported is not None:
                return unreported
            with self._moving(focus.thread):
                lane = focus.lane if follow_lane else None
                stepper = Advancer(session, self._run_control, focus.thread, lane)

                def moved() -> Outcome:
                    ended = move(stepper)
                    return stepper.done() if ended is None else ended

                return self._over(self._or_exit(focus.thread, moved))

    def _or_exit(self, thread: HardwareThread, move: Callable[[], _Moved]) -> _Moved | Outcome:
        """What ``move`` gives; the program's end where a call fails since it has just died."""
        try:
            return move()
        except LevelZeroError:
            if not self._session.device_is_gone(thread.device):
                raise
            return self._run_control.wait_for_exit()

    @contextlib.contextmanager
    def _moving(self, thread: HardwareThread) -> Iterator[None]:
        """While a command moves ``thread``; in non-stop mode its stops are the command's."""
        self._resumed()
        self._moves_begun += 1
        thread.interrupt_wanted = False
        if self._session.non_stop:
            thread.is_moved = True
            if threading.current_thread() is threading.main_thread():
                self._foreground = thread
        try:
            yield
        except BaseException:
            # Half a step is a stop all the same: the rest never ran.
            self._half_done()
            raise
        finally:
            thread.is_moved = False
            if self._foreground is thread:
                self._foreground = None
            self._session.condition.notify_all()

    def _watch(
        self, watched: Mapping[HardwareThread, list[Breakpoint]], timeout: float | None
    ) -> Outcome | None:
        """Lets the threads of ``watched`` go on, by single instructions, until a value changes;
        None when ``timeout`` seconds were over: then they are stopped where they have come to."""
        deadline = None if timeout is None else time.monotonic() + timeout
        session, run_control = self._session, self._run_control
        watchers = [Watcher(session, run_control, *each, deadline) for each in watched.items()]
        first = next(iter(watched))
        with self._moving(first):
            outcome = self._or_exit(first, lambda: watch(watchers, deadline))
            if outcome is None:
                self._half_done()
                return None
            return self._over(outcome)

    # --- in non-stop mode ------------------------------------------------------------------------

    def in_background(self, action: Callable[[], object]) -> None:
        """Starts ``action``, one of the methods here, and does not wait for its end, which is
        told as any stop is; errors are told, too. Only in non-stop mode: ProgramRunsError."""
        session = self._session
        with session.condition:
            session.require_non_stop()
            begun = self._moves_begun
            worker = threading.Thread(
                target=lambda: self._tell_errors(action), name="zedbg-step", daemon=True
            )
            self._workers.add(worker)
            worker.start()
            session.condition.wait_for(
                lambda: self._moves_begun > begun or not worker.is_alive(), _BEGIN_SECONDS
            )

    def _tell_errors(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:  # nobody is there to raise it to
            self._session.notify(Message(str(error), Severity.ERROR))
        finally:
            self._workers.discard(threading.current_thread())
            self._session.wake()

    @property
    def _is_in_background(self) -> bool:
        return threading.current_thread() in self._workers

    def waits(self) -> None:
        """A command waits, and something may have happened: the front end may show it."""
        if not self._is_in_background:
            self._session.while_waiting()
