"""Whether each pass of a loop of the machine code makes one iteration, by what its code gave.

Where the code alone does not show it, as where compilers let lanes leave in several places, what
the device has recorded does: that numbers which each iteration makes were, in all passes until now,
those of the first iteration, the second one, and so on. Two places of the source must say so, with
numbers that differ from one iteration to the next; and each place of the body that says anything
must. Then the code asked for is of the iteration that its pass makes, too: compilers have put
nothing of the body into another one's pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.lane_places import LaneWriter
from zedbg.missing import Missing
from zedbg.spirv.analysis.loop_conditions import condition_of
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.values.inputs.recorded_results import numbers_of, place_of
from zedbg.values.loops.iterations import LaneLoop
from zedbg.values.loops.left_lanes import is_of_its_pass
from zedbg.values.loops.recorded_passes import LoopHere, Machine, RecordedPasses
from zedbg.values.source.places_alone import PlacesAlone, computes_whole
from zedbg.values.source.source_frame import SourceFrame

_LEAST = 2  # places that say it
_BITS = 32


@dataclass(frozen=True)
class _Place:
    """``item``, of block ``label``, is made by the instruction ``writer`` only."""

    label: int
    item: Instruction
    writer: LaneWriter


class PassesByData:
    """Of the thread that is stopped at the innermost code of ``frame``."""

    def __init__(self, frame: SourceFrame, passes: RecordedPasses) -> None:
        self._frame = frame
        self._model = frame.model
        self._passes = passes

    def iteration(self, here: LoopHere, there: LaneLoop) -> int | None:
        """The iteration of the loop that a lane is in; None where that is not sure."""
        code = self._frame.info.code.function_at(self._frame.address)
        if code is None or None in there.outer:
            return None
        notes, function = self._model.notes, here.function.result
        key = self._frame.address, function, here.calls, here.block, here.header, here.own
        if (PassesByData, *key) not in notes:
            notes[PassesByData, *key] = self._machine(here, there, code)
        machine = notes[PassesByData, *key]
        if not isinstance(machine, tuple):
            return None
        number = self._passes.before(code, machine, there.lane)
        if number is None:
            return None
        if ("passes are iterations", *key) not in notes:
            if not self._is_shown(there, code, machine, number):
                return None
            notes["passes are iterations", *key] = True
        return number

    def _machine(self, here: LoopHere, there: LaneLoop, code: FunctionCode) -> Machine | None:
        """The loop of the machine code that may make one iteration in each pass, of which the code
        asked for is that of the body. None where it may be of the next pass."""
        machine = self._passes.machine_loop(here, code)
        condition = condition_of(self._model.flow(there.activation.function), there.loop)
        is_of_pass = machine is not None and is_of_its_pass(self._frame, machine)
        return machine if is_of_pass and there.block not in condition else None

    def _is_shown(self, there: LaneLoop, code: FunctionCode, machine: Machine, passes: int) -> bool:
        """Whether all passes have made one iteration each, ``passes`` before this one."""
        places = self._places(there, code, machine)
        recorded = self._frame.context.recorded_writes(
            tuple(place_of(each.writer) for each in places)
        )
        if isinstance(recorded, Missing):
            return False
        telling = 0
        for each in places:
            is_done = each.writer.offset < self._frame.address
            count = passes + is_done
            written = numbers_of(each.writer, recorded, there.lane)[:count][::-1]
            expected = list(self._expected(there, each, count + 1))
            if len(written) != count or written[: len(expected)] != expected[:count]:
                return False
            telling += len(expected) > count > 0 and expected[1:] != expected[:-1]
        return telling >= _LEAST

    def _expected(self, there: LaneLoop, place: _Place, count: int) -> Iterator[bytes]:
        """What the place makes in the first iterations, as far as that is known."""
        item, kind = place.item, self._model.code.type_of[place.item.result]
        for number in range(count):
            iterations = (*there.outer, number)
            try:
                value = there.evaluation.value(
                    there.activation, item.result, place.label, iterations
                )
            except UnknownValue:
                return
            data = kind.encode(value) if isinstance(value, int) else None
            if data is None:
                return
            yield data

    def _places(self, there: LaneLoop, code: FunctionCode, machine: Machine) -> list[_Place]:
        """Those of the body that each iteration makes, which goes on."""
        function = there.activation.function
        notes = self._model.notes
        key = PassesByData, code.low, function.result, there.calls, there.loop.header, machine
        if key not in notes:
            notes[key] = list(self._found(there, code, machine))
        found = notes[key]
        assert isinstance(found, list)
        return found

    def _found(self, there: LaneLoop, code: FunctionCode, machine: Machine) -> Iterator[_Place]:
        function, loop = there.activation.function, there.loop
        flow, known = self._model.flow(function), PlacesAlone.of(self._model, function)
        writers = self._frame.info.code.float_writers(code.low, there.calls)
        condition = condition_of(flow, loop)
        for label, item in instructions(flow):
            if flow.loops_around(label)[-1:] != (loop.header,) or item.inlined:
                continue
            if label in condition or item.line is None:
                continue
            if not all(flow.dominates(label, each) for each in loop.latches):
                continue
            if (item.line, 0) not in known.whole or not computes_whole(self._model, item):
                continue
            made = writers.get((item.line.line, item.line.column))
            is_long = self._model.code.type_of[item.result].bits != _BITS
            if made is not None and not is_long and len(made.last) == 1:
                (writer,) = made.last
                if machine[0] <= writer.offset <= machine[1]:
                    yield _Place(label, item, writer)
