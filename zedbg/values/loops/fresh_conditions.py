"""Comparisons of a loop of the source that each iteration makes anew, of what it loads from another
address than all others: of several iterations, machine code has as many of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import COMPARISONS, Op, Storage
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import FLOAT_COMPARISONS
from zedbg.values.source.single_places import Made, SinglePlace, steps_by_place
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.isa.opcodes import Opcode

#: What compares two numbers.
COMPARING = COMPARISONS | FLOAT_COMPARISONS.keys()
# Each of these gives another result for another one of its operands, where the others stay.
_MOVING = frozenset(
    {
        *(Op.I_ADD, Op.I_SUB, Op.I_MUL, Op.S_CONVERT, Op.U_CONVERT, Op.BITCAST),
        *(Op.SHIFT_LEFT_LOGICAL, Op.ACCESS_CHAIN, Op.IN_BOUNDS_ACCESS_CHAIN),
        *(Op.PTR_ACCESS_CHAIN, Op.IN_BOUNDS_PTR_ACCESS_CHAIN),
    }
)


def fresh_conditions(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    header: int,
) -> Sequence[SinglePlace]:
    """Those of the loop of ``header`` of ``function``, which is the inlined ``calls``, outside of
    the loops in it, with the instructions that compare."""
    notes = frame.model.notes
    key = "fresh conditions", code.low, function.result, tuple(calls), header
    if key not in notes:
        notes[key] = tuple(_found(frame, code, function, tuple(calls), header))
    return cast("Sequence[SinglePlace]", notes[key])


def _found(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: tuple[InlinedCall, ...],
    header: int,
) -> Iterator[SinglePlace]:
    model, by_place = frame.model, steps_by_place(frame, code)
    flow = model.flow(function)
    comparing = [each for each in instructions(flow) if each[1].opcode in COMPARING]
    alone = Counter((item.line, item.inlined) for _, item in comparing)
    for label, item in comparing:
        is_own = flow.loops_around(label)[-1:] == (header,) and not item.inlined
        if item.line is None or not is_own or alone[item.line, item.inlined] != 1:
            continue
        there = by_place.get((item.line.line, item.line.column, calls), ())
        steps = [step for step in there if step.decoded.opcode is Opcode.CMP]
        if steps and _is_fresh(model, function, flow.loops[header], label, item):
            yield SinglePlace(label, item, Made.CONDITIONS, steps, 1)


def copies_in(place: SinglePlace, loops: Iterable[tuple[int, int] | None]) -> int:
    """How many of the steps of ``place``, which are in ``loops``, do the same in one of these."""
    return max(Counter(zip(loops, map(operation, place.steps), strict=True)).values())


def _is_fresh(
    model: Model, function: Function, loop: Loop, label: int, condition: Instruction
) -> bool:
    """Whether ``condition``, of the block ``label``, compares what is made of data that comes from
    another address in each iteration: a compiler knows none of it."""
    made = model.made(function)
    waiting, seen = list(condition.operands), set[int]()
    while waiting:
        result = waiting.pop()
        block, item = made.get(result, (0, None))
        if item is None or result in seen or block not in loop.blocks:
            continue
        seen.add(result)
        if item.opcode == Op.LOAD:
            pointer = item.operands[0]
            if moves(model, function, loop, pointer) and _is_shared(model, function, pointer):
                return True
            waiting += _stored(model, function, loop, item.operands[0], label)
        elif item.opcode not in (Op.PHI, Op.FUNCTION_CALL):
            waiting += item.operands
    return False


def _is_shared(model: Model, function: Function, pointer: int) -> bool:
    """Whether ``pointer`` points to memory of which no compiler knows what it has."""
    storage = model.code.type_of[pointer].storage
    roots = model.provenance.roots(function, pointer)
    is_given = roots is None or roots.isdisjoint(model.code.storage)
    return storage == Storage.WORKGROUP or (storage == Storage.CROSS_WORKGROUP and is_given)


def moves(model: Model, function: Function, loop: Loop, result: int) -> bool:
    """Whether ``result`` is another number in each iteration of ``loop``: an induction with what
    stays the same."""
    if result in model.inductions(function, loop):
        return True
    block, item = model.made(function).get(result, (0, None))
    if item is None or block not in loop.blocks or item.opcode not in _MOVING:
        return False
    changing = [each for each in item.operands if _is_made_in(model, function, loop, each)]
    return len(changing) == 1 and moves(model, function, loop, changing[0])


def _is_made_in(model: Model, function: Function, loop: Loop, result: int) -> bool:
    block, item = model.made(function).get(result, (0, None))
    return item is not None and block in loop.blocks


def _stored(
    model: Model, function: Function, loop: Loop, pointer: int, label: int
) -> Iterator[int]:
    """What is stored in ``loop`` to the variable of the work-item that ``pointer`` points into, if
    one instruction does, in front of block ``label`` or in it."""
    roots, flow = model.provenance.roots(function, pointer), model.flow(function)
    if not roots or len(roots) > 1 or not _are_private(model, function, roots):
        return
    stores = [
        (block, item)
        for block, item in instructions(flow)
        if item.opcode == Op.STORE and block in loop.blocks
        if not roots.isdisjoint(model.provenance.roots(function, item.operands[0]) or roots)
    ]
    if len(stores) == 1 and flow.dominates(stores[0][0], label):
        yield stores[0][1].operands[1]


def _are_private(model: Model, function: Function, roots: Iterable[int]) -> bool:
    made, kinds = model.made(function), model.code.type_of
    return all(
        each in made
        and made[each][1].opcode == Op.VARIABLE
        and kinds[each].storage == Storage.FUNCTION
        for each in roots
    )


def stores_in_each_iteration(
    frame: SourceFrame,
    code: FunctionCode,
    function: Function,
    calls: Sequence[InlinedCall],
    loop: Loop,
) -> list[Step]:
    """The instructions of the machine code that store what each whole iteration of ``loop``,
    outside of the loops in it, stores at another address: such stores, compilers cannot leave out,
    nor make after the loop."""
    model, by_place = frame.model, steps_by_place(frame, code)
    flow, constants = model.flow(function), model.code.constants
    found = []
    for label, item in instructions(flow):
        if item.opcode != Op.STORE or item.line is None or item.inlined:
            continue
        pointer, value = item.operands[:2]
        is_own = flow.loops_around(label)[-1:] == (loop.header,)
        is_shared = model.code.type_of[pointer].storage in (
            Storage.WORKGROUP,
            Storage.CROSS_WORKGROUP,
        )
        if not is_own or not is_shared or not moves(model, function, loop, pointer):
            continue
        # Stores of constants, and copies, may become one instruction, or a loop of their own.
        _, made = model.made(function).get(value, (0, None))
        if value in constants or made is None or made.opcode == Op.LOAD:
            continue
        if all(flow.dominates(label, each) for each in loop.latches):
            there = by_place.get((item.line.line, item.line.column, tuple(calls)), ())
            found += [step for step in there if may_write_memory(step)]
    return found


def may_write_memory(step: Step) -> bool:
    """Whether ``step`` may write to memory, and gets nothing from there."""
    send = step.decoded.send
    return step.decoded.is_call or (send is not None and not send.response_length)
