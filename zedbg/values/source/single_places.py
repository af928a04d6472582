"""Places of the source that one instruction of the SPIR-V makes, of which compilers make one of the
machine code at most, or one for each component: with these instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import ATOMICS, Op, Storage
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.device_maths import REARRANGING, is_one_instruction
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.isa.opcodes import Opcode


class Made(Enum):
    """What is made at a place of the source, by instructions of the machine code of that kind."""

    MEMORY = "an access to memory"
    FLOATS = "floating-point numbers"
    CALLS = "a call"
    CONDITIONS = "a comparison of what each iteration loads anew"
    INTEGERS = "anything else"


# Of these compilers make one instruction, also for a vector.
_WHOLE = frozenset({Made.MEMORY, Made.CALLS})
#: By line, column and inlined calls.
StepsByPlace = dict[tuple[int, int, tuple[InlinedCall, ...]], list[Step]]
#: Instructions that may do no more than put numbers together.
MOVES = frozenset({Opcode.MOV, Opcode.SEL})
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
    header: int | None,
) -> Sequence[SinglePlace]:
    """Those of the loop of ``header`` of ``function``, in the inlined ``calls``; None: those that
    are in no loop, without calls."""
    notes = frame.model.notes
    key = "single places", code.low, function.result, tuple(calls), header
    if key not in notes:
        notes[key] = tuple(_found(frame, code, function, tuple(calls), header))
    return cast("Sequence[SinglePlace]", notes[key])


def most_alike(steps: Sequence[Step]) -> int:
    """How many of ``steps`` do the same in the same lanes, at most."""
    return max(Counter(map(operation, steps)).values(), default=0)


def _found(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: tuple[InlinedCall, ...],
    header: int | None,
) -> Iterator[SinglePlace]:
    flow, by_place = frame.model.flow(function), steps_by_place(frame, code)
    alone = Counter[tuple[object, int, Made]]()
    rearranged, of_arrays = set[object](), set[object]()
    for _, item in instructions(flow):
        if item.opcode in REARRANGING:
            rearranged.add(item.line)
            continue
        alone[item.line, item.inlined, _made(frame, item)] += 1
        alone[item.line, item.inlined, Made.CALLS] += item.opcode == Op.FUNCTION_CALL
        if _is_in_private_memory(frame, item):
            of_arrays.add(item.line)
    rearranged |= of_arrays  # which may be in registers
    results, blocks = frame.model.made(function), _blocks_of(flow, header)

    def is_made_in(result: int) -> bool:
        return results.get(result, (0, None))[0] in blocks

    for label, item in instructions(flow):
        made = Made.CALLS if item.opcode == Op.FUNCTION_CALL else _made(frame, item)
        is_inside = label in blocks and not item.inlined
        if item.line is None or not is_inside or alone[item.line, 0, made] != 1:
            continue
        if made not in _WHOLE and not _is_one_step(frame, item):
            continue
        if made is Made.INTEGERS and item.line in of_arrays:
            continue  # which register an index means takes numbers
        is_moved = header is None or not any(is_made_in(each) for each in item.operands[1:])
        if made is Made.CALLS and is_moved:
            continue  # compilers may make it once for all iterations
        there = by_place.get((item.line.line, item.line.column, calls), ())
        steps = [step for step in there if _makes(made, step)]
        if item.line in rearranged and made not in _WHOLE:
            steps = [step for step in steps if step.decoded.opcode not in MOVES]
        if steps:
            yield SinglePlace(label, item, made, steps, _components(frame, item, made))


def _blocks_of(flow: Flow, header: int | None) -> Collection[int]:
    if header is not None:
        return flow.loops[header].blocks
    return [label for label in flow.function.blocks if not flow.loops_around(label)]


def makes_something(step: Step) -> bool:
    """Whether it computes anything, or accesses memory: not what only goes on, or copies."""
    decoded = step.decoded
    return decoded.send is not None or (step.writes is not None and decoded.opcode not in MOVES)


def steps_by_place(frame: SourceFrame, code: FunctionCode) -> StepsByPlace:
    """All instructions of ``code``."""
    notes, key = frame.model.notes, ("steps by place", code.low)
    if key not in notes:
        found: StepsByPlace = {}
        for step in code.steps_of(lambda at: True):
            row = frame.info.lines.row_at(code.low + step.offset)
            if row is not None:
                calls = tuple(frame.info.inlined_calls_at(code.low + step.offset))
                found.setdefault((row.line, row.column, calls), []).append(step)
        notes[key] = found
    return cast("StepsByPlace", notes[key])


def _made(frame: SourceFrame, item: Instruction) -> Made:
    if item.opcode in (Op.LOAD, Op.STORE) or item.opcode in ATOMICS:
        return Made.MEMORY
    made = frame.model.code.type_of.get(item.result)
    if made is not None and made.kind is Kind.VECTOR:
        made = made.members[0]
    is_float = made is not None and made.kind is Kind.FLOAT
    return Made.FLOATS if is_float else Made.INTEGERS


def _is_in_private_memory(frame: SourceFrame, item: Instruction) -> bool:
    """Whether it loads from memory of the work-item alone, or stores there."""
    if item.opcode not in (Op.LOAD, Op.STORE):
        return False
    return frame.model.code.type_of[item.operands[0]].storage == Storage.FUNCTION


def _components(frame: SourceFrame, item: Instruction, made: Made) -> int:
    kind = frame.model.code.type_of.get(item.result)
    is_vector = kind is not None and kind.kind is Kind.VECTOR and made not in _WHOLE
    return kind.count if kind is not None and is_vector else 1


def _is_one_step(frame: SourceFrame, item: Instruction) -> bool:
    """Whether compilers make one instruction of ``item`` at most."""
    return item.opcode in _ONE_STEP or is_one_instruction(frame.model.code, item)


def _makes(made: Made, step: Step) -> bool:
    """Whether ``step`` may be what an instruction does that makes that, and not on the way to
    it."""
    decoded = step.decoded
    if made is Made.CALLS or decoded.is_call:
        return made is Made.CALLS and decoded.is_call
    if made is Made.MEMORY or decoded.send is not None:
        return made is Made.MEMORY and decoded.send is not None
    target = decoded.destination
    return target is not None and target.type.is_floating == (made is Made.FLOATS)
