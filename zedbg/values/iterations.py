"""Which iteration of a loop a lane is in, from a register that is proved to count it.

The SPIR-V says what an iteration adds to a value, and on which line and column that is made. An
instruction of the machine code with that line and column, which adds the same to a register, makes
that register the loop's counter (:mod:`zedbg.dwarf.trust.loop_counters` proves that nothing else
does), if it begins with what the SPIR-V says, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.activation import Activation
from zedbg.spirv.arithmetic import UnknownValue, signed
from zedbg.spirv.code import Instruction, Line
from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.flow import Loop
from zedbg.spirv.inductions import Stepping
from zedbg.spirv.operations import COMPARISONS
from zedbg.spirv.private_memory import Iterations
from zedbg.values.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class LaneLoop:
    """``lane`` is in ``block`` of ``loop``. ``outer``: the iterations of the loops around that;
    ``calls``: the inlined ones that ``activation`` is, innermost first."""

    lane: int
    evaluation: Evaluation
    activation: Activation
    loop: Loop
    outer: Iterations
    block: int
    calls: tuple[InlinedCall, ...]


class LaneIterations:
    """Finds the iterations of the lanes of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._context = frame.context
        self._info = frame.info
        self._model = frame.model
        self._address = frame.address
        function = frame.info.function_at(self._address)
        self._low = 0 if function is None else function.low
        self._counters: dict[tuple[Line, tuple[InlinedCall, ...]], list[LoopCounter]] = {}

    def of(self, here: LaneLoop) -> int | None:
        """The iteration of its loop that a lane is in; None where nothing proves one."""
        if not self._context.active_lanes >> here.lane & 1:
            return None
        numbers = {
            self._iteration(here, each)
            for each in self._model.steppings(here.activation.function, here.loop)
        } - {None}
        return numbers.pop() if len(numbers) == 1 else None

    def _iteration(self, here: LaneLoop, stepping: Stepping) -> int | None:
        loop, bits = here.loop, stepping.bits
        for counter in self._of_line(stepping.line, here.calls):
            place = counter.place(here.lane)
            if place is None or counter.step != stepping.step or 8 * counter.size != bits:
                continue
            start = self._start(here, stepping, counter)
            held = self._held(place, counter.size)
            if start is None or held is None:
                continue
            distance = signed((held - start) & (1 << bits) - 1, bits)
            number, rest = divmod(distance, stepping.step)
            flow = self._model.flow(here.activation.function)
            leaves = any(each not in loop.blocks for each in flow.after[loop.header])
            is_next = leaves and here.block == loop.header and loop.header not in loop.latches
            if self._low + counter.stepped_at < self._address and not is_next:
                number -= 1
            if rest or number < 0:
                return None
            return number if self._stays(here, number) else None
        return None

    def _of_line(self, line: Line, calls: tuple[InlinedCall, ...]) -> list[LoopCounter]:
        key = line, calls
        if key not in self._counters:
            self._counters[key] = self._info.loop_counters(
                self._address, line.line, line.column, calls
            )
        return self._counters[key]

    def _start(self, here: LaneLoop, stepping: Stepping, counter: LoopCounter) -> int | None:
        """What the counter begins with, where the machine code shows that it begins with that: by a
        constant, by the line of the instruction that sets it, or by what the loop compares."""
        if counter.start is None and not (
            self._is_set_as(here.activation, stepping, counter)
            or self._is_compared_as(here, stepping, counter)
        ):
            return None
        iterations = (*here.outer, 0)
        try:
            first = here.evaluation.value(
                here.activation, stepping.result, stepping.block, iterations
            )
        except UnknownValue:
            return None
        if not isinstance(first, int):
            return None
        mask = (1 << stepping.bits) - 1
        start = (first - stepping.step) & mask
        return start if counter.start is None or counter.start & mask == start else None

    def _is_set_as(self, activation: Activation, stepping: Stepping, counter: LoopCounter) -> bool:
        """Whether the instruction that sets the counter is of the line and column where the SPIR-V
        makes what the induction starts with."""
        induction = stepping.induction
        made = self._model.made(activation.function).get(induction.start)
        if made is None or made[1].line is None or stepping.result != induction.following:
            return False
        row = self._info.lines.row_at(self._low + counter.set_at)
        line = made[1].line
        return row is not None and (row.line, row.column) == (line.line, line.column)

    def _is_compared_as(self, here: LaneLoop, stepping: Stepping, counter: LoopCounter) -> bool:
        """Whether the loop compares the counter with the constant that the SPIR-V compares the
        induction with, on the same line and column: then they are the same number."""
        induction, code = stepping.induction, self._model.code
        if stepping.result != induction.following:
            return False
        for item in here.activation.function.blocks[here.loop.header].items:
            if not isinstance(item, Instruction) or item.opcode not in COMPARISONS:
                continue
            constant = code.constants.get(item.operands[1])
            if item.operands[0] != induction.result or not isinstance(constant, int):
                continue
            for offset, number in counter.compared:
                is_same = number & (1 << induction.bits) - 1 == constant
                if is_same and item.line is not None:
                    at = self._low + offset
                    if self._info.is_of(at, item.line.line, item.line.column, here.calls):
                        return True
        return False

    def _held(self, place: int, size: int) -> int | None:
        try:
            data = self._context.read_registers(RegisterKind.GRF)[place : place + size]
        except LevelZeroError:
            return None
        return int.from_bytes(data, "little") if len(data) == size else None

    def _stays(self, here: LaneLoop, number: int) -> bool:
        """Whether the loop has that iteration, as far as its condition can be computed."""
        header, iterations = here.loop.header, (*here.outer, number)
        if here.block == header:
            return True
        try:
            following = here.evaluation.next_block(here.activation, header, iterations)
        except UnknownValue:
            return True
        return following in here.loop.blocks
