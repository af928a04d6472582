"""What loads gave, from the registers that are proved to have it still.

A load of memory that the kernel may write to cannot be done again. But an instruction of the
SPIR-V with a line and column of its own belongs to the messages of that line and column, and
:mod:`zedbg.dwarf.trust.load_results` proves whether their result is still in its registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.activation import Activation
from zedbg.spirv.code import Instruction, Line
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.private_memory import Iterations
from zedbg.spirv.variables import instructions
from zedbg.values.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind

_BYTES = 4  # of what is loaded


@dataclass(frozen=True)
class _Loads:
    """Of one function: lines of one instruction that loads, and the loops around blocks."""

    alone: frozenset[tuple[Line, int]]
    around: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, model: Model, activation: Activation) -> _Loads:
        """Those of the function of ``activation``."""
        flow = model.flow(activation.function)
        seen: dict[tuple[Line, int], int] = {}
        for _, item in instructions(flow):
            if item.line is not None and (item.opcode == Op.LOAD or item.opcode in ATOMICS):
                key = item.line, item.inlined
                seen[key] = seen.get(key, 0) + 1
        around = {label: flow.loops_around(label) for label in activation.function.blocks}
        return cls(frozenset(key for key, count in seen.items() if count == 1), around)


@dataclass(frozen=True)
class _Here:
    """Where a lane is in one of its calls."""

    activation: Activation
    loops: Sequence[int]
    iterations: Iterations
    calls: Sequence[InlinedCall]
    of_function: _Loads


class HeldLoads:
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
            model.notes[key] = _Loads.of(model, activation)
        loads = model.notes[key]
        assert isinstance(loads, _Loads)
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
        if line is None or item.inlined or (line, 0) not in here.of_function.alone:
            return None
        if (
            here.of_function.around[label] != tuple(here.loops[:count])
            or iterations != here.iterations[:count]
        ):
            return None  # another iteration
        results = self._frame.info.code.load_results(
            self._frame.address, line.line, line.column, here.calls
        )
        places = [place for each in results if (place := each.place(self._lane)) is not None]
        if len(places) != 1:
            return None
        try:
            registers = self._frame.context.read_registers(RegisterKind.GRF)
        except LevelZeroError:
            return None
        data = registers[places[0] : places[0] + _BYTES]
        return data if len(data) == _BYTES else None
