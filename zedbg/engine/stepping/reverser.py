"""Moving one thread backwards: the device goes to the time at which the thread was where it should
come to. All other threads go back with it, since time is one order for the whole device."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from zedbg.engine.events.stop_builder import breakpoint_hit
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.modules.instruction_bits import InstructionBits
from zedbg.engine.stepping.lone_thread import NO_MORE_HISTORY
from zedbg.engine.stepping.move_ends import addresses_of, called_frames
from zedbg.engine.stepping.stepping import Stepper, StepStart, line_at
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import HitKind, Search

_TOGETHER = 512  # instructions that are searched for at once


@dataclass(frozen=True)
class Executed:
    """An instruction that the thread executed: the state of ``time`` is that before it, and
    ``following`` the address that it went on to."""

    time: int
    address: int
    following: int
    instruction: InstructionBits | None

    @property
    def called(self) -> bool:
        """Whether it went into a function."""
        return self._went and self.instruction is not None and self.instruction.is_call

    @property
    def returned(self) -> bool:
        """Whether it left a function."""
        return self._went and self.instruction is not None and self.instruction.is_return

    @property
    def _went(self) -> bool:
        size = 0 if self.instruction is None else self.instruction.size
        return self.following != self.address + size


@dataclass
class _Calls:
    """The functions that a walk back through what was executed has entered at their ends.

    ``hides``: whether what the function of an address executes is not looked at. ``left``: how many
    functions it has left at their beginnings.
    """

    hides: Callable[[int], bool]
    left: int = 0
    _entered: list[bool] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """How many calls deeper than where the walk began; negative: in callers."""
        return len(self._entered) - self.left

    @property
    def is_hidden(self) -> bool:
        """Whether the walk is in a function that is not looked at."""
        return any(self._entered)

    def pass_(self, executed: Executed) -> bool:
        """The walk comes to ``executed``; whether it left the function that it was in."""
        if executed.returned:
            self._entered.append(self.hides(executed.address))
        elif executed.called and self._entered:
            self._entered.pop()
        elif executed.called:
            self.left += 1
            return True
        return False


class Reverser(Stepper):
    """Moves the thread back. Each move gives None when it came to where it should, or the outcome
    that ends the command before: a breakpoint on the way, the beginning, an interrupt."""

    def back_instructions(self, count: int, over_calls: bool = False) -> Outcome | None:
        """``count`` instructions; ``over_calls``: a call counts as one."""
        calls = _Calls(lambda _address: over_calls)
        for executed in self._history(_TOGETHER if over_calls or count > 1 else 1):
            calls.pass_(executed)
            ended = self._met(executed)
            if ended is not None:
                return ended
            count -= not calls.is_hidden
            if not count:
                self._go_to(executed)
                return None
        return self._at_beginning()

    def back_lines(self, count: int, over_calls: bool) -> Outcome | None:
        """``count`` source lines, each to its beginning; ``over_calls``: what a line calls belongs
        to it."""
        for _ in range(count):
            while True:
                ended = self._back_line(over_calls)
                if ended is not None:
                    return ended
                if self._lane is None or self._thread.active_lanes >> self._lane & 1:
                    break
        return None

    def _back_line(self, over_calls: bool) -> Outcome | None:
        """To the beginning of the line before, or of this one if it has begun.

        Those are the places that steps forward end at: beginnings of statements where the line is
        another one than that of the beginning before.
        """
        module = self._thread.module
        if module is None:
            return self.back_instructions(1)
        start = StepStart.of(self._thread, self._lane)
        calls = _Calls(lambda address: over_calls or self._is_passed_by(address))
        chosen: Executed | None = None
        line: object = None
        passed: list[Executed] = []  # since the chosen one
        for executed in self._history(_TOGETHER):
            if calls.pass_(executed):
                start = StepStart.at(module, executed.address, self._lane)
            passed.append(executed)
            if calls.is_hidden or not self._begins_line(start, over_calls, executed.address):
                continue
            here = (*line_at(module, executed.address), calls.depth)
            if chosen is not None and here != line:
                break
            ended = self._met_among(passed)
            if ended is not None:
                return ended
            chosen, line, passed = executed, here, []
        else:
            if chosen is None:
                return self._met_among(passed) or self._at_beginning()
        self._go_to(chosen)
        return None

    def _begins_line(self, start: StepStart, over_calls: bool, address: int) -> bool:
        """Whether a line begins at ``address`` that a step may end at. Prologues have none."""
        module = self._device.module_at(address)
        if module is None:
            return False
        if start.bounds is not None:  # code without lines: out of its function
            return not start.bounds[0] <= address < start.bounds[1]
        if not self._counts(module, start, over_calls, address):
            return False
        bounds = module.function_range_at(address)
        body = None if bounds is None else module.body_of_function_at(bounds[0])
        return bounds is None or body is None or not bounds[0] <= address < body

    def _is_passed_by(self, address: int) -> bool:
        """Whether steps do not enter the function at ``address``: one without lines, or one that
        the user skips."""
        module = self._device.module_at(address)
        if module is None:
            return True
        place = module.locate(address)
        if place.line is None:
            return not self._state.settings.steps_into_code_without_lines
        return self._state.skips.fits(place.function, place.file)

    def back_to_call(self, level: int) -> Outcome | None:
        """To the call of frame ``level``; NoThreadError when it is the outermost frame, or its
        caller is not known."""
        frames = called_frames(self._thread, level)
        inner = [each.unwound for each in frames[: level + 1] if each.unwound is not None]
        scope = inner[-1].scope if inner[-1].is_inlined else None
        levels = sum(not each.is_inlined for each in inner)
        calls = _Calls(lambda _address: True)
        for executed in self._history(_TOGETHER):
            left = calls.pass_(executed)
            ended = self._met(executed)
            if ended is not None:
                return ended
            if scope is None:
                is_there = left and calls.left == levels
            else:
                inlined = self._inlined_at(executed.address)
                is_there = calls.left == levels and calls.depth == -levels and scope not in inlined
            if is_there:
                self._go_to(executed)
                return None
        return self._at_beginning()

    def _inlined_at(self, address: int) -> Collection[object]:
        module = self._device.module_at(address)
        return () if module is None else module.inlined_calls_at(address)

    def back_to_place(self, spec: str) -> Outcome | None:
        """To where the thread was at a place of its module last; BreakpointError when it has none
        there."""
        targets = addresses_of(spec, self._thread)
        for executed in self._history(_TOGETHER):
            ended = self._met(executed)
            if ended is not None:
                return ended
            if executed.address in targets:
                self._go_to(executed)
                return None
        return self._at_beginning()

    def _history(self, together: int) -> Iterator[Executed]:
        """What the thread has executed since it began, latest first."""
        past, device = self._state.past, self._device
        moment = past.moment(device)
        search = Search(
            moment.launch,
            past.recorded(device, moment.launch).first,
            moment.time,
            HitKind.EXECUTES,
            backward=True,
            thread=self._thread.place.fields,
            limit=together,
        )
        following = self._thread.pc
        for hit in past.find(device, search, lambda: self._state.interrupt_requested):
            instruction = device.code.instruction(hit.instruction)
            if instruction is not None and instruction.ends_thread:
                return  # of the thread that was in its place before
            self._earliest = hit.time
            yield Executed(hit.time, hit.instruction, following, instruction)
            following = hit.instruction

    def _met_among(self, executed: Collection[Executed]) -> Outcome | None:
        for each in executed:
            ended = self._met(each)
            if ended is not None:
                return ended
        return None

    def _met(self, executed: Executed) -> Outcome | None:
        """The stop at a breakpoint that the thread comes to at ``executed``; goes there."""
        if not self._state.breakpoints.at(self._device, executed.address):
            return None
        self._go_to(executed)
        hit = breakpoint_hit(self._thread, self._state.breakpoints)
        return None if hit is None else self._report(hit)

    def _go_to(self, executed: Executed) -> None:
        self._go_to_time(executed.time)

    def _go_to_time(self, time: int) -> None:
        past = self._state.past
        past.go_to(self._device, Moment(past.moment(self._device).launch, time))

    def _at_beginning(self) -> Stop:
        """The thread began there."""
        if self._earliest is not None:
            self._go_to_time(self._earliest)
        return self._no_history(NO_MORE_HISTORY)

    _earliest: int | None = None  # the time before the first instruction that was looked at
