"""Places of the source that one instruction of the SPIR-V makes, of which compilers make one of the
machine code at most, or one for each component: with these instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step
from zedbg.spirv.device_maths import is_one_instruction
from zedbg.spirv.instructions import Function, Instruction, Line
from zedbg.spirv.operations import ATOMICS, Op
from zedbg.spirv.types import Kind
from zedbg.spirv.variables import instructions
from zedbg.values.source_frame import SourceFrame


class Made(Enum):
    """What is made at a place of the source, by instructions of the machine code of that kind."""

    MEMORY = "an access to memory"
    FLOATS = "floating-point numbers"
    INTEGERS = "anything else"


_ONE_STEP = frozenset({Op.F_ADD, Op.F_SUB, Op.F_MUL, Op.I_ADD, Op.I_SUB, Op.BITWISE_XOR})


@dataclass(frozen=True)
class SinglePlace:
    """``item``, of the block ``label``, and the ``steps`` of the machine code that make what it
    does, ``made``, for each of some ``components``."""

    label: int
    item: Instruction
    made: Made
    steps: Sequence[Step]
    components: int


def single_places(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    header: int,
) -> Iterator[SinglePlace]:
    """Those of the loop of ``header`` of ``function``, in the inlined ``calls``."""
    flow = frame.model.flow(function)
    alone = Counter((item.line, item.inlined, _made(frame, item)) for _, item in instructions(flow))
    for label, item in instructions(flow):
        made = _made(frame, item)
        is_inside = label in flow.loops[header].blocks and not item.inlined
        if item.line is None or not is_inside or alone[item.line, 0, made] != 1:
            continue
        if made is not Made.MEMORY and not _is_one_step(frame, item):
            continue
        is_of = partial(_is_of, frame, item.line, list(calls))
        steps = [step for step in code.steps_of(is_of) if _makes(made, step)]
        if steps:
            yield SinglePlace(label, item, made, steps, _components(frame, item, made))


def _made(frame: SourceFrame, item: Instruction) -> Made:
    if item.opcode in (Op.LOAD, Op.STORE) or item.opcode in ATOMICS:
        return Made.MEMORY
    made = frame.model.code.type_of.get(item.result)
    if made is not None and made.kind is Kind.VECTOR:
        made = made.members[0]
    is_float = made is not None and made.kind is Kind.FLOAT
    return Made.FLOATS if is_float else Made.INTEGERS


def _components(frame: SourceFrame, item: Instruction, made: Made) -> int:
    kind = frame.model.code.type_of.get(item.result)
    is_vector = kind is not None and kind.kind is Kind.VECTOR and made is not Made.MEMORY
    return kind.count if kind is not None and is_vector else 1


def _is_one_step(frame: SourceFrame, item: Instruction) -> bool:
    """Whether compilers make one instruction of ``item`` at most."""
    return item.opcode in _ONE_STEP or is_one_instruction(frame.model.code, item)


def _is_of(frame: SourceFrame, line: Line, calls: Sequence[InlinedCall], address: int) -> bool:
    return frame.info.code.is_of(address, line.line, line.column, calls)


def _makes(made: Made, step: Step) -> bool:
    """Whether ``step`` may be what an instruction does that makes that, and not on the way to
    it."""
    decoded = step.decoded
    if made is Made.MEMORY or decoded.send is not None:
        return made is Made.MEMORY and decoded.send is not None
    target = decoded.destination
    return target is not None and target.type.is_floating == (made is Made.FLOATS)
