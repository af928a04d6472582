"""The calls that the lanes of a stopped thread are in, and the iterations of the loops in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.spirv.analysis.private_memory import Iterations, NotReached
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation, KnownValues
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.copies.copy_levels import Found, LaneLevels, Level
from zedbg.values.copies.loop_copies import LoopCopies
from zedbg.values.copies.unrolled_loops import LaneThere, UnrolledLoops, comes_to
from zedbg.values.inputs.held_results import HeldResults
from zedbg.values.inputs.memory_before import StoredBefore
from zedbg.values.inputs.work_group import LoadsOfLane
from zedbg.values.loops.carried_loops import carried_iteration
from zedbg.values.loops.iterations import Counted, LaneIterations, LaneLoop, comes_in
from zedbg.values.loops.left_lanes import is_of_its_pass
from zedbg.values.loops.own_loops import leaves_by_data, leaves_no_doubt, own_loop
from zedbg.values.loops.recorded_passes import LoopHere, RecordedPasses
from zedbg.values.loops.remembered_visits import RememberedVisits
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import call_to, is_unoptimised, points_of
from zedbg.values.threads.work_items import LaneItem, WorkItems
from zedbg.xe.coordinates import lanes_of

_MOST_CALLERS = 16  # frames in which what was passed is looked for
_MOST_COPIES = 96  # of the body of a loop
_DIFFERENT = "two stops say different copies"
_COMPARED = 8  # lanes, to find the copy of an unrolled loop that all of them are in


class LaneCalls:
    """Of ``frame``.

    A call is named by its depth: 0 is the kernel itself, the last one is that of its position. With
    ``in_iteration``, loops are in the iterations that lanes are in, as far as that is known;
    without, in none, which is less work where nothing depends on it.
    """

    def __init__(
        self, frame: SourceFrame, items: WorkItems, called: LaneCalls | None = None
    ) -> None:
        """``called``: those of the frame that this one has called."""
        self._frame = frame
        self._called = called
        self._depth: int = 0 if called is None else called._depth + 1
        self._context = frame.context
        self._model = frame.model
        self._position = frame.position
        self._items = items
        self._last = len(frame.position.calls)
        # Then registers are those of the function that was called on the stack.
        self._has_called = frame.state.level > 0
        self._calls: dict[tuple[int, bool], tuple[Evaluation, list[Activation]]] = {}
        self._held: dict[tuple[int, bool], HeldResults] = {}
        self._iterations: dict[tuple[int, int, int], Iterations] = {}
        self._copies: dict[tuple[int, int, int], int | None] = {}
        self._loop_copies: dict[int, Found | None] = {}
        self._carrying: dict[tuple[int, int, Iterations], int | None] = {}
        self._loops_here: dict[tuple[int, int, int], LoopHere] = {}
        self._is_whole: set[tuple[int, bool]] = set()
        self._outer: dict[int, LaneCalls | None] = {}
        self._outside: dict[int, int] = {}

    def innermost(self, lane: int, in_iteration: bool) -> tuple[Evaluation, Activation]:
        """The call of the position. Raises UnknownValue."""
        evaluation, activation = self._call(lane, in_iteration, self._last)
        key = lane, in_iteration
        points = points_of(self._model, self._position)
        if points and key not in self._is_whole:
            self._is_whole.add(key)
            self._hold(lane, in_iteration, self._last, points[0].block)
        return evaluation, activation

    def iterations(self, lane: int, block: int, in_iteration: bool) -> Iterations:
        """The iterations of the loops around ``block`` of the position's function; None of those
        for which nothing proves one. Raises UnknownValue."""
        return self._iterations_in(lane, in_iteration, self._last, block)

    def possible(self, lane: int, block: int) -> list[Iterations]:
        """All that the lane may be in of the loops around ``block`` of the position's function;
        none where that is not known. Compilers let lanes pass code that they do nothing in, instead
        of a jump: so the lane must come to ``block`` in all of them. Raises NotReached where it
        comes there in none."""
        here, known = self._levels(lane, block), self.iterations(lane, block, True)
        if here is None or any(each.is_left for each in here.levels):
            return []
        found = [
            each
            for each in here.possible
            if all(a in (None, b) for a, b in zip(known, each, strict=True))
        ]
        coming = [each for each in found if self._may_come(lane, block, each)]
        if found and not coming:
            raise NotReached
        return coming if len(coming) == len(found) else []

    def _may_come(self, lane: int, block: int, iterations: Iterations) -> bool:
        """Whether ``lane`` may come to ``block`` of the innermost call in these iterations of the
        loops around it."""
        evaluation, activation = self._call(lane, True, self._last)
        around = self._model.flow(activation.function).loops_around(block)
        return all(
            comes_in(evaluation, activation, block, header, iterations[: level + 1]) is not False
            for level, header in enumerate(around)
        )

    def _function(self, depth: int) -> Function:
        calls = self._position.calls
        return calls[depth][0] if depth < len(calls) else self._position.function

    def _inlined(self, depth: int) -> list[InlinedCall]:
        """What the call is in the debug information, the innermost first."""
        return [each[3] for each in self._position.calls[:depth]][::-1]

    def _call(self, lane: int, in_iteration: bool, depth: int) -> tuple[Evaluation, Activation]:
        key = lane, in_iteration
        if key not in self._calls:
            evaluation, activation = self._begin(lane, in_iteration)
            activation.reached = self._reached(lane, 0)
            self._calls[key] = evaluation, [activation]
        evaluation, made = self._calls[key]
        while len(made) <= depth:
            above = len(made) - 1
            _, instruction, block, _ = self._position.calls[above]
            iterations = self._hold(lane, in_iteration, above, block)
            made.append(evaluation.activation(made[above], instruction, block, iterations))
            made[-1].reached = self._reached(lane, above + 1)
        return evaluation, made[depth]

    def _reached(self, lane: int, depth: int) -> int | None:
        """A block that ``lane`` comes to in its call, for certain; None: none is known."""
        if not self._context.active_lanes >> lane & 1:
            return None
        if depth < self._last:
            return self._position.calls[depth][2]
        blocks = {each.block for each in points_of(self._model, self._position)}
        flow = self._model.flow(self._position.function)
        are_known = bool(blocks) and all(each in flow.dominator for each in blocks)
        return flow.last_before(blocks) if are_known else None

    def _begin(self, lane: int, in_iteration: bool) -> tuple[Evaluation, Activation]:
        """The call of the function whose code the position is in."""
        if self._caller is not None:
            caller, instruction, block = self._caller
            evaluation, activation = caller.innermost(lane, in_iteration)
            iterations = caller.iterations(lane, block, in_iteration)
            return evaluation, evaluation.activation(activation, instruction, block, iterations)
        item, is_called = LaneItem(self._items, lane), self._position.is_called
        held, local, before = self._held_results(lane, in_iteration), None, None
        kernel = self._function(0)
        known: KnownValues | None = None
        if not is_called:
            known = self._items.known_values(kernel, lane)
            local = LoadsOfLane(self._context, self._items, self._model, kernel, lane)
            before = StoredBefore(self._context, self._items, self._model, kernel, item)
        evaluation = Evaluation(self._model, kernel, item, is_called, held, local, before, known)
        return evaluation, evaluation.outermost

    @cached_property
    def _caller(self) -> tuple[LaneCalls, Instruction, int] | None:
        """Those of the frame that called this one, with the call and its block."""
        frame = self._frame.caller if self._position.is_called else None
        if frame is None or self._depth == _MOST_CALLERS:
            return None
        found = call_to(self._model, frame.position, self._function(0))
        return found and (LaneCalls(frame, self._items, self), *found)

    def _held_results(self, lane: int, in_iteration: bool) -> HeldResults | None:
        """What instructions left in registers, which are those of the innermost frame."""
        if self._called is not None:
            return self._called._held_results(lane, in_iteration)
        if self._has_called:
            return None
        key = lane, in_iteration
        if key not in self._held:
            self._held[key] = HeldResults(self._frame, self._function(0), lane)
        return self._held[key]

    def _hold(self, lane: int, in_iteration: bool, depth: int, block: int) -> Iterations:
        """Takes note that the lane is in ``block``: results may be in registers there."""
        evaluation, activation = self._call(lane, in_iteration, depth)
        iterations = self._iterations_in(lane, in_iteration, depth, block)
        if in_iteration and self._context.active_lanes >> lane & 1:
            evaluation.is_now(activation, block, iterations)
        held = None if self._has_called else self._held_results(lane, in_iteration)
        if held is not None:
            held.add(activation, block, iterations, self._inlined(depth))
        return iterations

    def _iterations_in(self, lane: int, in_iteration: bool, depth: int, block: int) -> Iterations:
        around = self._model.flow(self._function(depth)).loops_around(block)
        if not in_iteration:
            return (None,) * len(around)
        key = lane, depth, block
        if key not in self._iterations:
            found = self._remembered(lane, depth, block) if around else None
            if found is not None:
                self._iterations[key] = found
                return found
            found = ()
            for header in around:
                number = self._counted(lane, depth, block, header, found)
                if number is None:
                    number = self._recorded(lane, depth, block, header)
                if number is None and self._context.active_lanes >> lane & 1:
                    number = self._carried(depth, block, header, found)
                if number is not None:
                    self._check_comes(lane, depth, block, header, (*found, number))
                if number is None:
                    number = self._copied(lane, depth, block, header)
                found = (*found, number)
            if None in found:
                of = self._of_copy if depth == self._last else partial(self._of_outer, depth)
                found = of(lane, block, found)
            self._iterations[key] = found
        return self._iterations[key]

    def _in_call(self, depth: int) -> LaneCalls | None:
        """Those of the frame that is the call ``depth`` calls deep; None where it has no own."""
        if self._has_called:
            return None
        if depth not in self._outer:
            frame = self._frame.in_call(depth)
            self._outer[depth] = None if frame is None else LaneCalls(frame, self._items)
        return self._outer[depth]

    def _of_outer(self, depth: int, lane: int, block: int, known: Iterations) -> Iterations:
        """The iterations by what speaks of the loops in the frame that is the call ``depth`` calls
        deep; those that are ``known`` where nothing says them."""
        outer = self._in_call(depth)
        if outer is None:
            return known
        there = outer.iterations(lane, block, True)
        return tuple(b if a is None else a for a, b in zip(known, there, strict=True))

    def _of_copy(self, lane: int, block: int, known: Iterations) -> Iterations:
        """The iterations by which copies of the bodies of loops the code is; those that are
        ``known`` where that is not sure. Raises NotReached where a lane that is in that copy does
        not come to ``block``."""
        here = self._levels(lane, block)
        if here is None:
            return known
        around = self._model.flow(self._position.function).loops_around(block)
        if block not in self._loop_copies:
            lanes = lanes_of(self._context.active_lanes)
            some = [self._levels(each, block) for each in lanes[:: -(-len(lanes) // _COMPARED)]]
            there = [each for each in some if each is not None]
            if not all(each.is_counted for each in there):
                # Lanes may be in different iterations, though they execute the same copy.
                some = [self._levels(each, block) for each in lanes]
                there = [each for each in some if each is not None]
            shapes = {(each.outside, *(level.is_left for level in each.levels)) for each in there}
            is_one = len(there) == len(some) and len(shapes) == 1
            copies = LoopCopies(self._frame, block)
            one = copies.copy(there) if is_one else None
            self._loop_copies[block] = one and self._noted_copy(block, there[0], one)
        copy = self._loop_copies[block]
        if copy is None:
            return known
        found = tuple(
            a if b is None else b for a, b in zip(known, here.iterations(copy), strict=True)
        )
        for index, header in enumerate(around):
            if found[index] is None:
                break
            if known[index] is None:
                self._check_comes(lane, self._last, block, header, found[: index + 1])
        return found

    def _noted_copy(self, block: int, lane: LaneLevels, copy: Found) -> Found:
        """``copy``, with what :meth:`_noted` has of each loop."""
        levels = lane.levels
        if any(each.is_left or (each.first and not each.is_counted) for each in levels):
            return copy
        kinds = tuple((each.copies, each.is_counted) for each in levels)
        what = block, *kinds, *self._inlined(self._last)
        return tuple(self._noted((index, *what), each) for index, each in enumerate(copy))

    def _noted(self, what: tuple[object, ...], number: int | None) -> int | None:
        """The ``number`` of a copy that the code is, or the one that was found at another stop,
        where more was known; None where two stops said different ones."""
        notes, key = self._model.notes, (LaneCalls, self._frame.address, *what)
        before = notes.get(key)
        if number is None or before is None:
            found = before if number is None else number
        else:
            found = number if before == number else _DIFFERENT
        if found is not None:
            notes[key] = found
        return found if isinstance(found, int) else None

    def _check_comes(
        self, lane: int, depth: int, block: int, header: int, iterations: Iterations
    ) -> None:
        """Raises NotReached where a lane does not come to ``block`` in an iteration of the loop of
        ``header``, the last one of ``iterations``."""
        evaluation, activation = self._call(lane, True, depth)
        if comes_in(evaluation, activation, block, header, iterations) is False:
            raise NotReached

    def _levels(self, lane: int, block: int) -> LaneLevels | None:
        """What is known of the iterations of a lane in ``block`` of the innermost call; None where
        a loop has no number of iterations."""
        if self._has_called or not self._context.active_lanes >> lane & 1:
            return None
        evaluation, activation = self._call(lane, True, self._last)
        flow = self._model.flow(activation.function)
        calls = tuple(self._inlined(self._last))
        levels: list[Level] = []
        outer: Iterations = ()
        possible: list[Iterations] = [()]
        in_machine = 0
        for header in flow.loops_around(block):
            loop = flow.loops[header]
            here = LaneLoop(lane, evaluation, activation, loop, outer, block, calls)
            counted = self._counters.counted(here)
            if counted is None:
                number = self._in_machine(lane, self._last, block, header, outer)
                counted = None if number is None else Counted(number, 1)
            if counted is None:
                there = self._loop_there(lane, self._last, block, header)
                counted = self._passes.copied(there, lane)
            left = None if counted is not None else self._counters.left(here)
            first = None if counted is not None or left is not None else self._counters.before(here)
            if counted is not None:
                level = Level(counted.first, counted.copies, is_counted=True)
                in_machine += 1
            elif left is not None:
                level = Level(left.first, left.copies, is_left=True)
            elif first is not None:
                level = Level(first.first, first.copies)
            else:
                counts = [_count_of(here, each) for each in possible]
                known = [each for each in counts if each is not None]
                most = max(known, default=0)
                if len(known) < len(counts) or not 0 < most <= _MOST_COPIES:
                    return None
                level = Level(0, _most_of(here, most))
            levels.append(level)
            outer = (*outer, level.first if level.copies == 1 else None)
            possible = [
                (*each, number)
                for each in possible
                for number in range(level.first, level.first + level.copies)
                if _may_come(here, each, number)
            ]
            if len(possible) > _MOST_COPIES:
                return None
        loops = self._frame.loops_around
        outside = self._counted_outside(lane)
        return LaneLevels(
            *(lane, evaluation, activation, tuple(levels), frozenset(possible)),
            is_counted=len(loops) == in_machine + outside,
            outside=outside,
        )

    def _counted_outside(self, lane: int) -> int:
        """How many loops of the machine code make one iteration in each pass of the loops around
        the calls that led to the innermost one; none where that is not known of all of these."""
        if lane not in self._outside:
            known = True
            count = 0
            for depth, (function, _, block, _) in enumerate(self._position.calls):
                outer: Iterations = ()
                for header in self._model.flow(function).loops_around(block):
                    number = self._in_machine(lane, depth, block, header, outer)
                    known &= number is not None
                    outer = (*outer, number)
                    count += 1
            self._outside[lane] = count if known else 0
        return self._outside[lane]

    def _remembered(self, lane: int, depth: int, block: int) -> Iterations | None:
        """The iterations by the variables in memory, of unoptimised code."""
        is_active = self._context.active_lanes >> lane & 1
        if depth < self._last or not is_active or self._has_called:
            return None
        if not is_unoptimised(self._model, self._position):
            return None
        evaluation, activation = self._call(lane, True, depth)
        return RememberedVisits(self._frame).iterations(evaluation, activation, block, lane)

    @cached_property
    def _counters(self) -> LaneIterations:
        return LaneIterations(self._frame)

    def _counted(
        self, lane: int, depth: int, block: int, header: int, outer: Iterations
    ) -> int | None:
        if self._has_called:
            return None
        evaluation, activation = self._call(lane, True, depth)
        loop = self._model.flow(activation.function).loops[header]
        calls = tuple(self._inlined(depth))
        return self._counters.of(LaneLoop(lane, evaluation, activation, loop, outer, block, calls))

    def _recorded(self, lane: int, depth: int, block: int, header: int) -> int | None:
        """The iteration by the passes that the device has recorded."""
        if self._has_called or not self._context.active_lanes >> lane & 1:
            return None
        return self._passes.iteration(self._loop_there(lane, depth, block, header), lane)

    def _loop_there(self, lane: int, depth: int, block: int, header: int) -> LoopHere:
        """As :meth:`_loop_here`, with the loop of the machine code that is its own."""
        key = depth, block, header
        if key not in self._loops_here:
            there = self if depth == self._last else self._in_call(depth)
            own, is_sure = (None, False) if there is None else there._own_loop(lane, block, header)
            self._loops_here[key] = replace(self._loop_here(*key), own=own, is_sure=is_sure)
        return self._loops_here[key]

    def _own_loop(self, lane: int, block: int, header: int) -> tuple[tuple[int, int] | None, bool]:
        """The loop of the machine code each pass of which makes one iteration of a loop of the
        innermost call, with the code in the same one; and whether the jumps out of it leave no
        doubt that it is."""
        (here,) = self._there_in_loop([lane], block, header, ())
        by_data = leaves_by_data(self._frame, here)
        loop = own_loop(self._frame, here, by_parts=True) if by_data else None
        if loop is None or not is_of_its_pass(self._frame, loop):
            return None, False
        is_alone = own_loop(self._frame, here) == loop
        return loop, is_alone and leaves_no_doubt(self._frame, here, loop)

    def _loop_here(self, depth: int, block: int, header: int) -> LoopHere:
        blocks = [each[2] for each in self._position.calls]
        flows = [self._model.flow(self._function(each)) for each in range(self._last + 1)]
        if depth == self._last:
            blocks.append(block)
        else:
            points = points_of(self._model, self._position)
            blocks += [each.block for each in points[:1]]
        loops = [flow.loops_around(each) for flow, each in zip(flows, blocks, strict=False)]
        outer = sum(map(len, loops[:depth]))
        return LoopHere(
            self._function(depth),
            tuple(self._inlined(depth)),
            block,
            header,
            outer + loops[depth].index(header),
            sum(map(len, loops)),
        )

    @cached_property
    def _passes(self) -> RecordedPasses:
        return RecordedPasses(self._frame)

    def _in_machine(
        self, lane: int, depth: int, block: int, header: int, outer: Iterations
    ) -> int | None:
        """The iteration of a loop that a loop of the machine code makes, one in each pass."""
        number = self._counted(lane, depth, block, header, outer)
        if number is None:
            number = self._recorded(lane, depth, block, header)
        return self._carried(depth, block, header, outer) if number is None else number

    def _carried(self, depth: int, block: int, header: int, outer: Iterations) -> int | None:
        """The iteration of a loop that nothing counts, in which all active lanes are."""
        if self._has_called or depth < self._last or None in outer:
            return None
        key = block, header, outer
        if key not in self._carrying:
            there = self._there_in_loop(lanes_of(self._context.active_lanes), *key)
            others = self._context.dispatch_lanes & ~self._context.active_lanes
            left, blocks = self._there_in_loop(lanes_of(others), *key), self._blocks(depth, block)
            found = carried_iteration(self._frame, there, left, blocks)
            self._carrying[key] = found
        return self._carrying[key]

    def _there_in_loop(
        self, lanes: Sequence[int], block: int, header: int, outer: Iterations
    ) -> list[LaneLoop]:
        """``lanes`` in a loop of the innermost call."""
        loop = self._model.flow(self._position.function).loops[header]
        calls = tuple(self._inlined(self._last))
        return [
            LaneLoop(each, *self._call(each, True, self._last), loop, outer, block, calls)
            for each in lanes
        ]

    @cached_property
    def _unrolled(self) -> UnrolledLoops:
        return UnrolledLoops(self._frame)

    def _copied(self, lane: int, depth: int, block: int, header: int) -> int | None:
        """The iteration of a loop without a counter: of an unrolled one, that of the code."""
        if not self._context.active_lanes >> lane & 1:
            return None
        loop = self._model.flow(self._function(depth)).loops[header]
        own = self._there(lane, depth, block, header)
        if self._unrolled.executes_once(block, loop, own):
            return 0
        if self._has_called:
            return None
        last = self._unrolled.last_iteration(block, loop, own)
        if last is not None:
            return last
        if self._unrolled.is_before_first(block, loop, own, tuple(self._inlined(depth))):
            return 0
        key = depth, block, header
        if key not in self._copies:
            lanes = lanes_of(self._context.active_lanes)
            some = lanes[:: -(-len(lanes) // _COMPARED)]
            there = [self._there(each, depth, block, header) for each in some]
            blocks = self._blocks(depth, block)
            everywhere = [
                replace(own, lane=each, evaluation=evaluation, activation=activation)
                for each in lanes_of(self._context.dispatch_lanes)
                for evaluation, activation in [self._call(each, True, depth)]
            ]
            calls = tuple(self._inlined(depth))
            found = None
            # Where another loop is unrolled, too, copies may be those of iterations of that.
            if own.counted == self._loop_here(*key).loops - 1:
                found = self._unrolled.by_data(block, loop, there, calls)
            if found is None:
                found = self._unrolled.iteration(depth, blocks, loop, there, everywhere, calls)
            self._copies[key] = self._noted((*key, *calls), found)
        number = self._copies[key]
        if number is not None and comes_to(block, loop, own, number) is False:
            raise NotReached
        return number

    def _blocks(self, depth: int, block: int) -> list[int]:
        """``block``, and others that have code of the line, in the same loops."""
        if depth < self._last:
            return [block]
        flow = self._model.flow(self._position.function)
        around = flow.loops_around(block)
        places = {each.block for each in points_of(self._model, self._position)} - {block}
        return [block, *(each for each in places if flow.loops_around(each) == around)]

    def _there(self, lane: int, depth: int, block: int, header: int) -> LaneThere:
        around = self._model.flow(self._function(depth)).loops_around(block)
        level = around.index(header)
        found: Iterations = ()
        counted = 0
        for index, each in enumerate(around):
            number = self._in_machine(lane, depth, block, each, found) if index != level else None
            counted += number is not None
            if number is None and index < level:
                number = self._copied(lane, depth, block, each)
            found = (*found, number)
        evaluation, activation = self._call(lane, True, depth)
        outer, inner = found[:level], found[level + 1 :]
        if depth == self._last:
            counted += self._counted_outside(lane)
        return LaneThere(lane, evaluation, activation, outer, inner, counted)


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
    return most if count <= most <= _MOST_COPIES else count
