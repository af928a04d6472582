"""What a loop carries that needs nothing but constants: a compiler knows all that it will be."""

from __future__ import annotations

from collections.abc import Mapping

from zedbg.spirv.code import Instruction, SpirvCode
from zedbg.spirv.flow import Flow, Loop
from zedbg.spirv.inductions import loop_phis
from zedbg.spirv.operations import Op

#: The block and the instruction of each result of a function.
Made = Mapping[int, tuple[int, Instruction]]


def is_closed(code: SpirvCode, made: Made, loop: Loop, phi: Instruction) -> bool:
    """Whether each value of ``phi``, an OpPhi of the first block of ``loop``, is made of the one
    before it and of constants only."""
    waiting, seen = list(phi.operands[0::2]), {phi.result}
    while waiting:
        result = waiting.pop()
        if result in seen or result in code.constants:
            continue
        seen.add(result)
        label, item = made.get(result, (0, None))
        if item is None or label not in loop.blocks or item.opcode == Op.LOAD:
            return False
        if item.opcode == Op.PHI:
            if label == loop.header:
                return False
            waiting += item.operands[0::2]
        else:
            waiting += item.operands
    return True


def ends_by_constants(code: SpirvCode, flow: Flow, made: Made, loop: Loop) -> bool:
    """Whether the first block of ``loop`` ends it, after a number of iterations that only constants
    say."""
    end = flow.function.blocks[loop.header].terminator
    if end is None or loop.blocks.issuperset(flow.after[loop.header]):
        return False
    phis = {each.result: each for each in loop_phis(flow.function, loop)}
    waiting, seen = list(end.operands[:1]), set[int]()
    while waiting:
        result = waiting.pop()
        if result in seen or result in code.constants:
            continue
        seen.add(result)
        label, item = made.get(result, (0, None))
        if result in phis:
            if not is_closed(code, made, loop, phis[result]):
                return False
        elif item is None or label != loop.header or item.opcode in (Op.LOAD, Op.PHI):
            return False
        else:
            waiting += item.operands
    return True
