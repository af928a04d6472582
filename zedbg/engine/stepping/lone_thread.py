"""Letting one thread go on while all others stay stopped: an instruction, a call, to an address."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import replace

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import Hit, breakpoint_hit, judge, place_hits
from zedbg.engine.events.stops import Outcome, Stop, StoppedThread
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.running.run_control import Others, RunControl
from zedbg.engine.stepping.command_breakpoints import CommandBreakpoints
from zedbg.engine.stepping.replay_run import ReplayRun
from zedbg.engine.stepping.thread_run import Advance, ThreadRun
from zedbg.engine.stepping.waypoints import waypoints
from zedbg.engine.threads.frames import call_depth
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.registers import ExceptionReason

BACK_IN_PRESENT = "End of the recorded history: this is the present."
NO_MORE_HISTORY = "No more reverse-execution history."


class LoneThread:
    """Moves ``thread``; made anew for each command. Calls are made with the lock held.

    ``lane``: steps by lines end only where this lane is active; None: where any is. ``deadline``
    (of time.monotonic): a thread that still waits for others then is stopped where it waits.
    ``locking``: which others run, in place of what the user chose.

    Those that move it return None when it came to where it should, or the outcome that ends the
    command before: the thread's end, a breakpoint on the way, an interrupt.
    """

    def __init__(
        self,
        state: EngineState,
        run_control: RunControl,
        thread: HardwareThread,
        lane: int | None = None,
        deadline: float | None = None,
        locking: SchedulerLocking | None = None,
    ) -> None:
        self._state = state
        self._run = run_control
        self._thread = thread
        self._device = state.debuggee.device_of(thread)
        self._lane = lane
        self._others = run_control.others_during_step(locking or state.settings.scheduler_locking)
        self._thread_run: ThreadRun | ReplayRun
        if state.past.is_shown_by(self._device):
            self._thread_run = ReplayRun(state, thread, self._device, self._others)
        else:
            self._thread_run = ThreadRun(
                state, run_control, thread, self._device, self._others, deadline
            )

    def one(self) -> Outcome | None:
        """One instruction."""
        return self._after(self._thread_run.advance(step=True))

    def over_one(self) -> Outcome | None:
        """One instruction; if it calls, until the call returns to this frame."""
        thread = self._thread
        instruction = thread.device.code.instruction(thread.pc)
        if instruction is None or not instruction.is_call:
            return self.one()
        after = thread.pc + instruction.size
        depth = call_depth(thread)
        ended = self.one()
        if ended is not None or thread.pc == after:
            return ended
        return self.run_to((after,), depth)

    def run_to(self, addresses: Collection[int], depth: int | None = None) -> Outcome | None:
        """Runs until the thread is at one of ``addresses``, ``depth`` calls deep if given: a
        recursive function returns to the same address from deeper calls first.

        A barrier on the way is passed together with the other threads of the work-group.
        """
        thread = self._thread
        awaited = waypoints(thread)
        passed = awaited.difference(addresses)
        breakpoints = CommandBreakpoints(thread.device.code)
        try:
            breakpoints.insert(addresses)
            breakpoints.insert(passed)
            while True:
                if thread.pc in awaited:  # maybe from the beginning: alone it would wait for ever
                    breakpoints.remove(passed)  # the others must not stop there
                    ended = self.one()
                else:
                    ended = self._after(self._thread_run.advance(step=False))
                if ended is not None:
                    return ended
                if thread.pc in addresses and self._is_at_depth(depth):
                    return None
                breakpoints.insert(passed)
        finally:
            if self._device.attached:
                with self._unless_gone():
                    breakpoints.remove_all()

    def through(self, exits: Collection[int]) -> Outcome | None:
        """Runs until the thread is at one of ``exits``, or is stopped by anything else: only where
        no other thread can run."""
        device = self._device
        before = device.code.insert_together(exits)
        try:
            return self._after(self._thread_run.advance(step=False, in_context=True))
        finally:
            if device.attached:
                with self._unless_gone():
                    device.code.remove_together(exits, before)

    @contextlib.contextmanager
    def _unless_gone(self) -> Iterator[None]:
        """What the driver refuses since the program has just died is not wanted any more."""
        try:
            yield
        except LevelZeroError:
            if not self._state.debuggee.is_gone(self._device):
                raise

    def _is_at_depth(self, depth: int | None) -> bool:
        return depth is None or call_depth(self._thread) in (None, depth)

    def done(self) -> Outcome:
        """The stop at the end of a command that came to its end."""
        return self._report(Hit(self._thread, StopReason.STEP, self._thread.active_lanes))

    def _after(self, advance: Advance) -> Outcome | None:
        """What a thread's run means for the command."""
        others_ran = advance is Advance.OTHERS
        while advance is Advance.OTHERS:
            hits = self._run.judge_new_stops(resume_false=True)
            if hits:
                own = self._hits() if self._thread.is_stopped else []
                return self._run.collect([*own, *hits])
            advance = self._thread_run.wait_on()
        if others_ran and self._others is Others.STAY:
            self._run.halt()  # they ran so that this one could pass a barrier
        match advance:
            case Advance.EXITED:
                return self._run.wait_for_exit()
            case Advance.INTERRUPTED:
                return self._interrupted()
            case Advance.OVERDUE:
                return self._overdue()
            case Advance.ENDED:
                return self._thread_ended()
            case Advance.ELSEWHERE:
                assert isinstance(self._thread_run, ReplayRun) and self._thread_run.hit is not None
                return self._report(self._thread_run.hit)
            case Advance.PRESENT:
                return self._at_present()
            case Advance.STOPPED:
                return self._reported()

    def _at_present(self) -> Outcome:
        """A command that began in the past came to the present, where nothing has run on."""
        if not self._thread.is_stopped:
            return self._thread_ended()
        return self._no_history(BACK_IN_PRESENT)

    def _no_history(self, detail: str) -> Stop:
        """There is no more time in the direction that the thread was moved in."""
        hit = Hit(self._thread, StopReason.NO_HISTORY, self._thread.active_lanes)
        return self._run.report(replace(self._run.stop_of([hit]), detail=detail))

    def _reported(self) -> Outcome | None:
        """A stop on the way that the user wants to see: an exception, or a breakpoint."""
        thread = self._thread
        hits = self._hits()
        if hits:
            return self._report(*hits)
        if thread.interrupt_wanted or self._state.interrupt_requested:
            thread.interrupt_wanted = self._state.interrupt_requested = False
            return self._report(Hit(thread, StopReason.INTERRUPT, thread.active_lanes))
        return None

    def _hits(self) -> list[Hit]:
        """What the user wants to see of where the thread is."""
        in_past = self._device.in_past  # where cr0 says why it stopped in the present
        if in_past:
            hit = breakpoint_hit(self._thread, self._state.breakpoints)
            return [] if hit is None else [hit]
        if self._thread.control.reason is ExceptionReason.BREAKPOINT:
            return place_hits(self._thread, self._state.breakpoints)
        return judge(self._thread, self._state.breakpoints)

    def _interrupted(self) -> Outcome:
        """It runs, and the user does not want to wait for it any more."""
        if self._others is not Others.RUN_ON:
            return self._run.stop_now(StopReason.INTERRUPT)
        thread = self._thread
        if not self._halted():
            return self._thread_ended()
        thread.interrupt_wanted = False
        hits = self._hits()  # it may have come to something just before
        return self._report(*hits or [Hit(thread, StopReason.INTERRUPT, thread.active_lanes)])

    def _overdue(self) -> Outcome | None:
        """It waits for others, and the time of the command is over."""
        return self._reported() if self._halted() else self._thread_ended()

    def _halted(self) -> bool:
        """Interrupts the thread; whether it is there to be stopped."""
        stopped = self._run.halt_moved(self._thread)
        self._device.new_stops.pop(self._thread, None)
        return stopped

    def _report(self, *hits: Hit) -> Stop:
        if self._others is Others.GO_TOO and not self._device.in_past:
            self._run.halt()
        return self._run.report(self._run.stop_of(list(hits)))

    def _thread_ended(self) -> Outcome:
        """Reports the end of the thread; the focus goes to another stopped thread if any."""
        others = (t for device in self._state.debuggee.devices for t in device.stopped_threads())
        focus = next(filter(None, map(_with_lanes, others)), None)
        thread = self._thread
        stop = Stop(
            StopReason.THREAD_ENDED, (), focus, f"Thread {thread.id} ({thread.name}) ended."
        )
        return self._run.report(stop)


def _with_lanes(thread: HardwareThread) -> StoppedThread | None:
    """``thread`` with its active lanes; None when it is gone meanwhile."""
    try:
        return StoppedThread(thread, thread.active_lanes)
    except (LevelZeroError, NoThreadError):
        return None
