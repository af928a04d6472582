"""Watching values by stepping: a thread executes one instruction after the other, and after each
of them it is looked whether a value has changed. Slow, but it needs no help from a driver, and can
watch what is in registers. What other threads write is not seen: they stay stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.watch import LocationSample
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import OUT_OF_SCOPE, Hit, watchpoint_hit
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.memory.memory_writes import lanes_writing, memory_writes
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.stepping.lone_thread import LoneThread
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.flow.places import Assignment


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
        """One instruction: None when nothing came of it; else the stop at what it changed, or what
        came before. A watchpoint whose scope has ended is deleted."""
        writes = self._writes()
        ended = self.one()
        if ended is not None:
            if isinstance(ended, Stop) and ended.reason is StopReason.THREAD_ENDED:
                why = f"thread {self._thread.id}, in which it watched, has ended"
                for watchpoint in self._watchpoints:
                    self._state.breakpoints.delete_watchpoint(watchpoint, why)
            return ended
        hits = [self._looked(each, writes) for each in self._watchpoints]
        over = [each for each in self._watchpoints if self._is_over(each)]
        for watchpoint in over:
            self._state.breakpoints.delete_watchpoint(watchpoint, OUT_OF_SCOPE)
        found = [each for each in hits if each is not None]
        if over and not found:
            thread = self._thread
            found = [Hit(thread, StopReason.WATCHPOINT_SCOPE, thread.active_lanes)]
        return self._report(*found) if found else None

    def _writes(self) -> list[Assignment]:
        """What the next instruction writes to memory, where it is asked which lanes did it."""
        samples = [each.watch.sample for each in self._watchpoints if each.watch is not None]
        if not any(isinstance(each, LocationSample) for each in samples):
            return []
        return memory_writes(self._thread)

    def _looked(self, watchpoint: Breakpoint, writes: list[Assignment]) -> Hit | None:
        """What ``watchpoint`` makes of the instruction just executed, which made ``writes``."""
        watch, thread = watchpoint.watch, self._thread
        assert watch is not None
        changes = watch.changes()
        if not changes:
            return None
        if not isinstance(watch.sample, LocationSample):
            return watchpoint_hit(watchpoint, thread, changes)
        lanes, wanted = lanes_writing(writes, watch.sample.place), watch.sample.request.lanes
        if lanes:
            changes = [replace(each, lane=lanes_of(lanes)[0]) for each in changes]
        elif not wanted:
            lanes = 1 << changes[0].lane  # others did it, at a barrier
        if wanted and not lanes & wanted:
            return None
        return watchpoint_hit(watchpoint, thread, changes, lanes)

    def _is_over(self, watchpoint: Breakpoint) -> bool:
        """Whether its value means nothing any more, or will not after the next instruction."""
        watch, thread = watchpoint.watch, self._thread
        if watch is None or watch.sample.is_fixed:
            return False
        instruction = thread.device.code.instruction(thread.pc)
        ends = instruction is not None and instruction.ends_thread
        return ends or watch.sample.is_over(thread)


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
