"""Iterations of lanes by which copies of the bodies of loops the code is that they execute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zedbg.spirv.analysis.private_memory import Iterations, NotReached
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.ways import MOST_COPIES
from zedbg.values.copies.copy_levels import Found, LaneLevels, Level
from zedbg.values.copies.loop_copies import LoopCopies
from zedbg.values.copies.unrolled_loops import LaneThere, UnrolledLoops, comes_to
from zedbg.values.loops.iterations import Counted, LaneLoop, require_coming
from zedbg.values.loops.machine_loops import CallsOfLanes, MachineLoops, blocks_of_line
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.coordinates import lanes_of

_DIFFERENT = "two stops say different copies"
_COMPARED = 8  # lanes, to find the copy of an unrolled loop that all of them are in


@dataclass(frozen=True)
class _FoundCopy:
    """The copy that lanes are in: by what is known ``now``, and with what was ``noted`` at other
    stops of lanes of which is known what ``levels`` say."""

    now: Found
    noted: Found
    levels: tuple[Level, ...]

    def of(self, lane: LaneLevels) -> Found:
        """That of one of them: what was noted counts where as much is known of it."""
        return tuple(
            noted if now == noted or _kind(level) == _kind(own) else None
            for now, noted, level, own in zip(
                self.now, self.noted, self.levels, lane.levels, strict=True
            )
        )


def _kind(level: Level) -> tuple[int, bool]:
    return level.copies, level.is_counted


class LaneCopies:
    """Of the code of ``frame``, whose lanes are in ``calls``, and in ``loops``."""

    def __init__(self, frame: SourceFrame, calls: CallsOfLanes, loops: MachineLoops) -> None:
        self._frame = frame
        self._calls = calls
        self._loops = loops
        self._context = frame.context
        self._model = frame.model
        self._position = frame.position
        self._last = len(frame.position.calls)
        self._copies: dict[tuple[int, int, int], int | None] = {}
        self._loop_copies: dict[int, _FoundCopy | None] = {}

    def copied(self, lane: int, depth: int, block: int, header: int) -> int | None:
        """The iteration of a loop without a counter: of an unrolled one, that of the code. Raises
        NotReached where a lane does not come to ``block`` in it."""
        if not self._context.active_lanes >> lane & 1:
            return None
        loop = self._model.flow(self._position.function_of(depth)).loops[header]
        own = self._there(lane, depth, block, header)
        if self._unrolled.executes_once(block, loop, own):
            return 0
        if self._frame.has_called:
            return None
        last = self._unrolled.last_iteration(block, loop, own)
        if last is not None:
            return last
        if self._unrolled.is_before_first(block, loop, own, self._position.inlined_calls(depth)):
            return 0
        key = depth, block, header
        if key not in self._copies:
            lanes = lanes_of(self._context.active_lanes)
            some = lanes[:: -(-len(lanes) // _COMPARED)]
            there = [self._there(each, depth, block, header) for each in some]
            blocks = blocks_of_line(self._frame, block) if depth == self._last else [block]
            everywhere = [
                replace(own, lane=each, evaluation=evaluation, activation=activation)
                for each in lanes_of(self._context.dispatch_lanes)
                for evaluation, activation in [self._calls.call(each, depth)]
            ]
            calls = self._position.inlined_calls(depth)
            found = None
            # Where another loop is unrolled, too, copies may be those of iterations of that.
            if own.counted == self._loops.loop_here(*key).loops - 1:
                found = self._unrolled.by_data(block, loop, there, calls)
            if found is None:
                found = self._unrolled.iteration(depth, blocks, loop, there, everywhere, calls)
            self._copies[key] = self._noted((*key, *calls), found)
        number = self._copies[key]
        if number is not None and comes_to(block, loop, own, number) is False:
            raise NotReached
        return number

    def of_code(self, lane: int, block: int, known: Iterations) -> Iterations:
        """The iterations by which copies of the bodies of loops the code is; those that are
        ``known`` where that is not sure. Raises NotReached where a lane that is in that copy does
        not come to ``block``."""
        here = self.levels(lane, block)
        if here is None:
            return known
        around = self._model.flow(self._position.function).loops_around(block)
        if block not in self._loop_copies:
            lanes = lanes_of(self._context.active_lanes)
            some = [self.levels(each, block) for each in lanes[:: -(-len(lanes) // _COMPARED)]]
            there = [each for each in some if each is not None]
            if not all(each.is_counted for each in there):
                # Lanes may be in different iterations, though they execute the same copy.
                some = [self.levels(each, block) for each in lanes]
                there = [each for each in some if each is not None]
            shapes = {(each.outside, *(level.is_left for level in each.levels)) for each in there}
            is_one = len(there) == len(some) and len(shapes) == 1
            copies = LoopCopies(self._frame, block)
            one = copies.copy(there) if is_one else None
            found = None
            if one is not None:
                noted = self._noted_copy(block, there[0], one)
                found = _FoundCopy(one, noted, there[0].levels)
            self._loop_copies[block] = found
        copy = self._loop_copies[block]
        if copy is None:
            return known
        there_now = here.iterations(copy.of(here))
        iterations = tuple(a if b is None else b for a, b in zip(known, there_now, strict=True))
        for index, header in enumerate(around):
            if iterations[index] is None:
                break
            if known[index] is None:
                until = iterations[: index + 1]
                require_coming(here.evaluation, here.activation, block, header, until)
        return iterations

    def levels(self, lane: int, block: int) -> LaneLevels | None:
        """What is known of the iterations of a lane in ``block`` of the innermost call; None where
        a loop has no number of iterations."""
        if self._frame.has_called or not self._context.active_lanes >> lane & 1:
            return None
        evaluation, activation = self._calls.call(lane, self._last)
        flow = self._model.flow(activation.function)
        calls = self._position.inlined_calls(self._last)
        levels: list[Level] = []
        outer: Iterations = ()
        possible: list[Iterations] = [()]
        for header in flow.loops_around(block):
            loop = flow.loops[header]
            here = LaneLoop(lane, evaluation, activation, loop, outer, block, calls)
            level = self._level(here, possible)
            if level is None:
                return None
            levels.append(level)
            outer = (*outer, level.first if level.copies == 1 else None)
            possible = [
                (*each, number)
                for each in possible
                for number in range(level.first, level.first + level.copies)
                if _may_come(here, each, number)
            ]
            if len(possible) > MOST_COPIES:
                return None
        in_machine = sum(each.is_counted for each in levels)
        outside = self._loops.counted_outside(lane)
        return LaneLevels(
            *(lane, evaluation, activation, tuple(levels), frozenset(possible)),
            is_counted=len(self._frame.loops_around) == in_machine + outside,
            outside=outside,
        )

    def _level(self, here: LaneLoop, possible: Sequence[Iterations]) -> Level | None:
        """What is known of a lane's iteration of one loop, in ``possible`` iterations of those
        around that; None where it has no number of iterations."""
        lane, block, header, counters = (
            here.lane,
            here.block,
            here.loop.header,
            self._loops.counters,
        )
        counted = counters.counted(here)
        if counted is None:
            number = self._loops.iteration(lane, self._last, block, header, here.outer)
            counted = None if number is None else Counted(number, 1)
        if counted is None:
            there = self._loops.loop_there(lane, self._last, block, header)
            counted = self._loops.passes.copied(there, lane)
        if counted is not None:
            return Level(counted.first, counted.copies, is_counted=True)
        left = counters.left(here)
        if left is not None:
            return Level(left.first, left.copies, is_left=True)
        first = counters.before(here)
        if first is not None:
            return Level(first.first, first.copies)
        counts = [_count_of(here, each) for each in possible]
        known = [each for each in counts if each is not None]
        most = max(known, default=0)
        if len(known) < len(counts) or not 0 < most <= MOST_COPIES:
            return None
        return Level(0, _most_of(here, most))

    def _there(self, lane: int, depth: int, block: int, header: int) -> LaneThere:
        around = self._model.flow(self._position.function_of(depth)).loops_around(block)
        level = around.index(header)
        found: Iterations = ()
        counted = 0
        for index, each in enumerate(around):
            number = None
            if index != level:
                number = self._loops.iteration(lane, depth, block, each, found)
            counted += number is not None
            if number is None and index < level:
                number = self.copied(lane, depth, block, each)
            found = (*found, number)
        evaluation, activation = self._calls.call(lane, depth)
        outer, inner = found[:level], found[level + 1 :]
        if depth == self._last:
            counted += self._loops.counted_outside(lane)
        return LaneThere(lane, evaluation, activation, outer, inner, counted)

    def _noted_copy(self, block: int, lane: LaneLevels, copy: Found) -> Found:
        """``copy``, with what :meth:`_noted` has of each loop."""
        levels = lane.levels
        if any(each.is_left or (each.first and not each.is_counted) for each in levels):
            return copy
        if not lane.is_counted:
            return copy  # another pass of a loop of the machine code may be of another iteration
        kinds = tuple(map(_kind, levels))
        what = block, *kinds, *self._position.inlined_calls(self._last)
        return tuple(self._noted((index, *what), each) for index, each in enumerate(copy))

    def _noted(self, what: tuple[object, ...], number: int | None) -> int | None:
        """The ``number`` of a copy that the code is, or the one that was found at another stop,
        where more was known; None where two stops said different ones."""
        notes, key = self._model.notes, (LaneCopies, self._frame.address, *what)
        before = notes.get(key)
        if number is None or before is None:
            found = before if number is None else number
        else:
            found = number if before == number else _DIFFERENT
        if found is not None:
            notes[key] = found
        return found if isinstance(found, int) else None

    @cached_property
    def _unrolled(self) -> UnrolledLoops:
        return UnrolledLoops(self._frame)


def _count_of(here: LaneLoop, outer: Iterations) -> int | None:
    """How many iterations of its loop may come to its block, in those ``outer`` of the loops around
    that; None where that is not known."""
    try:
        return here.evaluation.count_of(here.activation, here.block, here.loop.header, outer)
    except UnknownValue:
        return None


def _may_come(here: LaneLoop, outer: Iterations, number: int) -> bool:
    """Whether a lane may come to its block in that iteration of its loop, in those ``outer`` of the
    loops around that."""
    known = here.activation, here.block, here.loop.header, outer
    try:
        return here.evaluation.may_come(*known, number)
    except UnknownValue:
        return True


def _most_of(here: LaneLoop, count: int) -> int:
    """How many copies of its loop a compiler makes that unrolls it, of which ``count`` may come to
    its block at most."""
    try:
        most = here.evaluation.most_of(here.activation, here.block, here.loop.header, here.outer)
    except UnknownValue:
        return count
    return most if count <= most <= MOST_COPIES else count
