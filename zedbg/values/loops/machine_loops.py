"""Iterations that loops of the machine code make, one in each pass: by all that speaks of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.loops.asked_anew import leaves_by_data
from zedbg.values.loops.carried_loops import carried_iteration
from zedbg.values.loops.iterations import LaneIterations, LaneLoop
from zedbg.values.loops.left_lanes import is_of_its_pass
from zedbg.values.loops.own_loops import has_no_copies, leaves_no_doubt, own_loop
from zedbg.values.loops.passes_by_data import PassesByData
from zedbg.values.loops.recorded_passes import LoopHere, RecordedPasses
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import points_of
from zedbg.xe.coordinates import lanes_of


class CallsOfLanes(Protocol):
    """The calls that lanes are in, by their depth: 0 is the first one, the last one is that of the
    code."""

    def call(self, lane: int, depth: int, /) -> tuple[Evaluation, Activation]:
        """One that ``lane`` is in, in the iterations that it is in of the loops around that.
        Raises UnknownValue."""

    def machine_loops_in(self, depth: int, /) -> MachineLoops | None:
        """The loops as seen from the frame that is that call; None where it has no own."""


class MachineLoops:
    """Those around the code of ``frame``, whose lanes are in ``calls``."""

    def __init__(self, frame: SourceFrame, calls: CallsOfLanes) -> None:
        self._frame = frame
        self._calls = calls
        self._context = frame.context
        self._model = frame.model
        self._position = frame.position
        self._last = len(frame.position.calls)
        self._carrying: dict[tuple[int, int, Iterations], int | None] = {}
        self._loops_here: dict[tuple[int, int, int], LoopHere] = {}
        self._outside: dict[int, int] = {}

    def iteration(
        self, lane: int, depth: int, block: int, header: int, outer: Iterations
    ) -> int | None:
        """The iteration of a loop that a loop of the machine code makes, one in each pass."""
        number = self.counted(lane, depth, block, header, outer)
        if number is None:
            number = self.recorded(lane, depth, block, header)
        return self.carried(depth, block, header, outer) if number is None else number

    def counted(
        self, lane: int, depth: int, block: int, header: int, outer: Iterations
    ) -> int | None:
        """The iteration by a register that counts it."""
        if self._frame.has_called:
            return None
        return self.counters.of(self._there(lane, depth, block, header, outer))

    def recorded(self, lane: int, depth: int, block: int, header: int) -> int | None:
        """The iteration by the passes that the device has recorded: of a function that has called
        another one only where it is the kernel, which does not call itself."""
        if self._frame.has_called and self._position.is_called:
            return None
        if not self._context.active_lanes >> lane & 1:
            return None
        return self.passes.iteration(self.loop_there(lane, depth, block, header), lane)

    def by_data(
        self, lane: int, depth: int, block: int, header: int, outer: Iterations
    ) -> int | None:
        """The iteration by what the recorded passes gave, where the code alone does not say how
        many of these a pass makes."""
        if self._frame.has_called or not self._context.active_lanes >> lane & 1:
            return None
        there = self._there(lane, depth, block, header, outer)
        return self.passes_by_data.iteration(self.loop_there(lane, depth, block, header), there)

    def carried(self, depth: int, block: int, header: int, outer: Iterations) -> int | None:
        """The iteration of a loop that nothing counts, in which all active lanes are."""
        if self._frame.has_called or depth < self._last or None in outer:
            return None
        key = block, header, outer
        if key not in self._carrying:
            there = self._there_in_loop(lanes_of(self._context.active_lanes), *key)
            others = self._context.dispatch_lanes & ~self._context.active_lanes
            left, blocks = (
                self._there_in_loop(lanes_of(others), *key),
                blocks_of_line(self._frame, block),
            )
            found = carried_iteration(self._frame, there, left, blocks)
            self._carrying[key] = found
        return self._carrying[key]

    @cached_property
    def counters(self) -> LaneIterations:
        """Iterations by registers that count them."""
        return LaneIterations(self._frame)

    @cached_property
    def passes(self) -> RecordedPasses:
        """Iterations by what the device has recorded."""
        return RecordedPasses(self._frame)

    @cached_property
    def passes_by_data(self) -> PassesByData:
        """Iterations by what the code gave in recorded passes."""
        return PassesByData(self._frame, self.passes)

    def counted_outside(self, lane: int) -> int:
        """How many loops of the machine code make one iteration in each pass of the loops around
        the calls that led to the innermost one; none where that is not known of all of these."""
        if lane not in self._outside:
            known = True
            count = 0
            for depth, (function, _, block, _) in enumerate(self._position.calls):
                outer: Iterations = ()
                for header in self._model.flow(function).loops_around(block):
                    number = self.iteration(lane, depth, block, header, outer)
                    known &= number is not None
                    outer = (*outer, number)
                    count += 1
            self._outside[lane] = count if known else 0
        return self._outside[lane]

    def loop_there(self, lane: int, depth: int, block: int, header: int) -> LoopHere:
        """As :meth:`loop_here`, with the loop of the machine code that is its own."""
        key = depth, block, header
        if key not in self._loops_here:
            there = self if depth == self._last else self._calls.machine_loops_in(depth)
            own, is_sure = (
                (None, False) if there is None else there.own_loop_here(lane, block, header)
            )
            self._loops_here[key] = replace(self.loop_here(*key), own=own, is_sure=is_sure)
        return self._loops_here[key]

    def own_loop_here(
        self, lane: int, block: int, header: int
    ) -> tuple[tuple[int, int] | None, bool]:
        """The loop of the machine code each pass of which makes one iteration of a loop of the
        innermost call, with the code in the same one; and whether the jumps out of it, or all of
        its code, leave no doubt that it is."""
        (here,) = self._there_in_loop([lane], block, header, ())
        by_data = leaves_by_data(self._frame, here)
        loop = own_loop(self._frame, here, by_parts=True) if by_data else None
        if loop is None or not is_of_its_pass(self._frame, loop):
            return None, False
        is_alone = own_loop(self._frame, here) == loop
        is_sure = is_alone and leaves_no_doubt(self._frame, here, loop)
        return loop, is_sure or has_no_copies(self._frame, here, loop)

    def loop_here(self, depth: int, block: int, header: int) -> LoopHere:
        """The loop of ``header``, and how many loops are around it and around the code."""
        blocks = [each[2] for each in self._position.calls]
        flows = [
            self._model.flow(self._position.function_of(each)) for each in range(self._last + 1)
        ]
        if depth == self._last:
            blocks.append(block)
        else:
            points = points_of(self._model, self._position)
            blocks += [each.block for each in points[:1]]
        loops = [flow.loops_around(each) for flow, each in zip(flows, blocks, strict=False)]
        outer = sum(map(len, loops[:depth]))
        return LoopHere(
            self._position.function_of(depth),
            self._position.inlined_calls(depth),
            block,
            header,
            outer + loops[depth].index(header),
            sum(map(len, loops)),
        )

    def _there_in_loop(
        self, lanes: Sequence[int], block: int, header: int, outer: Iterations
    ) -> list[LaneLoop]:
        """``lanes`` in a loop of the innermost call."""
        return [self._there(each, self._last, block, header, outer) for each in lanes]

    def _there(self, lane: int, depth: int, block: int, header: int, outer: Iterations) -> LaneLoop:
        """``lane`` in a loop of a call."""
        evaluation, activation = self._calls.call(lane, depth)
        loop = self._model.flow(self._position.function_of(depth)).loops[header]
        calls = self._position.inlined_calls(depth)
        return LaneLoop(lane, evaluation, activation, loop, outer, block, calls)


def blocks_of_line(frame: SourceFrame, block: int) -> list[int]:
    """``block`` of the innermost call, and others that have code of the line, in the same loops."""
    flow = frame.model.flow(frame.position.function)
    around = flow.loops_around(block)
    places = {each.block for each in points_of(frame.model, frame.position)} - {block}
    return [block, *(each for each in places if flow.loops_around(each) == around)]
