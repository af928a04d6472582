"""What a loop carries that needs nothing but constants: a compiler knows all that it will be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import COMPARISONS, Op

#: The block and the instruction of each result of a function.
Made = Mapping[int, tuple[int, Instruction]]


def is_closed(code: SpirvCode, flow: Flow, made: Made, loop: Loop, phi: Instruction) -> bool:
    """Whether each value of ``phi``, an OpPhi of the first block of ``loop``, is made of the one
    before it and of constants only, whichever way leads there."""
    return _carried(code, flow, made, loop, phi.operands[0::2], {phi.result}) == []


def ends_by_constants(code: SpirvCode, flow: Flow, made: Made, loop: Loop) -> bool:
    """Whether the first block of ``loop`` ends it, after a number of iterations that only constants
    say."""
    end = flow.function.blocks[loop.header].terminator
    if end is None or loop.blocks.issuperset(flow.after[loop.header]):
        return False
    found = _carried(code, flow, made, loop, end.operands[:1], set())
    if found is None:
        return _ends_at_a_distance(code, flow, made, loop, end.operands[0])
    return all(is_closed(code, flow, made, loop, each) for each in found)


def _ends_at_a_distance(
    code: SpirvCode, flow: Flow, made: Made, loop: Loop, condition: int
) -> bool:
    """Whether ``condition`` compares what constants make of a number with that number, to which
    others were added: as in ``for (i = x - 1; i <= x + 1; i++)``."""
    _, item = made.get(condition, (0, None))
    if item is None or item.opcode not in COMPARISONS:
        return False
    for result, bound in (item.operands, item.operands[::-1]):
        label, phi = made.get(result, (0, None))
        if phi is None or phi.opcode != Op.PHI or label != loop.header:
            continue
        ways = [*zip(phi.operands[0::2], phi.operands[1::2], strict=True)]
        inside = [value for value, label in ways if label in loop.blocks]
        ends = [bound, *(value for value, label in ways if label not in loop.blocks)]
        origins = {_without_constants(code, made, each) for each in ends}
        if len(origins) == 1 and made.get(origins.pop(), (0, None))[0] not in loop.blocks:
            return _carried(code, flow, made, loop, inside, {phi.result}) == []
    return False


def _without_constants(code: SpirvCode, made: Made, result: int) -> int:
    """What constants were added to, or taken from, to make ``result``."""
    _, item = made.get(result, (0, None))
    if item is None or item.opcode not in (Op.I_ADD, Op.I_SUB):
        return result
    first, second = item.operands
    if second in code.constants:
        return _without_constants(code, made, first)
    is_sum = item.opcode == Op.I_ADD and first in code.constants
    return _without_constants(code, made, second) if is_sum else result


def deciding(flow: Flow, loop: Loop, label: int) -> Iterator[int]:
    """What the jumps ask that decide by which of several ways an iteration of ``loop`` comes to its
    block ``label``."""
    last = flow.dominator[label]
    for block in loop.blocks:
        end = flow.function.blocks[block].terminator
        if end is None or len(flow.after[block]) < 2 or not flow.dominates(last, block):
            continue
        if block == last or (block != label and flow.leads_within(loop, block, label)):
            yield end.operands[0]


def _carried(
    code: SpirvCode,
    flow: Flow,
    made: Made,
    loop: Loop,
    results: Iterable[int],
    seen: set[int],
) -> list[Instruction] | None:
    """What ``results`` are made of, besides constants and those that were ``seen``: instructions
    OpPhi of the first block of ``loop``; None where they are made of anything else."""
    waiting, found = list(results), []
    while waiting:
        result = waiting.pop()
        if result in seen or result in code.constants:
            continue
        seen.add(result)
        label, item = made.get(result, (0, None))
        if item is None or label not in loop.blocks or item.opcode == Op.LOAD:
            return None
        if item.opcode != Op.PHI:
            waiting += item.operands
        elif label == loop.header:
            found.append(item)
        else:
            waiting += [*item.operands[0::2], *deciding(flow, loop, label)]
    return found
