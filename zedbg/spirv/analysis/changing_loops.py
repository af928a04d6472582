"""In which loops a result may be another one in each iteration, as its instructions say."""

from __future__ import annotations

from collections.abc import Mapping

from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import ATOMICS, Op

_MAY_READ = ATOMICS | {Op.LOAD, Op.FUNCTION_CALL}


def changing_loops(
    flow: Flow, made: Mapping[int, tuple[int, Instruction]], result: int
) -> frozenset[int]:
    """The headers of the loops around ``result`` in whose iterations it may change: what they carry
    is used to make it, or what depends on more than numbers. ``made``: the block and the
    instruction of each result."""
    found = set[int]()
    seen, waiting = {result}, [result]
    while waiting:
        label, item = made.get(waiting.pop(), (0, None))
        if item is None:
            continue
        around = flow.loops_around(label)
        operands = item.operands
        if item.opcode == Op.PHI:
            operands = operands[0::2]
            is_carried = label in flow.loops
            found.update(around[-1:] if is_carried else around)
        elif item.opcode in _MAY_READ:
            found.update(around)
        new = set(operands) - seen
        seen |= new
        waiting += new
    return frozenset(found)
