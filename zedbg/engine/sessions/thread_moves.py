"""Commands that move a thread and wait for its stop, or do so in the background."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.engine_errors import TimeTravelError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stops import Outcome
from zedbg.engine.ground.notifier import Message, Severity
from zedbg.engine.ground.signals import Interruptible, interrupt_on_sigint
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.stepping.advancer import Advancer
from zedbg.engine.stepping.watching import Watcher, watch
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError

_Moved = TypeVar("_Moved")

_BEGIN_SECONDS = 10.0


class ThreadMoves:
    """What each command that moves a thread of ``session`` needs around it: no stop is lost, Ctrl-C
    is heard, and the end of the program is one of the outcomes. ``control`` gives the session's run
    control. Methods raise what those of the session do."""

    def __init__(
        self, session: Interruptible, state: EngineState, control: Callable[[], RunControl]
    ) -> None:
        self._session = session
        self._state = state
        self._get_control = control
        self._begun = 0

    def step(
        self, move: Callable[[Advancer], Outcome | None], follow_lane: bool = False
    ) -> Outcome:
        """Lets ``move`` move the focused thread; None means that it came to where it should.
        ``follow_lane``: only lines at which the focused lane is active count."""

        def moved(focus: Focus) -> Outcome:
            lane = focus.lane if follow_lane else None
            stepper = Advancer(self._state, self._get_control(), focus.thread, lane)
            ended = move(stepper)
            return stepper.done() if ended is None else ended

        return self.move_focused(moved)

    def move_focused(self, move: Callable[[Focus], Outcome]) -> Outcome:
        """Lets ``move`` move the focused thread. Stops that have not been reported come first:
        moving on would lose them. TimeTravelError while another device shows the past."""
        with self._state.condition, interrupt_on_sigint(self._session):
            self._state.debuggee.require_running()
            control = self._get_control()
            focus = control.require_focus()
            shown = self._state.past.device
            if shown is not None and shown is not focus.thread.device:
                raise TimeTravelError(
                    f"Device {shown.number} shows the past: return with goto end before anything "
                    "else moves."
                )
            unreported = control.unreported(focus.thread)
            if unreported is not None:
                return control.over(unreported)
            with self._moving(focus.thread):
                outcome = self._or_exit(focus.thread, lambda: move(focus))
                return self._get_control().over(outcome)

    def watch(
        self, watched: Mapping[HardwareThread, list[Breakpoint]], timeout: float | None
    ) -> Outcome | None:
        """Lets the threads of ``watched`` go on, by single instructions, until a value changes;
        None when ``timeout`` seconds were over: then they are stopped where they have come to."""
        deadline = None if timeout is None else time.monotonic() + timeout
        first = next(iter(watched))
        with self._moving(first):
            control = self._get_control()
            watchers = [Watcher(self._state, control, *each, deadline) for each in watched.items()]
            outcome = self._or_exit(first, lambda: watch(watchers, deadline))
            if outcome is None:
                control.half_done()
                return None
            return self._get_control().over(outcome)

    def in_background(self, action: Callable[[], object]) -> None:
        """Starts ``action``, which moves a thread, on a thread of its own, and returns when it has
        begun. Errors are reported as messages."""
        begun = self._begun
        worker = threading.Thread(
            target=lambda: self._report_errors(action), name="zedbg-step", daemon=True
        )
        self._state.workers.add(worker)
        worker.start()
        self._state.condition.wait_for(
            lambda: self._begun > begun or not worker.is_alive(), _BEGIN_SECONDS
        )

    def _report_errors(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:  # there is no caller to raise it to
            self._state.notifier.notify(Message(str(error), Severity.ERROR))
        finally:
            self._state.workers.discard(threading.current_thread())
            self._session.wake()

    @contextlib.contextmanager
    def _moving(self, thread: HardwareThread) -> Iterator[None]:
        """While a command moves ``thread``; in non-stop mode its stops are the command's."""
        control = self._get_control()
        control.resumed()
        self._begun += 1
        thread.interrupt_wanted = False
        control.begin_move(thread)
        try:
            yield
        except BaseException:
            # Half a step is a stop, too: the rest never ran.
            self._get_control().half_done()
            raise
        finally:
            self._get_control().end_move(thread)
            self._state.condition.notify_all()

    def _or_exit(self, thread: HardwareThread, move: Callable[[], _Moved]) -> _Moved | Outcome:
        """What ``move`` gives; the program's end where a call fails since it has just died."""
        try:
            return move()
        except LevelZeroError:
            if not self._state.debuggee.is_gone(thread.device):
                raise
            return self._get_control().wait_for_exit()
