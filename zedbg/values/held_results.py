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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.float_results import Execution
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.activation import Activation
from zedbg.spirv.code import Instruction, Line
from zedbg.spirv.device_maths import is_left_to_device
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.private_memory import Iterations
from zedbg.spirv.types import Kind
from zedbg.spirv.variables import instructions
from zedbg.values.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind

_BYTES = 4  # of a result


@dataclass(frozen=True)
class _Alone:
    """Of one function: lines of one instruction that loads, of one that is left to the device, of
    one that makes floating-point numbers, and the loops around blocks."""

    loads: frozenset[tuple[Line, int]]
    maths: frozenset[tuple[Line, int]]
    floats: frozenset[tuple[Line, int]]
    around: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, model: Model, activation: Activation) -> _Alone:
        """Those of the function of ``activation``."""
        flow = model.flow(activation.function)
        loads: Counter[tuple[Line, int]] = Counter()
        maths: Counter[tuple[Line, int]] = Counter()
        floats: Counter[tuple[Line, int]] = Counter()
        for _, item in instructions(flow):
            if item.line is not None:
                key = item.line, item.inlined
                loads[key] += _loads(item)
                maths[key] += is_left_to_device(model.code, item)
                floats[key] += _makes_floats(model, item)
        around = {label: flow.loops_around(label) for label in activation.function.blocks}
        return cls(_once(loads), _once(maths), _once(floats), around)


def _once(counts: Counter[tuple[Line, int]]) -> frozenset[tuple[Line, int]]:
    return frozenset(key for key, count in counts.items() if count == 1)


def _loads(item: Instruction) -> bool:
    return item.opcode == Op.LOAD or item.opcode in ATOMICS


def _makes_floats(model: Model, item: Instruction) -> bool:
    """Whether it makes floating-point numbers, other than by taking them from something, or by a
    sign: that is a part of the instruction that takes them."""
    kind = model.code.type_of.get(item.result)
    if kind is None or kind.kind not in (Kind.FLOAT, Kind.VECTOR):
        return False
    return item.opcode not in (Op.LOAD, Op.COMPOSITE_EXTRACT, Op.PHI, Op.F_NEGATE)


@dataclass(frozen=True)
class _Here:
    """Where a lane is in one of its calls."""

    activation: Activation
    loops: Sequence[int]
    iterations: Iterations
    calls: Sequence[InlinedCall]
    of_function: _Alone


class HeldResults:
    """Of one lane of ``frame``; see :class:`zedbg.spirv.evaluation.Held`."""

    def __init__(self, frame: SourceFrame, lane: int) -> None:
        self._frame = frame
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
        model = self._frame.model
        key = "loads", activation.function.result
        if key not in model.notes:
            model.notes[key] = _Alone.of(model, activation)
        loads = model.notes[key]
        assert isinstance(loads, _Alone)
        here = _Here(activation, loads.around[block], iterations, tuple(calls), loads)
        self._here.append(here)

    def __call__(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        count_of: Callable[[int, Iterations], int],
    ) -> bytes | None:
        if not self._frame.context.active_lanes >> self._lane & 1:
            return None
        for here in self._here:
            if here.activation is call:
                return self._of(here, item, label, iterations, count_of)
        return None

    def _of(
        self,
        here: _Here,
        item: Instruction,
        label: int,
        iterations: Iterations,
        count_of: Callable[[int, Iterations], int],
    ) -> bytes | None:
        line, alone = item.line, here.of_function
        if line is None or item.inlined:
            return None
        is_load, is_float = _loads(item), _makes_floats(self._frame.model, item)
        of_device = alone.loads if is_load else alone.maths
        is_alone = is_float and (line, 0) in alone.floats
        if (line, 0) not in of_device and not is_alone:
            return None
        when = _execution(here, alone.around[label], iterations, count_of)
        if when is None:
            return None  # another iteration
        data = None
        if when.is_now and (line, 0) in of_device:
            data = self._at(self._of_device(here, item, line))
        if data is None and is_alone:
            data = self._at(self._of_float(here, line, when))
        return data

    def _of_device(self, here: _Here, item: Instruction, line: Line) -> list[LanePlaces]:
        """Where what a load, a quotient or a root gave in this iteration is."""
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        if _loads(item):
            return self._kept("load", *where, here, lambda: code.load_results(*where, here.calls))
        constants = self._frame.model.code.constants
        is_product = item.opcode == Op.F_DIV and constants.get(item.operands[0]) != 1.0
        return self._kept(
            ("maths", is_product),
            *where,
            here,
            lambda: code.math_results(*where, here.calls, is_product),
        )

    def _of_float(self, here: _Here, line: Line, when: Execution) -> list[LanePlaces]:
        """Where a floating-point number is that was made ``when``."""
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        return self._kept(when, *where, here, lambda: code.float_results(*where, here.calls, when))

    def _kept(
        self,
        kind: object,
        address: int,
        line: int,
        column: int,
        here: _Here,
        find: Callable[[], list[LanePlaces]],
    ) -> list[LanePlaces]:
        """What ``find`` gives, which is the same for all lanes."""
        notes, key = self._frame.model.notes, ("held", kind, address, line, column, here.calls)
        if key not in notes:
            notes[key] = find()
        found = notes[key]
        assert isinstance(found, list)
        return found

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


def _execution(
    here: _Here,
    around: Sequence[int],
    iterations: Iterations,
    count_of: Callable[[int, Iterations], int],
) -> Execution | None:
    """Which execution that of ``iterations`` is of a block with the loops ``around``; None where it
    is not known to be the last one in front of ``here``. Raises UnknownValue."""
    shared = 0
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
        if iterations[depth] != count_of(around[depth], iterations[:depth]) - 1:
            return None
    return Execution(shared, level == shared, level == shared == len(around))


def _is_next(iterations: Iterations, here: Iterations) -> bool:
    """Whether ``here`` is the iteration of the innermost loop after ``iterations``."""
    last, current = iterations[-1], here[-1]
    return last is not None and current is not None and current == last + 1
