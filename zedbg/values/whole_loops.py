"""Loops of the machine code each of which makes all iterations of a loop of the source, one in each
pass.

Where a compiler unrolls the loops around a loop wholly, or chooses between two copies of it by what
all iterations ask, it makes each copy of the loop a loop of its own. Then each place of the source
that one simple instruction makes has one instruction in each of these, and none elsewhere: of a
loop that was unrolled itself, one loop would have several, and others what is left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.spirv.instructions import Function
from zedbg.values.iterations import ending_places
from zedbg.values.single_places import Made, single_places
from zedbg.values.source_frame import SourceFrame

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
    heads = Counter(head for head, _ in code.loops)
    rows = [frame.info.lines.row_at(tail) for _, tail in found]
    if any(heads[head] > 1 for head, _ in found):
        return frozenset()
    if any(row is None or (row.line, row.column) not in ends for row in rows):
        return frozenset()  # what is in one of these may have been moved out of another one
    return frozenset(found)


def loop_of(code: FunctionCode, step: Step) -> tuple[int, int] | None:
    """The loop around ``step`` that is in all others, by addresses."""
    at = code.low + step.offset
    return max((each for each in code.loops if each[0] <= at <= each[1]), default=None)
