"""Stepping the focused thread, by instruction and by source line; all others stay stopped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.engine.events.stops import Outcome
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.step_range import StepRange, step_range
from zedbg.engine.running.run_control import Others
from zedbg.engine.stepping.lone_thread import LoneThread
from zedbg.engine.stepping.waypoints import meeting_points
from zedbg.engine.threads.thread import HardwareThread


@dataclass(frozen=True)
class StepStart:
    """Where a step by lines began. ``line``: file, line and function; ``bounds``: the function's
    code, where no line is known; ``calls``: the inlined calls around it, innermost first; ``lane``:
    the lane to stay with, None for whichever is active."""

    line: tuple[str | None, int | None, str | None]
    bounds: tuple[int, int] | None
    calls: tuple[InlinedCall, ...]
    lane: int | None

    @classmethod
    def of(cls, thread: HardwareThread, lane: int | None) -> StepStart:
        """Where ``thread`` is."""
        module = thread.module
        if module is None:
            return cls((None, None, None), None, (), lane)
        return cls.at(module, thread.pc, lane)

    @classmethod
    def at(cls, module: LoadedModule, address: int, lane: int | None) -> StepStart:
        """Where a thread is in front of the instruction at ``address`` of ``module``."""
        line = line_at(module, address)
        bounds = module.function_range_at(address) if line[1] is None else None
        return cls(line, bounds, module.inlined_calls_at(address), lane)


def line_at(module: LoadedModule, address: int) -> tuple[str | None, int | None, str | None]:
    """File, line and function of the code at ``address``."""
    there = module.locate(address)
    return there.file, there.line, there.function


def inlined_calls(thread: HardwareThread) -> tuple[InlinedCall, ...]:
    """The calls that were inlined at the pc of ``thread``, innermost first."""
    return () if thread.module is None else thread.module.inlined_calls_at(thread.pc)


class Stepper(LoneThread):
    """Steps by instructions and lines."""

    def instructions(self, count: int, over_calls: bool = False) -> Outcome | None:
        """``count`` instructions; ``over_calls``: a call counts as one."""
        for _ in range(count):
            ended = self.over_one() if over_calls else self.one()
            if ended is not None:
                return ended
        return None

    def lines(self, count: int, over_calls: bool) -> Outcome | None:
        """``count`` source lines; ``over_calls``: what a line calls belongs to it."""
        for _ in range(count):
            ended = self.line(over_calls)
            if ended is not None:
                return ended
        return None

    def line(self, over_calls: bool) -> Outcome | None:
        """One source line; None, or the outcome that ends the command before."""
        start = StepStart.of(self._thread, self._lane)
        bounds = start.bounds
        while True:
            before = self._thread.pc
            through = self._range(start, over_calls)
            if through is not None:
                ended = self.through(through.exits)
                if ended is not None:
                    return ended
                if self._left(start, over_calls):
                    return None
                continue
            instruction = self._thread.device.code.instruction(before)
            is_call = instruction is not None and instruction.is_call
            ended = self.over_one() if is_call and (over_calls or bounds) else self.one()
            if ended is not None:
                return ended
            if is_call and instruction is not None and not over_calls:
                after = before + instruction.size
                if self._thread.pc != after and not bounds:
                    entered, ended = self._enter(after)
                    if ended is not None or entered:
                        return ended
            if self._left(start, over_calls):
                return None

    @property
    def _may_run_through(self) -> bool:
        return self._others is Others.STAY and self._state.settings.range_stepping

    def _range(self, start: StepStart, over_calls: bool) -> StepRange | None:
        """What the thread may run through at once; None where it has to be stepped. It is stepped
        while others run: they would reach the breakpoints, too."""
        module, pc, code = self._thread.module, self._thread.pc, self._thread.device.code
        if module is None or not self._may_run_through:
            return None
        # While the lane to stay with waits, it may only be back after a branch.
        waits = start.lane is not None and not self._thread.active_lanes >> start.lane & 1
        key = (pc, waits, over_calls, start.line, start.bounds, start.calls)
        if key not in code.step_ranges or (not over_calls and any(self._state.skips)):
            ends_at = partial(self._ends_at, module, start, over_calls)
            meeting = meeting_points(self._thread) if waits and start.bounds is None else None
            found = step_range(pc, code, ends_at, meeting)
            code.step_ranges[key] = found if found is not None and found.pays else None
        return code.step_ranges[key]

    def _left(self, start: StepStart, over_calls: bool) -> bool:
        """Whether the pc is where a step from ``start`` ends: at the beginning of another line
        that the lane to stay with executes, or, for code without lines, outside of its function."""
        thread = self._thread
        module = thread.module
        if module is None:
            return True
        if not self._ends_at(module, start, over_calls, thread.pc):
            return False
        if start.bounds is not None or start.lane is None:
            return True
        return bool(thread.active_lanes >> start.lane & 1)

    def _ends_at(
        self, module: LoadedModule, start: StepStart, over_calls: bool, address: int
    ) -> bool:
        """Whether a step from ``start`` may end at ``address`` of ``module``, as far as lanes do
        not matter."""
        if start.bounds is not None:
            return not start.bounds[0] <= address < start.bounds[1]
        if line_at(module, address) == start.line:
            return False
        return self._counts(module, start, over_calls, address)

    def _counts(
        self, module: LoadedModule, start: StepStart, over_calls: bool, address: int
    ) -> bool:
        """Whether a step from ``start`` that comes to another line may end at ``address``."""
        if not module.starts_statement(address):
            return False
        there = module.locate(address)
        calls = module.inlined_calls_at(address)
        deeper = len(calls) - len(start.calls)
        if deeper <= 0 or calls[deeper:] != start.calls:
            return True
        # In a call that was inlined into the frame that the step began in.
        return not over_calls and not self._state.skips.fits(calls[0].name, there.file)

    def _is_skipped(self) -> bool:
        """Whether the user does not want to stop in the function at the pc."""
        thread = self._thread
        calls = inlined_calls(thread)
        function = calls[0].name if calls else thread.location.function
        return self._state.skips.fits(function, thread.location.file)

    def _enter(self, after_call: int) -> tuple[bool, Outcome | None]:
        """In front of a function's first instruction: goes on after its prologue.

        A function without source lines, or one that is skipped, is run to its end. Whether it was
        entered, and the outcome if something else happened.
        """
        module = self._thread.module
        body = None if module is None else module.body_of_function_at(self._thread.pc)
        if body is None and self._state.settings.steps_into_code_without_lines:
            return True, None
        if body is None or self._is_skipped():
            return False, self.run_to((after_call,))
        if body == self._thread.pc:
            return True, None
        return True, self.run_to((body,))
