"""Stepping the focused thread, by instruction and by source line; all others stay stopped."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.dwarf.scopes import InlinedCall
from zedbg.engine.locations import CodeLocation
from zedbg.engine.lone_thread import LoneThread
from zedbg.engine.stops import Outcome
from zedbg.engine.thread import HardwareThread


@dataclass(frozen=True)
class StepStart:
    """Where a step by lines began. ``bounds``: the function's code, where no line is known;
    ``calls``: the inlined calls around it, innermost first; ``lane``: the lane to stay with, None
    for whichever is active."""

    location: CodeLocation
    bounds: tuple[int, int] | None
    calls: tuple[InlinedCall, ...]
    lane: int | None

    @classmethod
    def of(cls, thread: HardwareThread, lane: int | None) -> StepStart:
        """Where ``thread`` is."""
        bounds = None
        if thread.location.line is None and thread.module is not None:
            bounds = thread.module.function_range_at(thread.pc)
        return cls(thread.location, bounds, inlined_calls(thread), lane)


def inlined_calls(thread: HardwareThread) -> tuple[InlinedCall, ...]:
    """The calls that were inlined at the pc of ``thread``, innermost first."""
    info = thread.debug_info
    return () if info is None else tuple(info.inlined_calls_at(thread.pc))


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
            instruction = self._thread.device.code.instruction(before)
            is_call = instruction is not None and instruction.is_call
            ended = self.over_one() if is_call and (over_calls or bounds) else self.one()
            if ended is not None:
                return ended
            if is_call and instruction is not None and not over_calls:
                behind = before + instruction.size
                if self._thread.pc != behind and not bounds:
                    entered, ended = self._enter(behind)
                    if ended is not None or entered:
                        return ended
            if self._left(start, over_calls):
                return None

    def _left(self, start: StepStart, over_calls: bool) -> bool:
        """Whether the pc is where a step from ``start`` ends: at the beginning of another line,
        or, for code without lines, outside of its function."""
        thread, bounds = self._thread, start.bounds
        if bounds is not None:
            return not bounds[0] <= thread.pc < bounds[1]
        module = thread.module
        if module is None:
            return True
        if not module.starts_statement(thread.pc):
            return False
        now = thread.location
        if (now.file, now.line, now.function) == (
            start.location.file,
            start.location.line,
            start.location.function,
        ):
            return False
        if self._is_inside_call(start) and (over_calls or self._is_skipped()):
            return False
        return start.lane is None or bool(thread.active_lanes >> start.lane & 1)

    def _is_inside_call(self, start: StepStart) -> bool:
        """Whether the pc is in a call that was inlined into the frame that the step began in."""
        calls = inlined_calls(self._thread)
        deeper = len(calls) - len(start.calls)
        return deeper > 0 and calls[deeper:] == start.calls

    def _is_skipped(self) -> bool:
        """Whether the user does not want to stop in the function at the pc."""
        thread = self._thread
        calls = inlined_calls(thread)
        function = calls[0].name if calls else thread.location.function
        return self._session.skips.fits(function, thread.location.file)

    def _enter(self, behind_call: int) -> tuple[bool, Outcome | None]:
        """In front of a function's first instruction: goes behind its prologue.

        A function without source lines, or one that is skipped, is run to its end. Whether it was
        entered, and the outcome if something else happened.
        """
        module = self._thread.module
        body = None if module is None else module.body_of_function_at(self._thread.pc)
        if body is None and self._session.steps_into_code_without_lines:
            return True, None
        if body is None or self._is_skipped():
            return False, self.run_to((behind_call,))
        if body == self._thread.pc:
            return True, None
        return True, self.run_to((body,))
