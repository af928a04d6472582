"""Loops of the machine code whose passes begin in the middle of an iteration of the source's loop.

Compilers put what an iteration begins with in front of the loop, for the first one, and at the end
of each pass, for the next one: so lanes jump once in each iteration. Then places of the source at
which an iteration begins have code in both, and those after these in the loop only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Function
from zedbg.values.source.single_places import Made, SinglePlace, most_alike, single_places
from zedbg.values.source.source_frame import SourceFrame


@dataclass(frozen=True)
class RotatedLoop:
    """``machine`` makes iterations of the loop of ``header`` of a function of which ``flow`` is.
    ``before``: places that have code in front of it and in it; ``first``: those of an iteration
    that its passes come to first, by one instruction each."""

    code: FunctionCode
    flow: Flow
    header: int
    machine: tuple[int, int]
    before: Sequence[SinglePlace]
    first: Sequence[SinglePlace]

    def iterations_ahead(self, address: int, block: int) -> int | None:
        """How many iterations after the one that its pass began with the code of ``block`` at
        ``address``, in the loop, is; None where that is not sure."""
        own = [each for each in self.before if address in self._addresses(each)]
        if own:
            last = max(at for each in self.first for at in self._addresses(each))
            return 1 if own[0].label == block and last < address else None
        return 0 if any(self._is_with(each, address, block) for each in self.first) else None

    def _is_with(self, place: SinglePlace, address: int, block: int) -> bool:
        """Whether the code asked for is of the iteration of ``place`` in the same pass."""
        loop = self.flow.loops[self.header]
        if place.label == block:
            return True
        leads_here = self.flow.leads_within(loop, place.label, block)
        if not leads_here or self.flow.leads_within(loop, block, place.label):
            return False
        return max(self._addresses(place)) < address

    def _addresses(self, place: SinglePlace) -> list[int]:
        return [self.code.low + step.offset for step in place.steps]


def rotated_loop(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    loop: Loop,
    machine: tuple[int, int],
) -> RotatedLoop | None:
    """What ``machine`` makes of ``loop`` of ``function``, in the inlined ``calls``; None where its
    passes do not begin in the middle of an iteration, or that is not sure."""
    flow = frame.model.flow(function)
    before, first = list[SinglePlace](), list[SinglePlace]()
    low, high = (each - code.low for each in machine)
    for each in single_places(frame, code, function, calls, loop.header):
        if flow.loops_around(each.label)[-1] != loop.header:
            continue
        inside = [step for step in each.steps if low <= step.offset <= high]
        outside = [step for step in each.steps if not low <= step.offset <= high]
        if max(most_alike(inside), most_alike(outside)) > each.components:
            return None
        if inside and outside:
            if not _are_in_front(code, outside, machine):
                return None
            before.append(each)
        elif inside and each.made is not Made.INTEGERS:
            is_own = all(_loops_in(code, step, machine) == 1 for step in inside)
            is_always = all(flow.dominates(each.label, latch) for latch in loop.latches)
            if is_own and is_always and each.label != loop.header:
                first.append(each)
    if not before or not first:
        return None
    for one in before:
        if not all(flow.leads_within(loop, one.label, each.label) for each in first):
            return None
    return RotatedLoop(code, flow, loop.header, machine, before, first)


def _are_in_front(code: FunctionCode, steps: Sequence[Step], machine: tuple[int, int]) -> bool:
    """Whether ``steps`` are in front of ``machine``, in the same loops but for that."""
    around = [each for each in code.loops if each[0] <= machine[0] and machine[1] <= each[1]]
    return all(
        code.low + step.offset < machine[0]
        and [each for each in code.loops if _is_in(code, step, each)]
        == [each for each in around if each != machine]
        for step in steps
    )


def _loops_in(code: FunctionCode, step: Step, machine: tuple[int, int]) -> int:
    """How many loops ``step`` is in, from ``machine`` on inwards."""
    return sum(
        _is_in(code, step, each) and machine[0] <= each[0] and each[1] <= machine[1]
        for each in code.loops
    )


def _is_in(code: FunctionCode, step: Step, loop: tuple[int, int]) -> bool:
    return loop[0] <= code.low + step.offset <= loop[1]
