"""The iteration of a loop that all lanes of a thread are in, found for all of them at once.

It is what :mod:`zedbg.values.loops.iterations` finds for each of them; where that takes more than
registers, and values that are computed at once, it is left to that.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf import DebugInfo
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.columns import Column, Columns
from zedbg.spirv.group.lanes_at_once import Program, Programs, run
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.operations import Op
from zedbg.values.counters.proved_counters import LoopPlace, ProvedCounter, proved_counters
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.work_items import WorkItems
from zedbg.xe.registers import RegisterKind

_LETTERS = {4: "I", 8: "Q"}


@dataclass(frozen=True)
class _Count:
    """``counter`` of all lanes, the first of which begins at byte ``first`` of the registers, and
    what computes the value of its stepping in the first iteration."""

    counter: ProvedCounter
    numbers: struct.Struct
    first: int
    program: Program


@dataclass(frozen=True)
class CountedLoop:
    """A loop of which ``counts`` all say the iteration. ``step``: that of programs which has it.
    ``conditions``: what has to be computed to see that a lane comes to the code in that iteration,
    and whether it does where that is not zero."""

    step: int
    counts: tuple[_Count, ...]
    conditions: tuple[tuple[Program, bool], ...]

    def iteration(
        self, context: ThreadContext, items: WorkItems, lanes: Sequence[int], known: Columns
    ) -> int | None:
        """The one that all of ``lanes`` are in; None where this does not say it. ``known``: see
        :func:`zedbg.spirv.group.lanes_at_once.run`."""
        numbers: set[int | None] = set()
        for each in self.counts:
            first = run(each.program, items, lanes, known)
            try:
                registers = context.read_registers(RegisterKind.GRF)
            except LevelZeroError:
                return None
            if len(registers) < each.first + each.numbers.size:
                return None
            begins = {each.counter.begin(value) for value in first.values}
            held = set(each.numbers.unpack_from(registers, each.first))
            if len(begins) == len(held) == 1:
                numbers.add(_iteration(each.counter, held.pop(), begins.pop()))
                continue
            if first.is_uniform or len(held) == 1:
                return None  # lanes are in different iterations, or their counters are not alone
            pairs = zip(each.numbers.unpack_from(registers, each.first), first.values, strict=True)
            numbers |= {
                _iteration(each.counter, number, each.counter.begin(value))
                for number, value in pairs
            }
        return numbers.pop() if len(numbers) == 1 else None

    def comes(
        self, number: int, items: WorkItems, lanes: Sequence[int], known: Columns
    ) -> list[bool]:
        """Whether each of ``lanes`` comes to the code in iteration ``number``, as far as that can
        be computed. Compilers let lanes pass code in which they do nothing."""
        trial = {**known, self.step: Column([number], True, True)}
        found = [True] * len(lanes)
        for program, is_true in self.conditions:
            values = run(program, items, lanes, trial).values
            each_has = values * len(lanes) if len(values) == 1 else values
            for index, value in enumerate(each_has):
                found[index] &= not isinstance(value, int) or bool(value) == is_true
        return found


def counted_loop(
    info: DebugInfo, model: Model, programs: Programs, place: LoopPlace, lanes: Sequence[int]
) -> CountedLoop | None:
    """The loop that ``lanes`` are in at ``place``; None where its iteration is not found for all of
    them at once. ``programs``: those of its function."""
    key = "counted", place, programs, tuple(lanes)
    if key not in model.notes:
        model.notes[key] = _counted_loop(info, model, programs, place, lanes)
    found = model.notes[key]
    return found if isinstance(found, CountedLoop) else None


def _counted_loop(
    info: DebugInfo, model: Model, programs: Programs, place: LoopPlace, lanes: Sequence[int]
) -> CountedLoop | None:
    counts = []
    proved = proved_counters(info, model, place)
    for counters in () if proved is None else proved:
        if not counters:
            continue
        count = _count(programs, place.loop, counters, lanes)
        if count is None:
            return None
        counts.append(count)
    conditions = _conditions(programs, model.flow(place.function), place)
    if not counts or conditions is None:
        return None
    return CountedLoop(programs.iteration(place.loop.header), tuple(counts), tuple(conditions))


def _count(
    programs: Programs, loop: Loop, counters: Sequence[ProvedCounter], lanes: Sequence[int]
) -> _Count | None:
    """The count by ``counters``, which are of one stepping; None where lanes differ in more than
    the places of their counters."""
    found: list[ProvedCounter] = []
    places: list[int] = []
    for lane in lanes:
        for each in counters:
            place = each.counter.place(lane)
            if place is not None:
                found.append(each)
                places.append(place)
                break
    if len(places) < len(lanes) or len({(one.is_ahead, one.counter.origins) for one in found}) != 1:
        return None
    counter = found[0]
    program = programs.of(counter.stepping.result, loop.header)
    size = counter.counter.size
    letter, first, end, form = _LETTERS[size], places[0], places[0], "<"
    for place in places if len(set(places)) > 1 else places[:1]:
        if place < end:
            return None
        form += f"{place - end}x{letter}"
        end = place + size
    return None if program is None else _Count(counter, struct.Struct(form), first, program)


def _conditions(
    programs: Programs, flow: Flow, place: LoopPlace
) -> list[tuple[Program, bool]] | None:
    """See :class:`CountedLoop`; None where that takes more than programs."""
    loop, jumps = place.loop, place.function.blocks
    around = flow.loops_around(place.block)
    inside = around[around.index(loop.header) + 1 :]
    block = inside[0] if inside else place.block  # iterations of loops inside are not known yet
    found = []
    while block != loop.header:
        above = flow.dominator[block]
        ends = flow.ends_without(loop, above, block)
        # Lanes that leave the loop in the middle of an iteration are not there.
        if loop.header in ends or (ends and above == loop.header):
            jump = jumps[above].terminator
            is_reached_so = set(flow.before[block]) == {above}
            if jump is None or jump.opcode != Op.BRANCH_CONDITIONAL or not is_reached_so:
                return None
            program = programs.of(jump.operands[0])
            if program is None:
                return None
            found.append((program, jump.operands[1] == block))
        block = above
    return found


def _iteration(counter: ProvedCounter, held: int, begin: int | None) -> int | None:
    return None if begin is None else counter.iteration(held, begin)
