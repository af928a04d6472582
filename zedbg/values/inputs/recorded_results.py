"""What the device has recorded of the code that makes a floating-point number.

A recording says what a thread wrote each time that it executed an instruction. Which instructions
of the machine code make a number of the SPIR-V is said by its line and column, in the calls that
the compiler made a part of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.float_results import FloatWriters
from zedbg.dwarf.trust.lane_places import LaneWriter
from zedbg.missing import Missing
from zedbg.spirv.analysis.local_layout import called_functions
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.group.inlined_kernel import InlinedKernel, MadeFrom
from zedbg.spirv.module.instructions import Function, Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.device_maths import (
    is_exponential,
    is_left_to_device,
    kind_of_function,
)
from zedbg.spirv.work_item.activation import Activation
from zedbg.values.source.places_alone import PlacesAlone, loads
from zedbg.values.source.source_positions import inlined_call
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace

T = TypeVar("T")
_BYTES = 4  # of a number
#: What compilers make by several instructions of a kind, each of which may come near the result.
_IN_PARTS = frozenset({Op.EXT_INST, Op.DOT})


@dataclass(frozen=True)
class MadeFrame:
    """A call, the code in it where it makes the following one or the result is made, and the
    instruction that ``calls`` the following one."""

    call: Activation
    block: int
    iterations: Iterations
    calls: Instruction | None


def made_by(
    call: Activation,
    block: int,
    iterations: Iterations,
    is_first: Callable[[Activation], bool],
) -> list[MadeFrame] | None:
    """The calls that led to ``block`` of ``call``, from the last one for which ``is_first`` is
    true; None where there is none."""
    frames = [MadeFrame(call, block, iterations, None)]
    while not is_first(frames[0].call):
        if frames[0].call.caller is None:
            return None
        caller, by, visit = frames[0].call.caller
        frames.insert(0, MadeFrame(caller, visit.block, visit.iterations, by))
    return frames


@dataclass(frozen=True)
class CompiledFunction:
    """The machine code of ``function``, with the calls that were made a part of it: that around
    ``address``."""

    info: DebugInfo
    model: Model
    address: int
    function: Function

    def calls(
        self, first: Sequence[InlinedCall], path: Sequence[tuple[Function, Instruction]]
    ) -> Sequence[InlinedCall] | None:
        """The calls that are ``path``, from one function to the next, in the debug information, the
        innermost first; ``first`` are those of the first function. None where that is not clear."""
        calls = list(first)
        for function, item in path:
            around = calls[0] if calls else self.info.function_at(self.address)
            if around is None or item.inlined:
                return None
            following = inlined_call(self.model, function, 0, around, item)
            if following is None:
                return None
            calls.insert(0, following)
        return tuple(calls)

    def kept(self, what: tuple[object, ...], find: Callable[[], T]) -> T:
        """What ``find`` gives, which is the same at all stops."""
        notes, key = self.model.notes, (CompiledFunction, self.function.result, *what)
        if key not in notes:
            notes[key] = find()
        return cast("T", notes[key])


class RecordedResults:
    """Of one ``lane`` of ``thread``, which executes ``code``."""

    def __init__(self, code: CompiledFunction, thread: ThreadContext, lane: int) -> None:
        self._code = code
        self._thread = thread
        self._lane = lane
        self._given = dict[object, set[bytes]]()

    def of(self, made: MadeFrom, is_exact: bool) -> Iterator[set[bytes]]:
        """As :meth:`zedbg.spirv.work_item.device_numbers.Held.recorded`, of what is ``made`` by an
        instruction of the function, or of one that it calls."""
        item, model = made.item, self._code.model
        line, calls = item.line, self._calls_of(made)
        if line is None or calls is None:
            return
        writers = self._writers(made.function, calls).get((line.line, line.column))
        if writers is None:
            yield from self._without_place(made, is_exact)
            return
        recorded = self._thread.recorded_writes(self._places(made.function, calls))
        if isinstance(recorded, Missing):
            return
        yield written_by(writers.last, recorded, self._lane)
        if not is_left_to_device(model.code, item) and item.opcode not in _IN_PARTS:
            yield written_by(writers.alike, recorded, self._lane)
        if is_exponential(model.code, item):
            # What multiplies the product may come before the choice.
            place, find = (line.line, line.column), self._code.info.code.writers_at
            yield self._given_by(line, lambda address: find(address, place.__eq__))

    def is_on_both_sides(self, made: MadeFrom, address: int) -> bool:
        """Whether code of what is ``made`` lies both in front of ``address`` and from there on."""
        line, calls = made.item.line, self._calls_of(made)
        if line is None or calls is None:
            return False
        writers = self._writers(made.function, calls).get((line.line, line.column))
        if writers is None:
            return False
        code = [each.offset for each in (*writers.last, *writers.alike)]
        return any(each < address for each in code) and any(each >= address for each in code)

    def _calls_of(self, made: MadeFrom) -> Sequence[InlinedCall] | None:
        """The calls in the debug information that led to what is ``made``, an instruction whose
        place of the source makes its number only; None where it is none, or that is not clear."""
        item, model = made.item, self._code.model
        if item.line is None or item.inlined:
            return None
        places = PlacesAlone.of(model, made.function)
        own = places.signs if item.opcode == Op.F_NEGATE else places.apart
        return self._code.calls((), made.path) if (item.line, 0) in own else None

    def _without_place(self, made: MadeFrom, is_exact: bool) -> Iterator[set[bytes]]:
        """As :meth:`of`, where no code has the place of the source that ``made`` is of: compilers
        forget that of what they move out of a loop, and keep one of two functions that are the
        same."""
        code, item = self._code, made.item
        if self._is_in_loop(made):
            if is_left_to_device(code.model.code, item):
                yield self._given_by("quotients", code.info.code.quotient_writers)
            if is_exact:
                yield self._given_by("elsewhere", self._elsewhere)
        kind = kind_of_function(code.model.code, item)
        if kind is not None:
            yield self._given_by(kind, lambda address: self._alike(address, kind))

    def _given_by(self, what: object, find: Callable[[int], Sequence[LaneWriter]]) -> set[bytes]:
        """What the instructions gave that ``find`` gives for the address of the function."""
        code = self._code
        if what not in self._given:
            writers, places = code.kept((what,), lambda: _with_places(find(code.address)))
            recorded = self._thread.recorded_writes(places)
            known = {} if isinstance(recorded, Missing) else recorded
            self._given[what] = written_by(writers if known else (), known, self._lane)
        return self._given[what]

    def _elsewhere(self, address: int) -> Sequence[LaneWriter]:
        """What gives numbers at places of the source that compute nothing."""
        model = self._code.model
        places = self._places_of(lambda item: _computes(model, item))
        return self._code.info.code.writers_at(address, lambda place: place not in places)

    def _alike(self, address: int, kind: tuple[int, int]) -> Sequence[LaneWriter]:
        """What gives functions of one ``kind``, also in calls."""
        code = self._code.model.code
        places = self._places_of(lambda item: kind_of_function(code, item) == kind)
        return self._code.info.code.writers_at(address, places.__contains__)

    def _places_of(self, is_one: Callable[[Instruction], bool]) -> set[tuple[int, int]]:
        """The lines and columns of instructions for which ``is_one`` is true, also in calls."""
        model = self._code.model
        return {
            (item.line.line, item.line.column)
            for function in called_functions(model.code, self._code.function)
            for _, item in instructions(model.flow(function))
            if item.line is not None and is_one(item)
        }

    def _is_in_loop(self, made: MadeFrom) -> bool:
        """Whether it is made in a loop, also in one around a call."""
        model = self._code.model
        return any(
            model.flow(function).loops_around(model.made(function)[item.result][0])
            for function, item in (*made.path, (made.function, made.item))
        )

    def loaded_once(self, made: MadeFrom) -> bytes | None:
        """As :meth:`zedbg.spirv.work_item.device_numbers.Held.loaded_once`, of what is ``made`` by
        a load, or by an atomic operation."""
        item, model = made.item, self._code.model
        line = item.line
        if line is None or item.inlined or not loads(item):
            return None
        if (line, 0) not in PlacesAlone.of(model, made.function).loads:
            return None
        calls = self._code.calls((), made.path)
        if calls is None:
            return None
        writers = self._loads(made.function, calls)
        places = tuple(place_of(each) for own in writers.values() for each in own)
        recorded = self._thread.recorded_writes(places)
        if isinstance(recorded, Missing):
            return None
        found = written_by(writers[line], recorded, self._lane)
        return found.pop() if len(found) == 1 else None

    def _loads(
        self, function: Function, calls: Sequence[InlinedCall]
    ) -> Mapping[Line, Sequence[LaneWriter]]:
        """As :meth:`_writers`, of what places load."""
        code = self._code

        def find() -> dict[Line, list[LaneWriter]]:
            alone = [line for line, _ in PlacesAlone.of(code.model, function).loads]
            writers = code.info.code.load_writers(code.address, calls)
            return {line: writers.get((line.line, line.column), []) for line in alone}

        return code.kept(("loads", function.result, tuple(calls)), find)

    def _writers(
        self, function: Function, calls: Sequence[InlinedCall]
    ) -> dict[tuple[int, int], FloatWriters]:
        """What writes the numbers that places of the source make, one each, in ``function``, which
        is ``calls`` in the debug information."""
        code = self._code

        def find() -> dict[tuple[int, int], FloatWriters]:
            places = PlacesAlone.of(code.model, function)
            own = {(line.line, line.column) for line, _ in places.apart | places.signs}
            found = code.info.code.float_writers(code.address, calls)
            return {place: writers for place, writers in found.items() if place in own}

        return code.kept(("writers", function.result, tuple(calls)), find)

    def _places(self, function: Function, calls: Sequence[InlinedCall]) -> tuple[WrittenPlace, ...]:
        """What these write: looked for together, since each search takes long."""

        def find() -> tuple[WrittenPlace, ...]:
            return places_of(self._writers(function, calls))

        return self._code.kept(("places", function.result, tuple(calls)), find)


class RecordedOfGroup:
    """Of a work-item of the group, which need not be one of the thread that is asked: what its own
    thread has recorded. See :class:`zedbg.spirv.work_item.device_numbers.Held`."""

    def __init__(self, kernel: InlinedKernel, results: RecordedResults) -> None:
        """The work-item executes ``kernel``."""
        self._kernel = kernel
        self._results = results

    def latest(self, *_: object) -> None:
        """Where it is now, and what it has in registers, is not looked at."""

    def recorded(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        is_exact: bool,
    ) -> Iterator[set[bytes]]:
        """See :meth:`zedbg.spirv.work_item.device_numbers.Held.recorded`."""
        yield from self._results.of(self._made(call, item, label, iterations), is_exact)

    def is_on_both_sides(self, *_: object) -> bool:
        """What is asked for of another work-item, its thread has come past."""
        return False

    def loaded_once(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> bytes | None:
        """See :meth:`zedbg.spirv.work_item.device_numbers.Held.loaded_once`."""
        return self._results.loaded_once(self._made(call, item, label, iterations))

    def _made(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> MadeFrom:
        frames = made_by(call, label, iterations, lambda each: each.caller is None)
        assert frames is not None
        steps = [(each.call.function, each.calls or item) for each in frames]
        path: list[tuple[Function, Instruction]] = []
        for function, step in steps:
            if function is self._kernel.function:
                made = self._kernel.made_from(step)
                path += [*made.path, (made.function, made.item)]
            else:
                path.append((function, step))
        *calls, (function, made_by_item) = path
        return MadeFrom(calls, function, made_by_item)


def places_of(writers: Mapping[tuple[int, int], FloatWriters]) -> tuple[WrittenPlace, ...]:
    """What ``writers`` write."""
    both = (each for own in writers.values() for each in (*own.last, *own.alike))
    return tuple(dict.fromkeys(map(place_of, both)))


def numbers_of(
    writer: LaneWriter, recorded: Mapping[WrittenPlace, Sequence[RecordedWrite]], lane: int
) -> list[bytes]:
    """What ``writer`` gave ``lane`` each time that it was executed, the latest first; nothing where
    it gives several numbers, of which each may be meant."""
    return [number for _, number in timed_numbers(writer, recorded, lane)]


def timed_numbers(
    writer: LaneWriter, recorded: Mapping[WrittenPlace, Sequence[RecordedWrite]], lane: int
) -> list[tuple[int, bytes]]:
    """As :func:`numbers_of`, each with its time."""
    place, first = writer.places.place(0 if writer.is_uniform else lane), writer.places.first
    if place is None or (writer.is_uniform and writer.places.lanes > 1):
        return []
    return [
        (each.time, each.data[place - first : place - first + _BYTES])
        for each in recorded[place_of(writer)]
        if writer.is_uniform or each.lanes >> lane & 1
    ]


def written_by(
    writers: Sequence[LaneWriter],
    recorded: Mapping[WrittenPlace, Sequence[RecordedWrite]],
    lane: int,
) -> set[bytes]:
    """What each of ``writers`` gave ``lane`` whenever it was executed."""
    found = set[bytes]()
    for each in writers:
        if each.is_uniform:
            starts = range(0, each.places.stride * each.places.lanes, _BYTES)
            written = recorded[place_of(each)]
            found.update(one.data[at : at + _BYTES] for one in written for at in starts)
        else:
            found.update(numbers_of(each, recorded, lane))
    return found


def _with_places(
    writers: Sequence[LaneWriter],
) -> tuple[Sequence[LaneWriter], tuple[WrittenPlace, ...]]:
    return writers, tuple(map(place_of, writers))


def place_of(writer: LaneWriter) -> WrittenPlace:
    """What ``writer`` writes."""
    size = writer.places.stride * writer.places.lanes
    return WrittenPlace(writer.offset, writer.kind, writer.places.first, size)


def _computes(model: Model, item: Instruction) -> bool:
    """Whether it makes something of other results."""
    return item.result in model.code.type_of and model.computation(item) is not None
