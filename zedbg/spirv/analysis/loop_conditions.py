"""Which blocks of a loop ask whether it goes on, in front of its body."""

from __future__ import annotations

from zedbg.spirv.analysis.private_memory import MAY_WRITE
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Instruction


def is_of_condition(flow: Flow, header: int, label: int) -> bool:
    """Whether block ``label`` is the first one of the loop of ``header``, or comes after that with
    nothing between but what a condition of several parts needs: no variable is given a value, and
    nothing is called or written."""
    waiting, region = [label], {label}
    while waiting:
        block = waiting.pop()
        for each in flow.before[block] if block != header else ():
            if each not in region:
                region.add(each)
                waiting.append(each)
    items = [(each, item) for each in region for item in flow.function.blocks[each].items]
    return label == header or not any(
        item.opcode in MAY_WRITE if isinstance(item, Instruction) else each != header
        for each, item in items
    )


def condition_of(flow: Flow, loop: Loop) -> frozenset[int]:
    """The blocks that ask, in front of the body, whether ``loop`` goes on; none where it is asked
    after the body only."""
    found = {each for each in loop.blocks if is_of_condition(flow, loop.header, each)}
    leaves = any(not loop.blocks.issuperset(flow.after[each]) for each in found)
    return frozenset(found) if leaves and not found.intersection(loop.latches) else frozenset()
