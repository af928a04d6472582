"""Watching values by stepping: a thread executes one instruction after the other, and after each
of them it is looked whether a value has changed. Slow, but it needs no help from a driver, and can
watch what is in registers."""

from __future__ import annotations

import time
from collections.abc import Sequence

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import watchpoint_hit
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.stepping.lone_thread import LoneThread
from zedbg.engine.threads.thread import HardwareThread


class Watcher(LoneThread):
    """Lets ``thread`` go on by single instructions until a value that is watched in it changes."""

    def __init__(
        self,
        state: EngineState,
        run_control: RunControl,
        thread: HardwareThread,
        watchpoints: Sequence[Breakpoint],
        deadline: float | None = None,
    ) -> None:
        # Others would run on unwatched.
        alone = SchedulerLocking.ON
        super().__init__(state, run_control, thread, deadline=deadline, locking=alone)
        self._watchpoints = watchpoints

    @property
    def waits(self) -> bool:
        """Whether the next instruction waits for other threads of the work-group."""
        thread = self._thread
        instruction = thread.device.code.instruction(thread.pc)
        return instruction is not None and instruction.waits_for_barrier

    def step(self) -> Outcome | None:
        """One instruction: None when nothing came of it; else the stop at the change, or what came
        before. Watchpoints of a thread that ended are deleted."""
        ended = self.one()
        if ended is not None:
            if isinstance(ended, Stop) and ended.reason is StopReason.THREAD_ENDED:
                why = f"thread {self._thread.id}, in which it watched, has ended"
                for watchpoint in self._watchpoints:
                    self._state.breakpoints.delete_watchpoint(watchpoint, why)
            return ended
        for watchpoint in self._watchpoints:
            stop = self._looked(watchpoint)
            if stop is not None:
                return stop
        return None

    def _looked(self, watchpoint: Breakpoint) -> Stop | None:
        """The stop when ``watchpoint`` has something to say of the instruction just executed."""
        assert watchpoint.watch is not None
        changes = watchpoint.watch.changes()
        if not changes:
            return None
        hit = watchpoint_hit(watchpoint, self._thread, changes)
        return None if hit is None else self._report(hit)


def watch(watchers: Sequence[Watcher], deadline: float | None) -> Outcome | None:
    """Lets the threads of ``watchers`` go on, in turn, until a value changes in one of them, or
    something else happens; None when it is ``deadline`` (of time.monotonic) before.

    A thread at a barrier waits until all of them are at one: the others would run on unwatched.
    """
    while True:
        moving = [each for each in watchers if not each.waits]
        for watcher in moving or watchers[:1]:
            ended = watcher.step()
            if ended is not None:
                return ended
        if deadline is not None and time.monotonic() >= deadline:
            return None
