"""Which visit of its block a lane is at, by all that its thread has executed.

Where loops are unrolled, or made one with others, no loop of the machine code makes one iteration
in each pass. What the device has recorded says the iterations then: how often the lane has executed
the instruction that it is at, or a copy of that, is how often it has come to the block before. The
SPIR-V says in which iterations that was. Numbers that the loops make must say the same: each was
made as often as the SPIR-V says, and was, in the order of the time, what that says. Two places of
the source must say so, with numbers that differ from one visit to the next. Of a place of which the
compiler made nothing in some copies, the others must still be in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Protocol

from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.lane_places import LaneWriter
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.missing import Missing
from zedbg.spirv.analysis.loop_conditions import condition_of
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.inputs.recorded_results import place_of, timed_numbers
from zedbg.values.source.places_alone import PlacesAlone, computes_whole
from zedbg.values.source.single_places import steps_by_place
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import points_of

_LEAST = 2  # places that say it
_MOST = 64  # visits
_MOST_BLOCKS = 4096  # that lead to them
_AFTER = 4  # further visits, to see how numbers change
_BITS = 32


class Calls(Protocol):
    """The calls that lanes are in, by their depth."""

    def call(self, lane: int, depth: int, /) -> tuple[Evaluation, Activation]:
        """One that ``lane`` is in. Raises UnknownValue."""


@dataclass(frozen=True)
class _Place:
    """``item``, of block ``label`` of the call ``depth`` calls deep, is made by ``writers``: copies
    of one instruction."""

    depth: int
    label: int
    item: Instruction
    writers: Sequence[LaneWriter]


@dataclass(frozen=True)
class _Marker:
    """Instructions at ``addresses``, one of which a lane executes each time that it comes to the
    block ``label``."""

    label: int
    addresses: Sequence[int]


@dataclass
class _Path:
    """The way of a lane to a visit, and on. ``visits``: of each block, by its depth and label;
    ``until``: how many of these there are until the visit; ``now``: of the calls from the first one
    on, the iterations in which they are made, and those of the visit."""

    visits: dict[tuple[int, int], list[tuple[Activation, Visit]]] = field(default_factory=dict)
    until: dict[tuple[int, int], int] = field(default_factory=dict)
    now: tuple[Iterations, ...] = ()

    def before(self, depth: int, label: int) -> list[tuple[Activation, Visit]]:
        """The visits of a block until then."""
        key = depth, label
        return self.visits.get(key, [])[: self.until.get(key, 0)]


class VisitsByData:
    """Of the thread that is stopped at the innermost code of ``frame``, whose lanes are in
    ``calls``."""

    def __init__(self, frame: SourceFrame, calls: Calls) -> None:
        self._frame = frame
        self._calls = calls
        self._model = frame.model
        self._position = frame.position
        self._last = len(frame.position.calls)
        self._found: dict[int, Sequence[Iterations] | None] = {}

    def iterations(self, lane: int, depth: int) -> Iterations | None:
        """Those of the loops of the call ``depth`` calls deep; None where that is not sure."""
        if lane not in self._found:
            self._found[lane] = None  # while it is looked for
            with suppress(UnknownValue):
                self._found[lane] = self._find(lane)
        found = self._found[lane]
        return None if found is None else found[depth]

    def _find(self, lane: int) -> Sequence[Iterations] | None:
        code = self._frame.info.code.function_at(self._frame.address)
        marker = None if code is None else self._marker(code)
        if code is None or marker is None:
            return None
        before = self._executed_before(code, lane, marker)
        if before is None or before > _MOST:
            return None
        path = self._path(lane, marker.label, before)
        return path.now if path is not None and self._is_shown(code, lane, path) else None

    @property
    def block(self) -> int | None:
        """The one that the code is of alone, which is no condition of a loop: the code of that may
        be of the next iteration."""
        points = {each.block for each in points_of(self._model, self._position)}
        if len(points) != 1:
            return None
        (block,) = points
        flow = self._model.flow(self._position.function)
        around = flow.loops_around(block)
        is_of_condition = any(block in condition_of(flow, flow.loops[each]) for each in around)
        return None if is_of_condition else block

    def _marker(self, code: FunctionCode) -> _Marker | None:
        """That of the code asked for: the nearest of a place of its block alone, or of one that
        each way to that in its loops comes to before."""
        notes, block, at = self._model.notes, self.block, self._frame.address
        if block is None:
            return None
        key = _Marker, at, self._position.function.result, self._position.inlined_calls()
        if key not in notes:
            around, steps = code.straight_around(at), self._steps_of(code, block)
            near = [each for each in steps if code.low + each[2].offset in around]
            found = min(
                near,
                key=lambda each: (each[0] != block, abs(code.low + each[2].offset - at)),
                default=None,
            )
            notes[key] = found and _Marker(
                found[0],
                tuple(
                    code.low + step.offset
                    for _, place, step in steps
                    if (place, operation(step)) == (found[1], operation(found[2]))
                ),
            )
        kept = notes[key]
        return kept if isinstance(kept, _Marker) else None

    def _steps_of(self, code: FunctionCode, block: int) -> list[tuple[int, tuple[int, int], Step]]:
        """The instructions, for each lane, of places that are of one block alone: ``block``, or one
        in the same loops which dominates that. With the block, and the line and column."""
        flow, calls = self._model.flow(self._position.function), self._position.inlined_calls()
        blocks: dict[tuple[int, int], set[int]] = {}
        for label, item in instructions(flow):
            if item.line is not None and not item.inlined:
                blocks.setdefault((item.line.line, item.line.column), set()).add(label)
        around, found = flow.loops_around(block), list[tuple[int, tuple[int, int], Step]]()
        for (line, column, there), steps in steps_by_place(self._frame, code).items():
            if there != calls or len(blocks.get((line, column), ())) != 1:
                continue
            (label,) = blocks[line, column]
            if flow.loops_around(label) == around and flow.dominates(label, block):
                found += [
                    (label, (line, column), step)
                    for step in steps
                    if not (step.decoded.no_mask or step.is_conditional)
                ]
        return found

    def _executed_before(self, code: FunctionCode, lane: int, marker: _Marker) -> int | None:
        """How often ``lane`` has come to the block of ``marker`` before this time."""
        executed, at = 0, self._frame.address
        for address in marker.addresses:
            recorded = self._frame.context.recorded_executions(address, ())
            if isinstance(recorded, Missing):
                return None
            executed += sum(lanes >> lane & 1 for lanes in recorded)
        around = code.straight_around(at)
        together = [each for each in marker.addresses if each in around]
        number, rest = divmod(executed - sum(each < at for each in together), len(together))
        return number if number >= 0 and not rest else None

    def _path(self, lane: int, marked: int, before: int) -> _Path | None:
        """The way of ``lane`` to the block of the code, after it has been at the block ``marked``,
        in the same loops, so often ``before``; and as far as it is known after that, until it comes
        there some times again."""
        evaluation, outermost = self._calls.call(lane, 0)
        path, now, block = _Path(), list[Iterations](), self.block
        left = before + 1
        steps = islice(self._walk(evaluation, outermost, 0), _MOST_BLOCKS)
        with suppress(UnknownValue):
            for depth, call, visit in steps:
                path.visits.setdefault((depth, visit.block), []).append((call, visit))
                now[depth:] = [visit.iterations]
                is_innermost = depth == self._last
                left -= is_innermost and visit.block == marked
                if left < -_AFTER:
                    break
                if is_innermost and visit.block == block and not left and not path.now:
                    path.now = tuple(now)
                    path.until = {key: len(found) for key, found in path.visits.items()}
        return path if path.now else None

    def _walk(
        self, evaluation: Evaluation, call: Activation, depth: int
    ) -> Iterator[tuple[int, Activation, Visit]]:
        """The blocks that the lane comes to in ``call``, and in those of the calls of the position
        that it makes, with their depths."""
        site = self._position.calls[depth] if depth < self._last else None
        for visit in evaluation.visits(call):
            yield depth, call, visit
            if site is not None and visit.block == site[2]:
                inner = evaluation.activation(call, site[1], visit.block, visit.iterations)
                yield from self._walk(evaluation, inner, depth + 1)

    def _is_shown(self, code: FunctionCode, lane: int, path: _Path) -> bool:
        """Whether places say that the lane has gone that way, and none says anything else."""
        places = self._places(code)
        written = dict.fromkeys(place_of(each) for place in places for each in place.writers)
        recorded = self._frame.context.recorded_writes(tuple(written))
        if isinstance(recorded, Missing):
            return False
        evaluation, _ = self._calls.call(lane, 0)
        telling = 0
        for place in places:
            count = self._made_until_now(code, place, path)
            if count is None:
                continue
            timed = [
                number for each in place.writers for number in timed_numbers(each, recorded, lane)
            ]
            numbers = [number for _, number in sorted(timed)]
            visits = path.visits.get((place.depth, place.label), [])[: count + 1]
            expected = [self._expected(evaluation, place, *each) for each in visits]
            if len(numbers) == count:
                if any(b not in (None, a) for a, b in zip(numbers, expected, strict=False)):
                    return False
                telling += count > 0 and _tell(expected)
            elif len(numbers) > count or not _is_in_order(numbers, expected[:count]):
                return False
        notes, key = self._model.notes, ("visits are shown", self._frame.address)
        if telling >= _LEAST:
            notes[key] = True
        return key in notes

    def _made_until_now(self, code: FunctionCode, place: _Place, path: _Path) -> int | None:
        """How often ``place`` was made, if the lane has gone ``path``; None where that depends on
        how the compiler has put the code of one block in order."""
        visits, now = path.before(place.depth, place.label), path.now[place.depth]
        around = code.straight_around(self._frame.address)
        together = [each for each in place.writers if each.offset in around]
        if not together:
            is_here = place.depth == self._last and place.label == self.block
            return None if is_here else len(visits)
        if len(together) > 1:
            return None
        earlier = sum(visit.iterations != now for _, visit in visits)
        return earlier + (together[0].offset < self._frame.address)

    def _expected(
        self, evaluation: Evaluation, place: _Place, call: Activation, visit: Visit
    ) -> bytes | None:
        """What the place makes at ``visit``; None where that is not known."""
        kind = self._model.code.type_of[place.item.result]
        try:
            value = evaluation.value(call, place.item.result, place.label, visit.iterations)
        except UnknownValue:
            return None
        return kind.encode(value) if isinstance(value, int) else None

    def _places(self, code: FunctionCode) -> list[_Place]:
        """Those of loops, of the function and of the calls that led to the code."""
        notes, function = self._model.notes, self._position.function.result
        key = VisitsByData, code.low, function, self._position.inlined_calls()
        if key not in notes:
            notes[key] = [
                place for depth in range(self._last + 1) for place in self._places_in(code, depth)
            ]
        found = notes[key]
        assert isinstance(found, list)
        return found

    def _places_in(self, code: FunctionCode, depth: int) -> Iterator[_Place]:
        function, calls = self._position.function_of(depth), self._position.inlined_calls(depth)
        flow, known = self._model.flow(function), PlacesAlone.of(self._model, function)
        writers = self._frame.info.code.float_writers(code.low, calls)
        for label, item in instructions(flow):
            if item.line is None or item.inlined or not (depth or flow.loops_around(label)):
                continue
            if (item.line, 0) not in known.whole or not computes_whole(self._model, item):
                continue
            made = writers.get((item.line.line, item.line.column))
            if made is None or self._model.code.type_of[item.result].bits != _BITS:
                continue
            copies = _apart(code, made.alike)
            if copies and not any(each.is_uniform for each in copies):
                yield _Place(depth, label, item, copies)


def _apart(code: FunctionCode, writers: Sequence[LaneWriter]) -> Sequence[LaneWriter]:
    """``writers`` of which lanes execute no two one after the other; none where they do: compilers
    make the place by several."""
    there = {(code.straight_around(each.offset), each.places.first_lane) for each in writers}
    return writers if len(there) == len(writers) else ()


def _tell(numbers: Sequence[bytes | None]) -> bool:
    """Whether one of ``numbers`` differs from the next one."""
    return any(None not in each and each[0] != each[1] for each in pairwise(numbers))


def _is_in_order(numbers: Sequence[bytes], expected: Sequence[bytes | None]) -> bool:
    """Whether ``numbers`` are some of those that are ``expected``, in their order."""
    left = iter(expected)
    return all(any(each in (None, number) for each in left) for number in numbers)
