"""What instructions gave that cannot be computed again, from the registers that are proved to have
it still.

A load of memory that the kernel may write to cannot be done again. The last bits of quotients,
roots and other functions are left to the device, and so is what is made of them. But an instruction
of the SPIR-V with a line and column of its own belongs to those of that line and column.
:mod:`zedbg.dwarf.trust.load_results`, :mod:`zedbg.dwarf.trust.math_results` and
:mod:`zedbg.dwarf.trust.float_results` prove whether their result is still in its registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.float_results import Execution, FloatWriter, FloatWriters
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.spirv.activation import Activation
from zedbg.spirv.device_maths import REARRANGING, is_left_to_device
from zedbg.spirv.instructions import Function, Instruction, Line
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.private_memory import Iterations
from zedbg.spirv.types import Kind
from zedbg.spirv.variables import instructions
from zedbg.values.recorded_write import RecordedWrite, WrittenPlace
from zedbg.values.source_frame import SourceFrame
from zedbg.values.source_positions import inlined_call
from zedbg.xe.registers import RegisterKind

T = TypeVar("T")
_BYTES = 4  # of a result


@dataclass(frozen=True)
class _Alone:
    """Of one function: lines of one instruction that loads, of one that is left to the device, of
    one that makes floating-point numbers, of some of these that do not take each other's results,
    and the loops around blocks."""

    loads: frozenset[tuple[Line, int]]
    maths: frozenset[tuple[Line, int]]
    floats: frozenset[tuple[Line, int]]
    apart: frozenset[tuple[Line, int]]
    around: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, model: Model, activation: Activation) -> _Alone:
        """Those of the function of ``activation``."""
        flow = model.flow(activation.function)
        loads: Counter[tuple[Line, int]] = Counter()
        maths: Counter[tuple[Line, int]] = Counter()
        floats: Counter[tuple[Line, int]] = Counter()
        places: dict[tuple[Line, int], list[Instruction]] = {}
        for _, item in instructions(flow):
            if item.line is not None:
                key = item.line, item.inlined
                loads[key] += _loads(item)
                maths[key] += is_left_to_device(model.code, item)
                floats[key] += _makes_floats(model, item)
                places.setdefault(key, []).append(item)
        apart = {key for key, items in places.items() if floats[key] and _are_apart(model, items)}
        around = {label: flow.loops_around(label) for label in activation.function.blocks}
        return cls(_once(loads), _once(maths), _once(floats), frozenset(apart), around)


def _once(counts: Counter[tuple[Line, int]]) -> frozenset[tuple[Line, int]]:
    return frozenset(key for key, count in counts.items() if count == 1)


def _are_apart(model: Model, items: Sequence[Instruction]) -> bool:
    """Whether none of those of ``items``, all of a place, in their order, that make floating-point
    numbers takes what another one made, as sine and cosine of one angle."""
    made = set[int]()
    for item in items:
        taken = item.operands[2:] if item.opcode == Op.EXT_INST else item.operands
        is_float, takes = _makes_floats(model, item), not made.isdisjoint(taken)
        if is_float and takes:
            return False
        if is_float or takes:
            made.add(item.result)
    return True


def _loads(item: Instruction) -> bool:
    return item.opcode == Op.LOAD or item.opcode in ATOMICS


def _makes_floats(model: Model, item: Instruction) -> bool:
    """Whether it makes floating-point numbers, other than by taking them from something, putting
    them together, or by a sign: that is a part of the instruction that takes them."""
    kind = model.code.type_of.get(item.result)
    if kind is None or kind.kind not in (Kind.FLOAT, Kind.VECTOR):
        return False
    return item.opcode not in (Op.LOAD, Op.PHI, Op.F_NEGATE, *REARRANGING)


@dataclass(frozen=True)
class _Here:
    """Where a lane is in one of its calls: ``calls``, of which the outermost one that was made with
    the code is the last."""

    activation: Activation
    loops: Sequence[int]
    iterations: Iterations
    calls: Sequence[InlinedCall]


@dataclass(frozen=True)
class _Made:
    """Where a lane was when it executed an instruction of a call: ``loops`` around it, and around
    the calls that led there from one that the lane is in, which are ``calls`` in the code.
    ``count_at`` gives how many iterations of one of the loops come there."""

    loops: Sequence[int]
    iterations: Iterations
    calls: Sequence[InlinedCall]
    count_at: Callable[[int], int]


@dataclass(frozen=True)
class _Frame:
    """A call, the code in it where it makes the following one or the result is made, and the
    instruction that ``calls`` the following one."""

    call: Activation
    block: int
    iterations: Iterations
    calls: Instruction | None


def _made_by(
    call: Activation,
    block: int,
    iterations: Iterations,
    is_first: Callable[[Activation], bool],
) -> list[_Frame] | None:
    """The calls that led to ``block`` of ``call``, from the last one for which ``is_first`` is
    true; None where there is none."""
    frames = [_Frame(call, block, iterations, None)]
    while not is_first(frames[0].call):
        if frames[0].call.caller is None:
            return None
        caller, by, visit = frames[0].call.caller
        frames.insert(0, _Frame(caller, visit.block, visit.iterations, by))
    return frames


class HeldResults:
    """Of one lane of ``frame``, whose code is ``function`` with the calls that were made a part of
    it; see :class:`zedbg.spirv.device_numbers.Held`."""

    def __init__(self, frame: SourceFrame, function: Function, lane: int) -> None:
        self._frame = frame
        self._function = function
        self._lane = lane
        self._here: list[_Here] = []

    def add(
        self,
        activation: Activation,
        block: int,
        iterations: Iterations,
        calls: Sequence[InlinedCall],
    ) -> None:
        """The lane is in ``block`` of ``activation``, which is ``calls``, the innermost first."""
        loops = self._alone(activation).around[block]
        self._here.append(_Here(activation, loops, iterations, tuple(calls)))

    def _alone(self, activation: Activation) -> _Alone:
        model, key = self._frame.model, ("loads", activation.function.result)
        if key not in model.notes:
            model.notes[key] = _Alone.of(model, activation)
        found = model.notes[key]
        assert isinstance(found, _Alone)
        return found

    def latest(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        count_of: Callable[[Activation, int, int, Iterations], int],
    ) -> bytes | None:
        if not self._frame.context.active_lanes >> self._lane & 1:
            return None
        found = self._frames(call, label, iterations)
        if found is None:
            return None
        here, frames, calls = found
        levels = [
            (each.call, each.block, header, each.iterations[:depth])
            for each in frames
            for depth, header in enumerate(self._alone(each.call).around[each.block])
        ]
        made = _Made(
            [header for _, _, header, _ in levels],
            tuple(number for each in frames for number in each.iterations),
            calls,
            lambda depth: count_of(*levels[depth]),
        )
        return self._of(here, item, made, self._alone(call))

    def recorded(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Iterator[set[bytes]]:
        """See :meth:`zedbg.spirv.device_numbers.Held.recorded`."""
        line, alone = item.line, self._alone(call)
        if line is None or item.inlined or not _makes_floats(self._frame.model, item):
            return
        if (line, 0) not in alone.apart:
            return
        calls = self._calls_to(call, label, iterations)
        if calls is None:
            return
        writers = self._writers(call, calls).get((line.line, line.column))
        if writers is None:
            return
        context, places = self._frame.context, self._places(call, calls)
        recorded = context.recorded_writes(places)
        if isinstance(recorded, Missing):
            return
        yield self._written(writers.last, recorded)
        if not is_left_to_device(self._frame.model.code, item) and item.opcode != Op.EXT_INST:
            yield self._written(writers.alike, recorded)

    def _writers(
        self, call: Activation, calls: Sequence[InlinedCall]
    ) -> dict[tuple[int, int], FloatWriters]:
        """What writes the numbers that places of the source make, one each, in ``call``, which is
        ``calls`` in the debug information."""
        code, floats = self._frame.info.code, self._alone(call).apart
        own = {(line.line, line.column) for line, _ in floats}

        def find() -> dict[tuple[int, int], FloatWriters]:
            found = code.float_writers(self._frame.address, calls)
            return {place: writers for place, writers in found.items() if place in own}

        return self._kept(("writers", *self._functions(call), tuple(calls)), find)

    def _places(self, call: Activation, calls: Sequence[InlinedCall]) -> tuple[WrittenPlace, ...]:
        """What these write: looked for together, since each search takes long."""

        def find() -> tuple[WrittenPlace, ...]:
            found = self._writers(call, calls).values()
            both = (each for writers in found for each in (*writers.last, *writers.alike))
            return tuple(dict.fromkeys(map(_place, both)))

        return self._kept(("places", *self._functions(call), tuple(calls)), find)

    def _functions(self, call: Activation) -> tuple[int, int]:
        """The function that has the code, and that of ``call``, which may be a part of it."""
        return self._function.result, call.function.result

    def _written(
        self,
        writers: Sequence[FloatWriter],
        recorded: Mapping[WrittenPlace, Sequence[RecordedWrite]],
    ) -> set[bytes]:
        """What each of ``writers`` gave the lane whenever it was executed."""
        found = set[bytes]()
        for each in writers:
            place, written = each.places.place(self._lane), recorded[_place(each)]
            if each.is_uniform:
                size = each.places.stride * each.places.lanes
                starts = range(0, size, _BYTES)
                found.update(one.data[at : at + _BYTES] for one in written for at in starts)
            elif place is not None:
                at = place - each.places.first
                found.update(
                    one.data[at : at + _BYTES] for one in written if one.lanes >> self._lane & 1
                )
        return found

    def _frames(
        self, call: Activation, label: int, iterations: Iterations
    ) -> tuple[_Here, list[_Frame], Sequence[InlinedCall]] | None:
        """The calls from the one that the lane is in to ``call``, with the block of each and the
        calls of the last one in the debug information; None where that is not clear."""
        frames = _made_by(call, label, iterations, lambda each: self._in(each) is not None)
        here = None if frames is None else self._in(frames[0].call)
        if frames is None or here is None:
            return None
        calls = self._calls(here.calls, frames)
        return None if calls is None else (here, frames, calls)

    def _calls_to(
        self, call: Activation, label: int, iterations: Iterations
    ) -> Sequence[InlinedCall] | None:
        """``call`` in the debug information, the innermost one first; None where it is not in the
        code of the frame, or it is not clear."""
        function = self._function
        frames = _made_by(call, label, iterations, lambda each: each.function is function)
        return None if frames is None else self._calls((), frames)

    def _in(self, call: Activation) -> _Here | None:
        """Where the lane is in ``call``; None: it has left it, or is not there yet."""
        return next((each for each in self._here if each.activation is call), None)

    def _calls(
        self, first: Sequence[InlinedCall], frames: Sequence[_Frame]
    ) -> Sequence[InlinedCall] | None:
        """The calls of the last of ``frames`` in the debug information, the innermost first, of
        which the first is ``first``; None where that is not clear."""
        calls = list(first)
        for each in frames:
            if each.calls is None:
                break
            around = calls[0] if calls else self._frame.info.function_at(self._frame.address)
            if around is None or each.calls.inlined:
                return None
            function = each.call.function
            following = inlined_call(self._frame.model, function, 0, around, each.calls)
            if following is None:
                return None
            calls.insert(0, following)
        return tuple(calls)

    def _of(self, here: _Here, item: Instruction, made: _Made, alone: _Alone) -> bytes | None:
        line = item.line
        if line is None or item.inlined:
            return None
        is_load, is_float = _loads(item), _makes_floats(self._frame.model, item)
        of_device = alone.loads if is_load else alone.maths
        is_alone = is_float and (line, 0) in alone.floats
        if (line, 0) not in of_device and not is_alone:
            return None
        when = _execution(here, made)
        if when is None:
            return None  # another iteration
        data = None
        if when.is_now and (line, 0) in of_device:
            data = self._at(self._of_device(made.calls, item, line))
        if data is None and is_alone:
            data = self._at(self._of_float(made.calls, line, when))
        return data

    def _of_device(
        self, calls: Sequence[InlinedCall], item: Instruction, line: Line
    ) -> list[LanePlaces]:
        """Where what a load, a quotient or a root gave in this iteration is."""
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        if _loads(item):
            return self._kept(
                ("load", where, tuple(calls)), lambda: code.load_results(*where, calls)
            )
        constants = self._frame.model.code.constants
        is_product = item.opcode == Op.F_DIV and constants.get(item.operands[0]) != 1.0
        return self._kept(
            ("maths", is_product, where, tuple(calls)),
            lambda: code.math_results(*where, calls, is_product),
        )

    def _of_float(
        self, calls: Sequence[InlinedCall], line: Line, when: Execution
    ) -> list[LanePlaces]:
        """Where a floating-point number is that was made ``when``."""
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        return self._kept(
            ("float", when, where, tuple(calls)), lambda: code.float_results(*where, calls, when)
        )

    def _kept(self, what: tuple[object, ...], find: Callable[[], T]) -> T:
        """What ``find`` gives, which is the same for all lanes."""
        notes, key = self._frame.model.notes, ("held", *what)
        if key not in notes:
            notes[key] = find()
        return cast("T", notes[key])

    def _at(self, results: Sequence[LanePlaces]) -> bytes | None:
        """What the lane has in the one of ``results`` that has something for it."""
        places = [place for each in results if (place := each.place(self._lane)) is not None]
        if len(places) != 1:
            return None
        try:
            registers = self._frame.context.read_registers(RegisterKind.GRF)
        except LevelZeroError:
            return None
        data = registers[places[0] : places[0] + _BYTES]
        return data if len(data) == _BYTES else None


def _place(writer: FloatWriter) -> WrittenPlace:
    size = writer.places.stride * writer.places.lanes
    return WrittenPlace(writer.offset, writer.kind, writer.places.first, size)


def _execution(here: _Here, made: _Made) -> Execution | None:
    """Which execution ``made`` is of its code; None where it is not known to be the last one in
    front of ``here``. Raises UnknownValue."""
    around, iterations, shared = made.loops, made.iterations, 0
    while shared < min(len(around), len(here.loops)) and around[shared] == here.loops[shared]:
        shared += 1
    now = here.iterations[:shared]
    if None in iterations or None in now:
        is_same = iterations == now and shared == len(around)
        return Execution(shared, True, True) if is_same else None
    level = 0  # of the loops that are in the same iteration
    while level < shared and iterations[level] == now[level]:
        level += 1
    if level < shared:
        following = iterations[: level + 1]
        if not _is_next(following, now[: level + 1]) or any(now[level + 1 :]):
            return None
    for depth in range(min(level + 1, shared), len(around)):
        if iterations[depth] != made.count_at(depth) - 1:
            return None
    return Execution(shared, level == shared, level == shared == len(around))


def _is_next(iterations: Iterations, here: Iterations) -> bool:
    """Whether ``here`` is the iteration of the innermost loop after ``iterations``."""
    last, current = iterations[-1], here[-1]
    return last is not None and current is not None and current == last + 1
