"""Which iteration of a loop a lane is in, from a register that is proved to count it.

The SPIR-V says what an iteration adds to a variable, and on which line and column. An instruction
of the machine code with that line and column, which adds the same to a register, makes that
register the loop's counter (:mod:`zedbg.dwarf.trust.loop_counters` proves that nothing else does).
"""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.arithmetic import UnknownValue, signed
from zedbg.spirv.code import Line
from zedbg.spirv.evaluation import Activation, Evaluation
from zedbg.spirv.flow import Loop
from zedbg.spirv.inductions import Induction
from zedbg.spirv.model import Model
from zedbg.spirv.private_memory import Iterations
from zedbg.values.context import ThreadContext
from zedbg.xe.registers import RegisterKind


class LaneIterations:
    """Finds the iterations of the lanes of ``context``, whose code is at ``address``."""

    def __init__(self, context: ThreadContext, info: DebugInfo, model: Model, address: int) -> None:
        self._context = context
        self._info = info
        self._model = model
        self._address = address
        self._counters: dict[tuple[Line, tuple[InlinedCall, ...]], list[LoopCounter]] = {}

    def of(
        self,
        evaluation: Evaluation,
        activation: Activation,
        loop: Loop,
        outer: Iterations,
        block: int,
        lane: int,
        calls: Sequence[InlinedCall],
    ) -> int | None:
        """The iteration of ``loop`` that ``lane`` is in, which is in ``block``; None where nothing
        proves one. ``outer``: those of the loops around it; ``calls``: the inlined ones that
        ``activation`` is, innermost first."""
        numbers = {
            self._iteration(evaluation, activation, loop, outer, each, block, lane, calls)
            for each in self._model.inductions(activation.function, loop).values()
        } - {None}
        return numbers.pop() if len(numbers) == 1 else None

    def _iteration(
        self,
        evaluation: Evaluation,
        activation: Activation,
        loop: Loop,
        outer: Iterations,
        induction: Induction,
        block: int,
        lane: int,
        calls: Sequence[InlinedCall],
    ) -> int | None:
        if not self._context.active_lanes >> lane & 1 or induction.line is None:
            return None
        for counter in self._of_line(induction.line, tuple(calls)):
            place = counter.place(lane)
            if place is None or counter.step != induction.step:
                continue
            if 8 * counter.size != induction.bits:
                continue
            start = self._start(evaluation, activation, loop, outer, induction, counter)
            held = self._held(place, counter.size)
            if start is None or held is None:
                continue
            bits = induction.bits
            distance = signed((held - start) & (1 << bits) - 1, bits)
            number, rest = divmod(distance, induction.step)
            flow = self._model.flow(activation.function)
            leaves = any(each not in loop.blocks for each in flow.after[loop.header])
            is_next = leaves and block == loop.header and loop.header not in loop.latches
            if counter.is_stepped and not is_next:
                number -= 1
            if rest or number < 0:
                return None
            there = (*outer, number)
            return number if self._stays(evaluation, activation, loop, there, block) else None
        return None

    def _of_line(self, line: Line, calls: tuple[InlinedCall, ...]) -> list[LoopCounter]:
        key = line, calls
        if key not in self._counters:
            self._counters[key] = self._info.loop_counters(
                self._address, line.line, line.column, calls
            )
        return self._counters[key]

    def _start(
        self,
        evaluation: Evaluation,
        activation: Activation,
        loop: Loop,
        outer: Iterations,
        induction: Induction,
        counter: LoopCounter,
    ) -> int | None:
        """What the counter begins with, where the instruction that sets it sets it to that."""
        mask = (1 << induction.bits) - 1
        constant = self._model.code.constants.get(induction.start)
        if isinstance(constant, int):
            begins = counter.start
            return constant if begins is not None and begins & mask == constant else None
        made = self._model.made(activation.function).get(induction.start)
        function = self._info.function_at(self._address)
        if made is None or made[1].line is None or function is None:
            return None
        row = self._info.lines.row_at(function.low + counter.set_at)
        line = made[1].line
        if row is None or (row.line, row.column) != (line.line, line.column):
            return None
        try:
            value = evaluation.value(activation, induction.start, loop.header, (*outer, 0))
        except UnknownValue:
            return None
        return value if isinstance(value, int) else None

    def _held(self, place: int, size: int) -> int | None:
        try:
            data = self._context.read_registers(RegisterKind.GRF)[place : place + size]
        except LevelZeroError:
            return None
        return int.from_bytes(data, "little") if len(data) == size else None

    def _stays(
        self,
        evaluation: Evaluation,
        activation: Activation,
        loop: Loop,
        iterations: Iterations,
        block: int,
    ) -> bool:
        """Whether the loop has that iteration, as far as its condition can be computed."""
        if block == loop.header:
            return True
        try:
            following = evaluation.next_block(activation, loop.header, iterations)
        except UnknownValue:
            return True
        return following in loop.blocks
