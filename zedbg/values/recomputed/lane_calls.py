"""The calls that the lanes of a stopped thread are in, and the iterations of the loops in them."""

from __future__ import annotations

from functools import cached_property, partial

from zedbg.spirv.analysis.private_memory import Iterations, NotReached
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.work_item.activation import Activation, KnownValues
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.copies.lane_copies import LaneCopies
from zedbg.values.inputs.held_results import HeldResults
from zedbg.values.inputs.memory_before import StoredBefore
from zedbg.values.inputs.work_group import LoadsOfLane
from zedbg.values.loops.iterations import comes_in, require_coming
from zedbg.values.loops.machine_loops import MachineLoops
from zedbg.values.loops.remembered_visits import RememberedVisits
from zedbg.values.loops.visits_by_data import VisitsByData
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import call_to, is_unoptimised, points_of
from zedbg.values.threads.work_items import LaneItem, WorkItems

_MOST_CALLERS = 16  # frames in which what was passed is looked for


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
        self._calls: dict[tuple[int, bool], tuple[Evaluation, list[Activation]]] = {}
        self._held: dict[tuple[int, bool], HeldResults] = {}
        self._iterations: dict[tuple[int, int, int], Iterations] = {}
        self._is_whole: set[tuple[int, bool]] = set()
        self._outer: dict[int, LaneCalls | None] = {}
        self._loops = MachineLoops(frame, self)
        self._copies = LaneCopies(frame, self, self._loops)
        self._visits = VisitsByData(frame, self)

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
        here, known = self._copies.levels(lane, block), self.iterations(lane, block, True)
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

    def call(self, lane: int, depth: int) -> tuple[Evaluation, Activation]:
        """One that ``lane`` is in, in the iterations that it is in. Raises UnknownValue."""
        return self._call(lane, True, depth)

    def machine_loops_in(self, depth: int) -> MachineLoops | None:
        """Those of the frame that is the call ``depth`` calls deep; None where it has no own."""
        outer = self._in_call(depth)
        return None if outer is None else outer._loops

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
        kernel = self._position.function_of(0)
        known: KnownValues | None = None
        if not is_called:
            known = self._items.known_values(kernel, lane)
            local = LoadsOfLane(self._context, self._items, self._model, kernel, lane)
            before = StoredBefore(self._context, self._items, self._model, kernel, item)
        evaluation = Evaluation(
            self._model,
            kernel,
            item,
            is_called,
            held,
            local,
            before,
            known,
            is_made=not in_iteration,  # of the loops around nothing is asked for
        )
        return evaluation, evaluation.outermost

    @cached_property
    def _caller(self) -> tuple[LaneCalls, Instruction, int] | None:
        """Those of the frame that called this one, with the call and its block."""
        frame = self._frame.caller if self._position.is_called else None
        if frame is None or self._depth == _MOST_CALLERS:
            return None
        found = call_to(self._model, frame.position, self._position.function_of(0))
        return found and (LaneCalls(frame, self._items, self), *found)

    def _held_results(self, lane: int, in_iteration: bool) -> HeldResults | None:
        """What instructions left in registers, which are those of the innermost frame."""
        if self._called is not None:
            return self._called._held_results(lane, in_iteration)
        if self._frame.has_called:
            return None
        key = lane, in_iteration
        if key not in self._held:
            self._held[key] = HeldResults(self._frame, self._position.function_of(0), lane)
        return self._held[key]

    def _hold(self, lane: int, in_iteration: bool, depth: int, block: int) -> Iterations:
        """Takes note that the lane is in ``block``: results may be in registers there."""
        evaluation, activation = self._call(lane, in_iteration, depth)
        is_there = in_iteration and self._context.active_lanes >> lane & 1
        if is_there:  # in some iteration, while it is found out in which
            around = self._model.flow(self._position.function_of(depth)).loops_around(block)
            evaluation.is_now(activation, block, (None,) * len(around))
        iterations = self._iterations_in(lane, in_iteration, depth, block)
        if is_there:
            evaluation.is_now(activation, block, iterations)
        held = None if self._frame.has_called else self._held_results(lane, in_iteration)
        if held is not None:
            held.add(activation, block, iterations, self._position.inlined_calls(depth))
        return iterations

    def _iterations_in(self, lane: int, in_iteration: bool, depth: int, block: int) -> Iterations:
        """The iterations of the loops around ``block`` of a call: what speaks of one loop alone is
        asked first, and then what speaks of all together."""
        around = self._model.flow(self._position.function_of(depth)).loops_around(block)
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
                number = self._loops.counted(lane, depth, block, header, found)
                if number is None:
                    number = self._loops.recorded(lane, depth, block, header)
                if number is None:
                    number = self._loops.by_data(lane, depth, block, header, found)
                if number is None and self._context.active_lanes >> lane & 1:
                    number = self._loops.carried(depth, block, header, found)
                if number is not None:
                    require_coming(*self.call(lane, depth), block, header, (*found, number))
                if number is None:
                    number = self._copies.copied(lane, depth, block, header)
                found = (*found, number)
            if None in found:
                of = self._copies.of_code if depth == self._last else partial(self._of_outer, depth)
                found = of(lane, block, found)
            if None in found:
                found = self._by_visits(lane, depth, block, found)
            self._iterations[key] = found
        return self._iterations[key]

    def _by_visits(self, lane: int, depth: int, block: int, known: Iterations) -> Iterations:
        """The iterations by all that the lane has executed; those that are ``known`` where that
        does not say them, or says others."""
        if not self._context.active_lanes >> lane & 1 or self._frame.has_called:
            return known
        is_asked = depth < self._last or block == self._visits.block
        found = self._visits.iterations(lane, depth) if is_asked else None
        if found is None or any(a not in (None, b) for a, b in zip(known, found, strict=True)):
            return known
        return found

    def _in_call(self, depth: int) -> LaneCalls | None:
        """Those of the frame that is the call ``depth`` calls deep; None where it has no own."""
        if self._frame.has_called:
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

    def _remembered(self, lane: int, depth: int, block: int) -> Iterations | None:
        """The iterations by the variables in memory, of unoptimised code."""
        is_active = self._context.active_lanes >> lane & 1
        if depth < self._last or not is_active or self._frame.has_called:
            return None
        if not is_unoptimised(self._model, self._position):
            return None
        evaluation, activation = self._call(lane, True, depth)
        return RememberedVisits(self._frame).iterations(evaluation, activation, block, lane)
