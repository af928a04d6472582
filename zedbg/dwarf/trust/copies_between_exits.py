"""Copies of one instruction whose order the jumps between them say, with which lanes leave a loop.

A loop that lanes may leave in each iteration keeps these jumps where it is unrolled, in the order
of the iterations, all with the same target: no compiler can execute one of them before those of the
iterations before. Instead of the last one there may be a predicate for all of a short last copy. So
where each stretch of code between them has as many instructions of a kind, these are of one
iteration.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.copies_in_order import Place
from zedbg.dwarf.trust.steps import operation


def copy_between_exits(
    flow: CodeFlow, at: int, place: Callable[[int], Place | None], count: int
) -> LineRun | None:
    """Which copy the instruction at offset ``at`` is of, where the code is a row of loops without a
    jump back, each with ``count`` copies of its body between jumps out of it. None where that is
    not so, or not all copies have as many instructions of that operation, lanes and place."""
    index = flow.index_at(at)
    here = place(at)
    if index == len(flow.steps) or flow.steps[index].offset != at or here is None:
        return None
    loops = flow.loops_around(at)
    low, high = flow.innermost(at)
    same: list[int] = []
    exits: dict[int, list[int]] = {}  # offsets of jumps, by their targets
    kinds: dict[object, set[int]] = {}  # the targets of jumps of one place
    for number, step in enumerate(flow.steps):
        if not low <= step.offset <= high or flow.loops_around(step.offset) != loops:
            continue
        there = place(step.offset)
        if there == here and operation(step) == operation(flow.steps[index]):
            same.append(step.offset)
        ways = [each for each in flow.after(number) if each != number + 1]
        if step.is_conditional and len(ways) == 1 and ways[0] > number:
            exits.setdefault(ways[0], []).append(step.offset)
            kinds.setdefault(there, set()).add(ways[0])
    rows = [{target: exits[target] for target in targets} for targets in kinds.values()]
    found = {_position(flow, at, same, each, low, count) for each in rows} - {None}
    return found.pop() if len(found) == 1 else None


def _position(
    flow: CodeFlow, at: int, same: list[int], rows: dict[int, list[int]], low: int, count: int
) -> LineRun | None:
    """``rows``: of jumps out of loops, which begin at offset ``low`` or where the lanes that left
    the one before meet; ``same``: the instructions in the copies."""
    copies: list[tuple[int, int]] = []  # the row and the number in it of each of ``same``
    for row, (target, jumps) in enumerate(sorted(rows.items())):
        end = flow.steps[target].offset
        if len(jumps) == count - 2:
            jumps = [*jumps, *_before_tail(flow, target)]
        if not count - 1 <= len(jumps) <= count or jumps[0] < low:
            return None
        own = [each for each in same if low <= each < end]
        copies += [(row, bisect_left(jumps, each)) for each in own]
        low = end
    every = {(row, number) for row in range(len(rows)) for number in range(count)}
    last = {(row, count - 1) for row in range(len(rows))}  # it ends anyway: it may lack some
    found = Counter(copies)
    is_even = len(set(found.values())) == 1 and found.keys() in (every, every - last)
    if len(copies) != len(same) or not is_even or len(found) < 2 * len(rows):
        return None
    row, number = copies[same.index(at)]
    return LineRun(row * count + number, len(rows) * count)


def _before_tail(flow: CodeFlow, target: int) -> list[int]:
    """The offset of the instruction after which all those up to number ``target`` are for the same
    chosen lanes only: a short last copy, which other lanes need not jump past. None without one."""

    def chosen(number: int) -> object:
        step, decoded = flow.steps[number], flow.steps[number].decoded
        if not step.is_conditional or decoded.jip or decoded.uip:
            return None
        return decoded.flag_register, decoded.flag_subregister, decoded.predicate_inverted

    first, last = target, chosen(target - 1)
    while first and last is not None and chosen(first - 1) == last:
        first -= 1
    return [flow.steps[first - 1].offset] if 0 < first < target else []
