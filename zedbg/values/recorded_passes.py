"""The iteration of a loop that a lane is in, by the passes that the device has recorded.

A loop of the machine code makes one iteration in each pass where none of its code is copied: no
place of the source that one simple instruction makes has two instructions of a kind. That the code
asked for is of the same iteration as such a place, and not of the next one's condition, say the
orders of the two in the source's ways and in the pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.missing import Missing
from zedbg.spirv.code import Function, Instruction, Line
from zedbg.spirv.device_maths import is_one_instruction
from zedbg.spirv.flow import Flow
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.types import Kind
from zedbg.spirv.variables import instructions
from zedbg.values.source_frame import SourceFrame


class _Kind(Enum):
    """What is made at a place of the source, by instructions of the machine code of that kind."""

    MEMORY = "an access to memory"
    FLOATS = "floating-point numbers"
    INTEGERS = "anything else"


_ONE_STEP = frozenset({Op.F_ADD, Op.F_SUB, Op.F_MUL, Op.I_ADD, Op.I_SUB, Op.BITWISE_XOR})


@dataclass(frozen=True)
class LoopHere:
    """The loop of ``header`` around ``block`` of ``function``, which is ``calls`` in the debug
    information. ``level``: how many loops are around it, in all calls, of ``loops`` that are around
    the code. ``own``: the loop of the machine code that makes one iteration in each pass, with the
    code in the same one, if the jumps out of it show that."""

    function: Function
    calls: tuple[InlinedCall, ...]
    block: int
    header: int
    level: int
    loops: int
    own: tuple[int, int] | None = None


class RecordedPasses:
    """Of the thread that is stopped at the innermost code of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame
        self._address = frame.address

    def iteration(self, here: LoopHere, lane: int) -> int | None:
        """The iteration of the loop that ``lane`` is in; None where that is not sure."""
        code = self._frame.info.code.function_at(self._address)
        machine = None if code is None else self._machine(here, code)
        if code is None or machine is None:
            return None
        marker = code.pass_marker(machine, self._address, lane)
        if marker is None:
            return None
        outside = [(code.low, machine[0]), (machine[1] + 1, code.high)]
        executed = self._frame.context.recorded_executions(marker.offset, outside)
        if isinstance(executed, Missing):
            return None
        passes = sum(lanes >> lane & 1 for lanes in executed)
        number = passes - 1 if marker.is_executed else passes
        return number if number >= 0 else None

    def _machine(self, here: LoopHere, code: FunctionCode) -> tuple[int, int] | None:
        """The addresses of the first instruction and the jump back of the loop of the machine code
        that makes one iteration in each pass, with the code asked for in the same one."""
        notes, function = self._frame.model.notes, here.function.result
        key = "passes", self._address, function, here.calls, here.block, here.header
        if key not in notes:
            notes[key] = self._one_pass(here, code)
        found = notes[key]
        return found if isinstance(found, tuple) else None

    def _one_pass(self, here: LoopHere, code: FunctionCode) -> tuple[int, int] | None:
        around = sorted(each for each in code.loops if each[0] <= self._address <= each[1])
        heads = [head for head, _ in code.loops]
        if len(around) != here.loops or any(heads.count(head) > 1 for head, _ in around):
            return None
        machine = around[here.level]
        flow, is_linked = self._frame.model.flow(here.function), here.own == machine
        for label, kind, steps in self._places(here, flow, code):
            if max(Counter(map(operation, steps)).values()) > 1:
                return None
            if kind is _Kind.INTEGERS or flow.loops_around(label)[-1] != here.header:
                continue  # what compilers may make of others, or other passes
            addresses = [code.low + step.offset for step in steps]
            if all(_innermost(code.loops, each) == machine for each in addresses):
                is_linked |= self._is_with(here, label, flow, addresses)
        return machine if is_linked else None

    def _places(
        self, here: LoopHere, flow: Flow, code: FunctionCode
    ) -> Iterator[tuple[int, _Kind, Sequence[Step]]]:
        """The blocks and kinds of the instructions in the loop that are one of the machine code,
        alone of their kind at their place of the source, with what that is."""
        alone = Counter(
            (item.line, item.inlined, self._kind(item)) for _, item in instructions(flow)
        )
        for label, item in instructions(flow):
            kind = self._kind(item)
            is_inside = label in flow.loops[here.header].blocks and not item.inlined
            if item.line is None or not is_inside or alone[item.line, 0, kind] != 1:
                continue
            if kind is not _Kind.MEMORY and not self._is_one_step(item):
                continue
            is_of = partial(self._is_of, item.line, list(here.calls))
            steps = [step for step in code.steps_of(is_of) if _makes(kind, step)]
            if steps:
                yield label, kind, steps

    def _kind(self, item: Instruction) -> _Kind:
        if item.opcode in (Op.LOAD, Op.STORE) or item.opcode in ATOMICS:
            return _Kind.MEMORY
        made = self._frame.model.code.type_of.get(item.result)
        if made is not None and made.kind is Kind.VECTOR:
            made = made.members[0]
        is_float = made is not None and made.kind is Kind.FLOAT
        return _Kind.FLOATS if is_float else _Kind.INTEGERS

    def _is_one_step(self, item: Instruction) -> bool:
        """Whether compilers make one instruction of ``item`` at most."""
        return item.opcode in _ONE_STEP or is_one_instruction(self._frame.model.code, item)

    def _is_of(self, line: Line, calls: Sequence[InlinedCall], address: int) -> bool:
        return self._frame.info.code.is_of(address, line.line, line.column, calls)

    def _is_with(self, here: LoopHere, label: int, flow: Flow, addresses: Sequence[int]) -> bool:
        """Whether the code asked for is of the same iteration as what is executed at ``addresses``
        in the same pass, of block ``label``."""
        if label == here.block:
            return True
        loop = flow.loops[here.header]
        leads_here = flow.leads_within(loop, label, here.block)
        leads_there = flow.leads_within(loop, here.block, label)
        if leads_here == leads_there:
            return False
        if leads_here:
            return max(addresses) < self._address
        return min(addresses) > self._address


def _makes(kind: _Kind, step: Step) -> bool:
    """Whether ``step`` may be what an instruction of ``kind`` does, and not on the way to it."""
    decoded = step.decoded
    if kind is _Kind.MEMORY or decoded.send is not None:
        return kind is _Kind.MEMORY and decoded.send is not None
    target = decoded.destination
    return target is not None and target.type.is_floating == (kind is _Kind.FLOATS)


def _innermost(loops: Sequence[tuple[int, int]], address: int) -> tuple[int, int] | None:
    """The one of ``loops`` around ``address`` that is in all others."""
    return max((each for each in loops if each[0] <= address <= each[1]), default=None)
