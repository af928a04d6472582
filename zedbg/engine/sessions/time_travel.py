"""A session's travels in time: reverse commands, going to a time, checkpoints, other launches."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from zedbg.engine.engine_errors import NoThreadError, PastError, TimeTravelError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import Hit
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.signals import Interruptible, interrupt_on_sigint
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.sessions.thread_moves import ThreadMoves
from zedbg.engine.stepping.condition_tests import (
    as_condition,
    differs_in,
    holds_in,
    values_in,
)
from zedbg.engine.stepping.first_disagreement import FirstDisagreement
from zedbg.engine.stepping.first_moment import FirstMoment
from zedbg.engine.stepping.reverser import Reverser
from zedbg.engine.stepping.time_run import TimeRun
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment, SearchGivenUpError
from zedbg.levelzero.device_time import Recording, RecordingState, Search, TimeHit
from zedbg.levelzero.level_zero_errors import LevelZeroError


@dataclass(frozen=True)
class Checkpoint:
    """A moment of ``device`` that the user wants to come back to, and what had the focus there."""

    number: int
    device: Device
    moment: Moment
    focus: Focus | None
    location: CodeLocation | None


class TimeTravel:
    """Going back and on in the recorded launches of a session. Methods may be called from any
    thread, as those of the session.

    They raise TimeTravelError for a device whose driver offers no recording, in non-stop mode, or
    when there is no such time; LevelZeroError when the driver refuses; and what the session's own
    methods raise without a program, or without a stopped thread. ``control`` gives the session's
    run control; ``require_all_stop`` raises TimeTravelError in non-stop mode.
    """

    def __init__(
        self,
        session: Interruptible,
        state: EngineState,
        control: Callable[[], RunControl],
        moves: ThreadMoves,
        require_all_stop: Callable[[], None],
    ) -> None:
        self._session = session
        self._state = state
        self._past = state.past
        self._get_control = control
        self._moves = moves
        self._require_all_stop = require_all_stop
        self._checkpoints: dict[int, Checkpoint] = {}
        self._next_checkpoint = 1

    # --- where the session is --------------------------------------------------------------------

    @property
    def is_in_past(self) -> bool:
        """Whether a device shows the past."""
        return self._past.device is not None

    def offered_by(self, device: Device) -> bool:
        """Whether ``device`` can go back."""
        return self._past.offers(device)

    def device(self) -> Device:
        """The device that moves in time: the one that shows the past, or the focused thread's, or
        the first one that can. NoThreadError when there is none yet."""
        shown, focus = self._past.device, self._state.focus.current
        if shown is not None:
            return shown
        devices = self._state.debuggee.devices
        if focus is not None and focus.thread.device in devices:
            return self._state.debuggee.device_of(focus.thread)
        self._state.debuggee.require_running()
        found = [each for each in devices if self._past.offers(each)] or devices
        if not found:
            raise NoThreadError("The program has not used a device yet.")
        return found[0]

    def moment(self, device: Device | None = None) -> Moment:
        """Where ``device``, or the one that moves in time, is."""
        with self._state.condition:
            return self._past.moment(device or self.device())

    def recording(self, launch: int | None = None) -> Recording:
        """What is known of ``launch`` of the device that moves in time; None: of the one that it
        shows."""
        with self._state.condition:
            return self._past.recording(self.device(), launch)

    def recordings(self) -> list[Recording]:
        """Of every launch that can be visited, oldest first."""
        with self._state.condition:
            device = self.device()
            newest = self._past.recording(device)
            if newest.state is RecordingState.OFF or not newest.launch:
                return []
            numbers = range(max(newest.oldest, 1), newest.launches + 1)
            return [self._past.recording(device, each) for each in numbers]

    def set_recording(self, enabled: bool, budget: int | None = None) -> None:
        """Records launches or not, from the next one on, on every device that can. ``budget``:
        bytes on each; None: as it is. Switching it off forgets what is recorded, and returns to the
        present. PastError when the budget is to change while the past is shown."""
        with self._state.condition:
            settings = self._state.settings
            if enabled and self._past.device is not None:
                raise PastError
            settings.records, settings.record_budget = enabled, budget
            if not enabled:
                self._past.leave()
            for device in self._state.debuggee.devices:
                if device.attached:
                    self._past.apply_settings(device, settings)

    def require_offered(self) -> None:
        """TimeTravelError when the device cannot go back."""
        with self._state.condition:
            self._past.recording(self.device())

    # --- back ------------------------------------------------------------------------------------

    def step_instruction(self, count: int = 1, over_calls: bool = False) -> Outcome:
        """The focused thread goes back by ``count`` instructions, and the whole device with it.
        ``over_calls``: a call counts as one."""
        return self._back(lambda reverser: reverser.back_instructions(count, over_calls))

    def step_line(
        self, count: int = 1, over_calls: bool = False, follow_lane: bool = False
    ) -> Outcome:
        """The focused thread goes back to the beginning of a source line, ``count`` times; as
        :meth:`zedbg.engine.sessions.session.Session.step_line` goes on."""
        return self._back(lambda reverser: reverser.back_lines(count, over_calls), follow_lane)

    def finish(self, level: int = 0) -> Outcome:
        """The focused thread goes back to the call of its frame ``level``; NoThreadError for a
        kernel's own frame, or when the calling one is not known."""
        return self._back(lambda reverser: reverser.back_to_call(level))

    def back_to(self, spec: str) -> Outcome:
        """The focused thread goes back to where it was at a place of its module last;
        BreakpointError when there is none."""
        return self._back(lambda reverser: reverser.back_to_place(spec))

    def _back(
        self, move: Callable[[Reverser], Outcome | None], follow_lane: bool = False
    ) -> Outcome:
        def moved(focus: Focus) -> Outcome:
            lane = focus.lane if follow_lane else None
            reverser = Reverser(self._state, self._control, focus.thread, lane)
            ended = move(reverser)
            return reverser.done() if ended is None else ended

        self._require_all_stop()
        return self._moves.move_focused(lambda focus: self._interruptible(lambda: moved(focus)))

    def continue_(self) -> Outcome:
        """Back to the last breakpoint that a thread came to, or to the first time."""
        return self._travel(lambda run: run.back())

    def go_on(self) -> Outcome:
        """In the past: on to the next breakpoint that a thread comes to, or to the present."""
        return self._travel(lambda run: run.on())

    # --- to a time -------------------------------------------------------------------------------

    def go_to(self, time: int, launch: int | None = None) -> Outcome:
        """The device shows ``time`` of ``launch``; None: of the one that it shows."""

        def move(run: TimeRun) -> Outcome:
            device = self.device()
            number = self._past.moment(device).launch if launch is None else launch
            self._past.go_to(device, Moment(number, time))
            return self._shown(run)

        return self._travel(move)

    def go_to_first(self, launch: int | None = None) -> Outcome:
        """The device shows the first time of ``launch`` that is recorded."""
        with self._state.condition:
            recording = self._past.recorded(self.device(), launch)
        return self.go_to(recording.first, recording.launch)

    def go_to_present(self) -> Outcome:
        """The device shows the present, as it was left."""

        def move(run: TimeRun) -> Outcome:
            self._past.leave()
            return self._shown(run)

        return self._travel(move)

    def _shown(self, run: TimeRun) -> Stop:
        """The stop where the device has come to; in the present the one that it had there."""
        if self.is_in_past:
            return run.report(StopReason.TRAVEL, "")
        stop, focus = self._state.present
        if focus is not None and focus.thread.is_stopped:
            self._state.focus.prefer(focus.thread, focus.lane)
            hit = Hit(focus.thread, StopReason.TRAVEL, focus.thread.active_lanes)
            shown = self._control.report(self._control.stop_of([hit]))
        else:
            shown = run.report(StopReason.TRAVEL, "")
        self._state.stop = stop or shown
        return shown

    def go_to_first_where(
        self, condition: str, *, bisect: bool = False, differs: bool = False
    ) -> Outcome | None:
        """The device shows the first moment at which ``condition`` holds in an active lane of the
        focused thread; None when there is none, and nothing moved. ``bisect``: it goes on to hold
        once it does. ``differs``: the first moment at which two active lanes have different values
        of it. EvaluationError when it is no expression, ConditionError when it assigns."""

        def search(device: Device, thread: HardwareThread) -> HardwareThread | None:
            expression = as_condition(condition, thread)
            test = differs_in if differs else holds_in
            found = FirstMoment(self._state, device, thread, lambda each: test(expression, each))
            return thread if found.go(bisect) else None

        return self._go_to_first(search)

    def go_to_first_disagreement(self, expression: str) -> Outcome | None:
        """The device shows the first moment at which a work-item comes to a statement with another
        value of ``expression`` than another one had there, each for the same time; that one's
        thread has the focus. None when there is none, and nothing moved. EvaluationError when it is
        no expression, ConditionError when it assigns."""

        def search(device: Device, thread: HardwareThread) -> HardwareThread | None:
            parsed = as_condition(expression, thread)
            values = partial(values_in, parsed)
            return FirstDisagreement(self._state, device, thread, values).go()

        return self._go_to_first(search)

    def _go_to_first(
        self, search: Callable[[Device, HardwareThread], HardwareThread | None]
    ) -> Outcome | None:
        """The device shows what ``search``, from the focused thread, has found; None when that is
        nothing, and nothing moved."""

        def move(run: TimeRun) -> Outcome:
            focus = self._state.focus.require()
            device = self._state.debuggee.device_of(focus.thread)
            before = self._past.moment(device)
            found = None
            try:
                found = search(device, focus.thread)
            finally:
                if found is None:
                    self._past.go_to(device, before)
            if found is None:
                raise _NothingFoundError
            return run.report(StopReason.TRAVEL, "", found)

        with contextlib.suppress(_NothingFoundError):
            return self._travel(move)
        return None

    # --- looking at other times, without going there ---------------------------------------------

    @contextlib.contextmanager
    def visiting(self, moment: Moment) -> Iterator[Device]:
        """The device shows ``moment`` for the length of the block, in which its threads can be
        looked at; then what it showed before. No stop is reported."""
        with self._state.condition:
            self._require_all_stop()
            self._get_control().require_stopped()
            device = self.device()
            with self._past.visiting(device, moment):
                yield device

    def find(self, search: Search) -> Iterator[TimeHit]:
        """All that ``search`` finds on the device that moves in time, in its order;
        SearchGivenUpError when the user interrupts it."""
        with self._state.condition:
            device = self.device()
            self._past.recorded(device, search.launch)
            yield from self._past.find(device, search, lambda: self._state.interrupt_requested)

    def thread_of(self, hit: TimeHit) -> HardwareThread | None:
        """The thread that ``hit`` is of."""
        return self.device().thread_of(hit.thread)

    # --- checkpoints -----------------------------------------------------------------------------

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """By number."""
        return list(self._checkpoints.values())

    def checkpoint(self, number: int) -> Checkpoint:
        """Checkpoint ``number``; TimeTravelError when there is none."""
        found = self._checkpoints.get(number)
        if found is None:
            raise TimeTravelError(f"No checkpoint number {number}.")
        return found

    def add_checkpoint(self) -> Checkpoint:
        """One where the device is."""
        with self._state.condition:
            self._require_all_stop()
            device, focus = self.device(), self._state.focus.current
            place = None if focus is None else focus.thread.location
            made = Checkpoint(
                self._next_checkpoint, device, self._past.moment(device), focus, place
            )
            self._next_checkpoint += 1
            self._checkpoints[made.number] = made
            return made

    def restart(self, number: int) -> Outcome:
        """The device shows what it showed at checkpoint ``number``, with its focus."""
        checkpoint = self.checkpoint(number)

        def move(_run: TimeRun) -> Outcome:
            self._past.go_to(checkpoint.device, checkpoint.moment)
            run = TimeRun(self._state, self._control, checkpoint.device, checkpoint.focus)
            return run.report(StopReason.TRAVEL, "")

        return self._travel(move)

    def delete_checkpoint(self, number: int) -> None:
        """Forgets checkpoint ``number``."""
        del self._checkpoints[self.checkpoint(number).number]

    # --- the session's own -----------------------------------------------------------------------

    def leave_for_good(self) -> None:
        """Before the program is left or killed: it goes on from the present."""
        with contextlib.suppress(LevelZeroError, TimeTravelError):
            self._past.leave()

    def forget(self) -> None:
        """The process is another one, or there is none."""
        self._checkpoints.clear()
        self._next_checkpoint = 1

    @property
    def _control(self) -> RunControl:
        return self._get_control()

    def _travel(self, move: Callable[[TimeRun], Outcome]) -> Outcome:
        """Lets ``move`` move the device in time."""
        with self._state.condition, interrupt_on_sigint(self._session):
            self._require_all_stop()
            self._state.debuggee.require_running()
            self._control.require_stopped()
            device, focus = self.device(), self._state.focus.current
            if focus is not None:
                unreported = self._control.unreported(focus.thread)
                if unreported is not None:
                    return self._control.over(unreported)
            run = TimeRun(self._state, self._control, device, focus)
            self._control.resumed()
            try:
                outcome = self._interruptible(lambda: move(run), run)
            except LevelZeroError:
                if not self._state.debuggee.is_gone(device):
                    raise
                outcome = self._control.wait_for_exit()
            finally:
                self._control.half_done()
            return self._control.over(outcome)

    def _interruptible(self, move: Callable[[], Outcome], run: TimeRun | None = None) -> Outcome:
        """What ``move`` gives; where the user interrupts it, a stop where the device is then."""
        try:
            return move()
        except SearchGivenUpError:
            self._state.interrupt_requested = False
            device = self.device()
            here = run or TimeRun(self._state, self._control, device, self._state.focus.current)
            return here.report(StopReason.INTERRUPT, "")


class _NothingFoundError(TimeTravelError):
    """A condition holds at no time."""

    def __init__(self) -> None:
        super().__init__("It holds at no time.")
