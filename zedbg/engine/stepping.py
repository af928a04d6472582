"""Stepping the focused thread, by instruction and by source line; all others stay stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zedbg.engine.frames import call_depth
from zedbg.engine.locations import CodeLocation
from zedbg.engine.run_control import Advance, RunControl
from zedbg.engine.stop_builder import Hit, breakpoint_hit, build_stop, judge
from zedbg.engine.stops import Outcome, Stop, StoppedThread, StopReason
from zedbg.engine.thread import HardwareThread
from zedbg.xe.registers import ExceptionReason

if TYPE_CHECKING:
    from zedbg.engine.session import Session


class Stepper:
    """Steps ``thread``; made anew for each command. Calls are made with the lock held."""

    def __init__(self, session: Session, run_control: RunControl, thread: HardwareThread) -> None:
        self._session = session
        self._run = run_control
        self._thread = thread

    def instructions(self, count: int, over_calls: bool = False) -> Outcome:
        """``count`` instructions; ``over_calls``: a call counts as one."""
        for _ in range(count):
            ended = self._over_one() if over_calls else self._one()
            if ended is not None:
                return ended
        return self._done()

    def lines(self, count: int, over_calls: bool) -> Outcome:
        """``count`` source lines; ``over_calls``: what a line calls belongs to it."""
        for _ in range(count):
            ended = self._line(over_calls)
            if ended is not None:
                return ended
        return self._done()

    # Each of these returns None when it came to its end as planned, or the outcome that ends all.

    def _line(self, over_calls: bool) -> Outcome | None:
        start = self._thread.location
        bounds = None
        if start.line is None and self._thread.module is not None:
            bounds = self._thread.module.function_range_at(self._thread.pc)
        while True:
            before = self._thread.pc
            instruction = self._thread.device.code.instruction(before)
            is_call = instruction is not None and instruction.is_call
            ended = self._over_one() if is_call and (over_calls or bounds) else self._one()
            if ended is not None:
                return ended
            if is_call and instruction is not None and not over_calls:
                behind = before + instruction.size
                if self._thread.pc != behind and not bounds:
                    entered, ended = self._enter(behind)
                    if ended is not None or entered:
                        return ended
            if self._left(start, bounds):
                return None

    def _left(self, start: CodeLocation, bounds: tuple[int, int] | None) -> bool:
        """Whether the pc is where a step from ``start`` ends: at the beginning of another line,
        or, for code without lines, outside of its function."""
        thread = self._thread
        if bounds is not None:
            return not bounds[0] <= thread.pc < bounds[1]
        module = thread.module
        if module is None:
            return True
        if not module.starts_statement(thread.pc):
            return False
        now = thread.location
        return (now.file, now.line, now.function) != (start.file, start.line, start.function)

    def _enter(self, behind_call: int) -> tuple[bool, Outcome | None]:
        """In front of a function's first instruction: goes behind its prologue.

        A function without source lines is run to its end. Whether it was entered, and the outcome
        if something else happened.
        """
        module = self._thread.module
        body = None if module is None else module.body_of_function_at(self._thread.pc)
        if body is None:
            return False, self._run_to(behind_call, None)
        if body == self._thread.pc:
            return True, None
        return True, self._run_to(body, None)

    def _one(self) -> Outcome | None:
        """One instruction."""
        return self._after(self._run.advance(self._thread, step=True))

    def _over_one(self) -> Outcome | None:
        """One instruction; if it calls, until the call returns to this frame."""
        thread = self._thread
        instruction = thread.device.code.instruction(thread.pc)
        if instruction is None or not instruction.is_call:
            return self._one()
        behind = thread.pc + instruction.size
        depth = call_depth(thread)
        ended = self._one()
        if ended is not None or thread.pc == behind:
            return ended
        return self._run_to(behind, depth)

    def _run_to(self, address: int, depth: int | None) -> Outcome | None:
        """Runs only this thread until it is at ``address``, ``depth`` calls deep if given: a
        recursive function returns to the same address from deeper calls first."""
        code = self._thread.device.code
        code.insert(address)
        try:
            while True:
                advance = self._run.advance(self._thread, step=False)
                if advance is Advance.STOPPED and self._thread.pc == address:
                    if depth is not None and call_depth(self._thread) not in (None, depth):
                        continue
                    return self._reported()
                ended = self._after(advance)
                if ended is not None:
                    return ended
        finally:
            if self._thread.device.attached:
                code.remove(address)

    def _after(self, advance: Advance) -> Outcome | None:
        """What a thread's run means for the step."""
        match advance:
            case Advance.EXITED:
                return self._run.wait_for_exit()
            case Advance.INTERRUPTED:
                return self._run.stop_now(StopReason.INTERRUPT)
            case Advance.ENDED:
                return self._thread_ended()
            case Advance.STOPPED:
                return self._reported()

    def _reported(self) -> Outcome | None:
        """A stop on the way that the user wants to see: an exception, or a breakpoint."""
        thread = self._thread
        if thread.control.reason is ExceptionReason.BREAKPOINT:
            hit = breakpoint_hit(thread, self._session.breakpoints)
        else:
            hit = judge(thread, self._session.breakpoints)
        if hit is not None:
            return self._report(hit)
        if self._session.interrupt_requested:
            self._session.interrupt_requested = False
            return self._report(Hit(thread, StopReason.INTERRUPT, thread.active_lanes))
        return None

    def _done(self) -> Outcome:
        return self._report(Hit(self._thread, StopReason.STEP, self._thread.active_lanes))

    def _report(self, hit: Hit) -> Stop:
        stop = build_stop([hit], self._session.previous_focus(), self._session.take_detail())
        return self._run.report(stop)

    def _thread_ended(self) -> Outcome:
        """Reports the end of the thread; the focus goes to another stopped thread if any."""
        others = [t for device in self._session.devices for t in device.stopped_threads()]
        focus = StoppedThread(others[0], others[0].active_lanes) if others else None
        thread = self._thread
        stop = Stop(
            StopReason.THREAD_ENDED, (), focus, f"Thread {thread.id} ({thread.name}) ended."
        )
        return self._run.report(stop)
