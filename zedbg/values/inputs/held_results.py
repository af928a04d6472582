"""What instructions gave that cannot be computed again, from the registers that are proved to have
it still.

A load of memory that the kernel may write to cannot be done again. The last bits of quotients,
roots and other functions are left to the device, and so is what is made of them. But an instruction
of the SPIR-V with a line and column of its own belongs to those of that line and column.
:mod:`zedbg.dwarf.trust.load_results`, :mod:`zedbg.dwarf.trust.math_results` and
:mod:`zedbg.dwarf.trust.float_results` prove whether their result is still in its registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.float_results import Execution
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.group.inlined_kernel import MadeFrom
from zedbg.spirv.module.instructions import Function, Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.spirv.work_item.activation import Activation
from zedbg.values.inputs.recorded_results import (
    CompiledFunction,
    MadeFrame,
    RecordedResults,
    made_by,
)
from zedbg.values.source.places_alone import PlacesAlone, loads, makes_floats
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind

_BYTES = 4  # of a result


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


class HeldResults:
    """Of one lane of ``frame``, whose code is ``function`` with the calls that were made a part of
    it; see :class:`zedbg.spirv.work_item.device_numbers.Held`."""

    def __init__(self, frame: SourceFrame, function: Function, lane: int) -> None:
        self._frame = frame
        self._function = function
        self._lane = lane
        self._code = CompiledFunction(frame.info, frame.model, frame.address, function)
        self._recorded = RecordedResults(self._code, frame.context, lane)
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

    def _alone(self, activation: Activation) -> PlacesAlone:
        return PlacesAlone.of(self._frame.model, activation.function)

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
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        is_exact: bool,
    ) -> Iterator[set[bytes]]:
        """See :meth:`zedbg.spirv.work_item.device_numbers.Held.recorded`."""
        made = self._made(call, item, label, iterations)
        if made is not None:
            yield from self._recorded.of(made, is_exact)

    def is_on_both_sides(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> bool:
        """See :meth:`zedbg.spirv.work_item.device_numbers.Held.is_on_both_sides`."""
        made = self._made(call, item, label, iterations)
        return made is not None and self._recorded.is_on_both_sides(made, self._frame.address)

    def _made(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> MadeFrom | None:
        """``item`` as the function makes it; None where that is not clear."""
        function = self._function
        frames = made_by(call, label, iterations, lambda each: each.function is function)
        return None if frames is None else MadeFrom(_path(frames), call.function, item)

    def loaded_once(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> bytes | None:
        """See :meth:`zedbg.spirv.work_item.device_numbers.Held.loaded_once`."""
        frames = made_by(call, label, iterations, lambda each: each.caller is None)
        if frames is None or frames[0].call.function is not self._function:
            return None
        return self._recorded.loaded_once(MadeFrom(_path(frames), call.function, item))

    def _frames(
        self, call: Activation, label: int, iterations: Iterations
    ) -> tuple[_Here, list[MadeFrame], Sequence[InlinedCall]] | None:
        """The calls from the one that the lane is in to ``call``, with the block of each and the
        calls of the last one in the debug information; None where that is not clear."""
        frames = made_by(call, label, iterations, lambda each: self._in(each) is not None)
        here = None if frames is None else self._in(frames[0].call)
        if frames is None or here is None:
            return None
        calls = self._code.calls(here.calls, _path(frames))
        return None if calls is None else (here, frames, calls)

    def _in(self, call: Activation) -> _Here | None:
        """Where the lane is in ``call``; None: it has left it, or is not there yet."""
        return next((each for each in self._here if each.activation is call), None)

    def _of(self, here: _Here, item: Instruction, made: _Made, alone: PlacesAlone) -> bytes | None:
        line = item.line
        if line is None or item.inlined:
            return None
        is_load, is_float = loads(item), makes_floats(self._frame.model, item)
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
        if loads(item):
            return self._code.kept(
                ("load", where, tuple(calls)), lambda: code.load_results(*where, calls)
            )
        constants = self._frame.model.code.constants
        is_product = item.opcode == Op.F_DIV and constants.get(item.operands[0]) != 1.0
        return self._code.kept(
            ("maths", is_product, where, tuple(calls)),
            lambda: code.math_results(*where, calls, is_product),
        )

    def _of_float(
        self, calls: Sequence[InlinedCall], line: Line, when: Execution
    ) -> list[LanePlaces]:
        """Where a floating-point number is that was made ``when``."""
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        return self._code.kept(
            ("float", when, where, tuple(calls)), lambda: code.float_results(*where, calls, when)
        )

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


def _path(frames: Sequence[MadeFrame]) -> list[tuple[Function, Instruction]]:
    """From one of ``frames`` to the next."""
    return [(each.call.function, each.calls) for each in frames if each.calls is not None]


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
