"""Which copies of several loops' bodies code is, by the order of the loops of the machine code.

Where a loop was unrolled, each copy of its body executes the loops in it once, in the order of the
iterations, and without a jump back in between. A loop of the machine code that counts a loop of the
source from its first iteration on begins one such execution. So where lanes come from one of these
to the next, and they are as many as copies, each is that of one copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.spirv.analysis.inductions import Stepping
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.copies.copy_levels import Copy, Found, LaneLevels, Level, alike, copies_of
from zedbg.values.counters.proved_counters import LoopPlace, function_start
from zedbg.values.loops.closed_visits import anyone_in
from zedbg.values.loops.counter_origins import begin_of
from zedbg.values.loops.whole_loops import whole_loops
from zedbg.values.source.source_frame import SourceFrame

#: Addresses of the first instruction of a loop, and of its jump back; None for the function.
Machine = tuple[int, int] | None
#: A loop of the machine code, the levels from its own up to the next loop's, without that, and the
#: next loop.
Gap = tuple[Machine, int, int, Machine]


def gaps_of(frame: SourceFrame, levels: Sequence[Level], outside: int) -> list[Gap] | None:
    """Those around the code of ``frame``, the outermost first, without so many ``outside`` the
    call; None where it is not known which loops the ``levels`` are."""
    within, loops = frame.loops_around[:outside], frame.loops_around[outside:]
    begins = [index for index, level in enumerate(levels) if level.is_counted]
    if len(loops) != len(begins):
        return None
    is_first = begins[:1] == [0]
    bounds = [*begins, len(levels)] if is_first else [0, *begins, len(levels)]
    around: list[Machine] = [*loops] if is_first else [within[-1] if within else None, *loops]
    return list(zip(around, bounds, bounds[1:], [*around[1:], None], strict=False))


class LoopsInOrder:
    """What they say of ``lane``, which is in ``block`` of the innermost call of ``frame``."""

    def __init__(self, frame: SourceFrame, block: int, lane: LaneLevels) -> None:
        self._frame = frame
        self._block = block
        self._code = frame.info.code
        self._lane = lane
        self._flow = frame.model.flow(frame.position.function)
        self._around = self._flow.loops_around(block)

    @cached_property
    def copies(self) -> set[Copy]:
        """Those that the code may be."""
        levels = self._lane.levels
        found = set(copies_of(levels))
        for within, low, high, inner in gaps_of(self._frame, levels, self._lane.outside) or ():
            index = high
            if inner is None:
                left = [each for each in range(low + 1, high) if levels[each].is_left]
                index = left[0] if left else high
            if index == len(levels) or any(each.is_left for each in levels[low:index]):
                continue
            own = copies_of(levels[low:index])
            if len(own) > 1:
                numbers = self._numbers(within, low, index, inner, len(own))
                named = [own[each] for each in numbers]
                found = {each for each in found if each[low:index] in named}
        return found

    @cached_property
    def found(self) -> Found:
        """Of each loop the iteration, as far as they say it."""
        return tuple(
            number if level.copies > 1 or index in self._left_whole else None
            for index, (level, number) in enumerate(
                zip(self._lane.levels, alike(self.copies), strict=True)
            )
        )

    @cached_property
    def _left_whole(self) -> set[int]:
        """The levels of which one iteration is left over, where the next loop of the machine code
        executes a loop of it from its beginning, after a loop that counts the level."""
        levels = self._lane.levels
        found = set()
        for within, low, high, inner in gaps_of(self._frame, levels, self._lane.outside) or ():
            if inner is None or high - low != 1 or not levels[low].is_left:
                continue
            loops = self._beginning(within, low)
            is_after = all(each[1] < inner[0] for each in loops)
            if len(loops) == 1 and is_after and levels[low].copies == 1:
                leads = self._code.leads_to(loops[0][0], inner[0])
                if leads and self._step(inner, high) is not None:
                    found.add(low)
        return found

    def known(self, levels: Sequence[Level]) -> list[Level]:
        """``levels``, with one copy where that is :attr:`found`."""
        return [
            level if number is None else Level(level.first, 1, level.is_counted)
            for level, number in zip(levels, self.found, strict=True)
        ]

    @cached_property
    def left(self) -> set[Copy] | None:
        """All copies, where the code is that of iterations which are left over: it comes after a
        loop that counts them, some lanes that have made all of them go past it, and no other
        instruction after that loop does the same."""
        levels = self._lane.levels
        if not levels or not levels[-1].is_left or levels[-1].copies != 1:
            return None
        gaps = gaps_of(self._frame, levels, self._lane.outside)
        if not gaps or gaps[-1][3] is not None or gaps[-1][2] != len(levels):
            return None
        within, address = gaps[-1][0], self._frame.address
        index = min(each for each, level in enumerate(levels) if level.is_left)
        loops = self._beginning(within, index)
        before = [each for each in loops if each[1] < address]
        after = [each for each in loops if each[0] > address]
        if not before:
            return None
        since = before[-1][1]
        until = after[0][0] if after else self._end(within)
        is_passed = self._code.leads_to(before[-1][0], until, address)
        is_only = self._code.count_alike(address, (since, until)) == 1
        return set(copies_of(levels)) if is_passed and is_only else None

    def _end(self, within: Machine) -> int:
        if within is not None:
            return within[1]
        function = self._frame.info.function_at(self._frame.address)
        assert function is not None
        return self._code.last_instruction(function.low)

    def _numbers(
        self, within: Machine, low: int, index: int, inner: Machine, count: int
    ) -> Sequence[int]:
        """Which of ``count`` copies of the levels from ``low`` up to ``index`` the code may be, by
        the loops that begin to execute the one number ``index`` of the source."""
        loops = self._beginning(within, index)
        if len(loops) != count or not self._all_come(low, index):
            return range(count)
        if not all(self._code.leads_to(a[0], b[0]) for a, b in pairwise(loops)):
            return range(count)
        if inner is not None:
            copies = (
                [loops.index(inner)] if inner in loops else self._continued(inner, loops, index)
            )
            return copies if len(copies) == 1 else range(count)
        address = self._frame.address
        before = sum(each[1] < address for each in loops)
        if not before or any(low <= address <= high for low, high in loops):
            return range(count)
        last = before == count
        until = self._end(within) if last else loops[before][0]
        is_passed = last or self._code.leads_to(loops[before - 1][0], until, address)
        # What all lanes execute in front of a loop may be what was moved out of that.
        return [before - 1] if is_passed else [before - 1, before]

    def _beginning(self, within: Machine, index: int) -> list[tuple[int, int]]:
        """The loops directly in ``within`` that count the one number ``index`` of the source from
        its first iteration on, all in the same steps; none where these differ."""
        found = []
        steps = set()
        for loop in self._code.loops_directly_in(within, self._frame.address):
            step = self._step(loop, index)
            if step is not None:
                found.append(loop)
                steps.add(step)
        return found if len(steps) == 1 else []

    def _continued(
        self, loop: tuple[int, int], before: Sequence[tuple[int, int]], index: int
    ) -> list[int]:
        """The numbers of those of the loops ``before`` whose count of the one number ``index`` of
        the source ``loop`` goes on with: they make the iterations that its passes leave over."""
        low = function_start(self._frame.info, self._loop_place(loop, index))
        return [
            number
            for number, each in enumerate(before)
            if any(
                each[0] <= low + added_at <= each[1]
                for _, counter in self._counters(loop, index)
                for added_at, _ in counter.additions
            )
        ]

    def _step(self, loop: tuple[int, int], index: int) -> int | None:
        """How many iterations each pass of ``loop`` makes of the one number ``index`` of the
        source, if it counts them from the first one on."""
        function = self._frame.position.function
        if loop in whole_loops(self._frame, function, self._calls, self._around[index]):
            return 1
        for stepping, counter in self._counters(loop, index):
            is_own = all(each == counter.added_at for each, _ in counter.additions)
            if is_own and self._begins(loop, stepping, counter, index):
                return counter.step // stepping.step
        source, calls = self._source(index), self._calls
        jumps = [function.blocks[each].terminator for each in (*source.latches, source.header)]
        steps = {
            counter.step
            for line in dict.fromkeys(each.line for each in jumps if each and each.line)
            for counter in self._code.counters_of_loop(loop, line.line, line.column, calls)
            if counter.step > 1 and all(each.constant == 0 for each in counter.origins)
            if all(each == counter.added_at for each, _ in counter.additions)
        }
        return steps.pop() if len(steps) == 1 else None

    @property
    def _calls(self) -> tuple[InlinedCall, ...]:
        return self._frame.position.inlined_calls()

    def _source(self, index: int) -> Loop:
        """The loop of the source number ``index``."""
        return self._flow.loops[self._around[index]]

    def _loop_place(self, loop: tuple[int, int], index: int) -> LoopPlace:
        function = self._frame.position.function
        return LoopPlace(loop[0], function, self._source(index), self._block, self._calls)

    def _counters(
        self, loop: tuple[int, int], index: int
    ) -> Iterator[tuple[Stepping, LoopCounter]]:
        """Those of ``loop`` that may count the one number ``index`` of the source."""
        position = self._frame.position
        for stepping in self._frame.model.steppings(position.function, self._source(index)):
            line = stepping.line
            for counter in self._code.counters_of_loop(loop, line.line, line.column, self._calls):
                copies, rest = divmod(counter.step, stepping.step)
                if not rest and copies > 0 and 8 * counter.size == stepping.bits:
                    yield stepping, counter

    def _begins(
        self, loop: tuple[int, int], stepping: Stepping, counter: LoopCounter, index: int
    ) -> bool:
        lane, place = self._lane, self._loop_place(loop, index)
        outer = tuple(each.first if each.copies == 1 else None for each in lane.levels[:index])
        try:
            first = lane.evaluation.value(
                lane.activation, stepping.result, stepping.block, (*outer, 0)
            )
        except UnknownValue:
            return False
        number = first if isinstance(first, int) else None
        begin = begin_of(self._frame, place, stepping, counter, lane.lane, number)
        return begin is not None

    def _all_come(self, low: int, index: int) -> bool:
        """Whether each copy of the levels from ``low`` up to the loop number ``index``, in the
        first pass, has code of that loop: the lane executes it, or some may and others not."""
        lane = self._lane
        levels = [
            Level(0 if low <= number < index else each.first, each.copies)
            for number, each in enumerate(lane.levels)
        ]
        for copy in copies_of(levels[:index]):
            outer = tuple(a.first + b for a, b in zip(levels, copy, strict=False))
            for number in range(low, index + 1):
                least = outer[number] + 1 if number < index else 1
                comes = self._goes_round(lane.evaluation, lane.activation, outer[:number], least)
                if not comes and not self._may_come(outer[:number], least):
                    return False
        return True

    def _goes_round(
        self, evaluation: Evaluation, call: Activation, outer: tuple[int, ...], least: int
    ) -> bool | None:
        """Whether a lane comes to the next loop in those iterations of the ones around it, and goes
        round it so often at least; None where that is not known."""
        headers = self._around[: len(outer) + 1]
        try:
            if outer and not evaluation.passes(call, headers[-1], headers[-2], outer):
                return False
            return evaluation.last_iteration(call, headers[-1], outer) >= least
        except UnknownValue:
            return None

    def _may_come(self, outer: tuple[int, ...], least: int) -> bool:
        """Whether that depends on more than a compiler knows."""
        if self._frame.position.calls:
            return False
        anyone = anyone_in(self._frame, self._frame.position.function)
        return self._goes_round(anyone, anyone.outermost, outer, least) is None
