"""What instructions gave that cannot be computed again, from the registers that are proved to have
it still.

A load of memory that the kernel may write to cannot be done again, and the last bits of quotients
and roots are left to the device. But an instruction of the SPIR-V with a line and column of its own
belongs to the instructions of that line and column, and :mod:`zedbg.dwarf.trust.load_results` and
:mod:`zedbg.dwarf.trust.math_results` prove whether their result is still in its registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.activation import Activation
from zedbg.spirv.code import Instruction, Line
from zedbg.spirv.device_maths import is_left_to_device
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.private_memory import Iterations
from zedbg.spirv.variables import instructions
from zedbg.values.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind

_BYTES = 4  # of a result


@dataclass(frozen=True)
class _Alone:
    """Of one function: lines of one instruction that loads, of one that is left to the device, and
    the loops around blocks."""

    loads: frozenset[tuple[Line, int]]
    maths: frozenset[tuple[Line, int]]
    around: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, model: Model, activation: Activation) -> _Alone:
        """Those of the function of ``activation``."""
        flow = model.flow(activation.function)
        loads: Counter[tuple[Line, int]] = Counter()
        maths: Counter[tuple[Line, int]] = Counter()
        for _, item in instructions(flow):
            if item.line is not None:
                key = item.line, item.inlined
                loads[key] += _loads(item)
                maths[key] += is_left_to_device(model.code, item)
        around = {label: flow.loops_around(label) for label in activation.function.blocks}
        return cls(_once(loads), _once(maths), around)


def _once(counts: Counter[tuple[Line, int]]) -> frozenset[tuple[Line, int]]:
    return frozenset(key for key, count in counts.items() if count == 1)


def _loads(item: Instruction) -> bool:
    return item.opcode == Op.LOAD or item.opcode in ATOMICS


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
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> bytes | None:
        if not self._frame.context.active_lanes >> self._lane & 1:
            return None
        for here in self._here:
            if here.activation is call:
                return self._of(here, item, label, iterations)
        return None

    def _of(
        self, here: _Here, item: Instruction, label: int, iterations: Iterations
    ) -> bytes | None:
        line, count = item.line, len(iterations)
        alone = here.of_function.loads if _loads(item) else here.of_function.maths
        if line is None or item.inlined or (line, 0) not in alone:
            return None
        if (
            here.of_function.around[label] != tuple(here.loops[:count])
            or iterations != here.iterations[:count]
        ):
            return None  # another iteration
        code, where = self._frame.info.code, (self._frame.address, line.line, line.column)
        if _loads(item):
            results = code.load_results(*where, here.calls)
        else:
            constants = self._frame.model.code.constants
            is_product = item.opcode == Op.F_DIV and constants.get(item.operands[0]) != 1.0
            results = code.math_results(*where, here.calls, is_product)
        places = [place for each in results if (place := each.place(self._lane)) is not None]
        if len(places) != 1:
            return None
        try:
            registers = self._frame.context.read_registers(RegisterKind.GRF)
        except LevelZeroError:
            return None
        data = registers[places[0] : places[0] + _BYTES]
        return data if len(data) == _BYTES else None
