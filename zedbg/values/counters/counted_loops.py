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
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import UnknownValue
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
    ``stays``: what has to be computed to see that the loop has that iteration, and whether the loop
    ends where that is not zero."""

    step: int
    counts: tuple[_Count, ...]
    stays: tuple[Program, bool] | None

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
        if len(numbers) != 1 or None in numbers:
            return None
        (number,) = numbers
        assert number is not None
        return number if self._stays(number, items, lanes, known) else None

    def _stays(self, number: int, items: WorkItems, lanes: Sequence[int], known: Columns) -> bool:
        """Whether the loop has that iteration, as far as its condition can be computed."""
        if self.stays is None:
            return True
        program, leaves_if_true = self.stays
        trial = {**known, self.step: Column([number], True, True)}
        values = run(program, items, lanes, trial).values
        return all(
            isinstance(each, UnknownValue)
            or (isinstance(each, int) and bool(each) != leaves_if_true)
            for each in values
        )


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
    stays = _stays(programs, place)
    if not counts or isinstance(stays, bool):
        return None
    return CountedLoop(programs.iteration(place.loop.header), tuple(counts), stays)


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


def _stays(programs: Programs, place: LoopPlace) -> tuple[Program, bool] | bool | None:
    """See :class:`CountedLoop`; None where nothing has to be computed, False where that takes more
    than this."""
    loop, jump = place.loop, place.function.blocks[place.loop.header].terminator
    if place.block == loop.header:
        return None
    if jump is None or jump.opcode not in (Op.BRANCH, Op.BRANCH_CONDITIONAL):
        return False
    if jump.opcode == Op.BRANCH or jump.operands[1] == jump.operands[2]:
        return None if jump.operands[jump.opcode != Op.BRANCH] in loop.blocks else False
    yes, no = (each in loop.blocks for each in jump.operands[1:3])
    if yes and no:
        return None
    program = programs.of(jump.operands[0])
    return False if program is None or not (yes or no) else (program, no)


def _iteration(counter: ProvedCounter, held: int, begin: int | None) -> int | None:
    return None if begin is None else counter.iteration(held, begin)
