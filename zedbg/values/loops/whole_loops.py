"""Loops of the machine code each of which makes all iterations of a loop of the source, one in each
pass.

Where a compiler unrolls the loops around a loop wholly, or chooses between two copies of it by what
all iterations ask, it makes each copy of the loop a loop of its own. Then each place of the source
that one simple instruction makes has one instruction in each of these, and none elsewhere: of a
loop that was unrolled itself, one loop would have several, and others what is left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.module.loop_ends import ending_places
from zedbg.values.loops.asked_anew import can_be_counted
from zedbg.values.loops.fresh_conditions import (
    copies_in,
    fresh_conditions,
    may_write_memory,
    stores_in_each_iteration,
)
from zedbg.values.loops.own_loops import are_inside
from zedbg.values.source.single_places import Made, single_places
from zedbg.values.source.source_frame import SourceFrame

Loops = frozenset[tuple[int, int]]


def whole_loops(
    frame: SourceFrame, function: Function, calls: Sequence[InlinedCall], header: int
) -> Loops:
    """Those of the loop of ``header`` of ``function``, which is the inlined ``calls``: addresses of
    the first instruction and of the jump back. None where that is not sure."""
    notes = frame.model.notes
    code = frame.info.code.function_at(frame.address)
    if code is None:
        return frozenset()
    key = "whole", code.low, function.result, tuple(calls), header
    if key not in notes:
        notes[key] = _found(frame, code, function, calls, header)
    found = notes[key]
    assert isinstance(found, frozenset)
    return found


def _found(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    header: int,
) -> Loops:
    flow = frame.model.flow(function)
    ends = ending_places(function, flow.loops[header])
    found: set[tuple[int, int]] = set()
    for each in single_places(frame, code, function, calls, header):
        if flow.loops_around(each.label)[-1] != header:
            continue
        around = [loop_of(code, step) for step in each.steps]
        copies = Counter(zip(around, map(operation, each.steps), strict=True))
        if max(copies.values()) > each.components:
            return frozenset()
        if each.made is Made.INTEGERS:
            continue  # what compilers may make of others
        if None in around:
            return frozenset()
        if each.components == 1:
            found.update(loop for loop in around if loop is not None)
    if not found and len(flow.loops[header].latches) == 1:
        found = _by_conditions(frame, code, function, calls, header)
    heads = Counter(head for head, _ in code.loops)
    if any(heads[head] > 1 for head, _ in found):
        return frozenset()
    rows = [frame.info.lines.row_at(tail) for _, tail in found]
    if any(row is None or (row.line, row.column) not in ends for row in rows):
        # What is in one of these may have been moved out of another one. But a compiler that cannot
        # count a loop makes a loop of it, with its code.
        outer, loop = flow.loops_around(header)[:-1], flow.loops[header]
        places = [None if row is None else (row.line, row.column) for row in rows]
        is_own = not can_be_counted(frame.model, function, loop) and are_inside(flow, loop, places)
        if not outer or (
            not is_own and _may_be_of(frame, code, function, calls, flow.loops[outer[-1]], found)
        ):
            return frozenset()
    return frozenset(found)


def _by_conditions(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    header: int,
) -> set[tuple[int, int]]:
    """The loops of the machine code that have one instruction each of the comparisons which each
    iteration makes anew; none where one has several."""
    flow = frame.model.flow(function)
    found: set[tuple[int, int] | None] = set()
    all_of_each: set[tuple[int, int] | None] | None = None
    for each in fresh_conditions(frame, code, function, calls, header):
        around = [loop_of(code, step) for step in each.steps]
        if copies_in(each, around) > 1:
            return set()
        found.update(around)
        if all(flow.dominates(each.label, latch) for latch in flow.loops[header].latches):
            own = set(around)
            all_of_each = own if all_of_each is None else all_of_each & own
    if all_of_each != found:
        return set()  # not known to be made in each iteration
    loops = {each for each in found if each is not None}
    return loops if len(loops) == len(found) else set()


def _may_be_of(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    loop: Loop,
    found: Iterable[tuple[int, int]],
) -> bool:
    """Whether passes of those that are ``found`` may be iterations of ``loop``, around theirs, or
    loops around them others than that: where each iteration of it stores something, its passes
    do."""
    own = stores_in_each_iteration(frame, code, function, calls, loop)
    if not own:
        return True
    every = [step for step in code.steps_of(lambda at: True) if may_write_memory(step)]
    if any(_has_one(code, each, every) for each in found):
        return True
    around = [
        outer
        for low, high in found
        for outer in code.loops
        if outer != (low, high) and outer[0] <= low and high <= outer[1]
    ]
    return not all(_has_one(code, each, own) for each in around)


def _has_one(code: FunctionCode, loop: tuple[int, int], steps: Iterable[Step]) -> bool:
    return any(loop[0] <= code.low + step.offset <= loop[1] for step in steps)


def loop_of(code: FunctionCode, step: Step) -> tuple[int, int] | None:
    """The loop around ``step`` that is in all others, by addresses."""
    at = code.low + step.offset
    return max((each for each in code.loops if each[0] <= at <= each[1]), default=None)
