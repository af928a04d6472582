"""What is made of a value in the same iteration of the loops around it, and only in that one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zedbg.spirv.analysis.private_memory import MAY_WRITE
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import ATOMIC_WRITES, ATOMICS, Op
from zedbg.spirv.module.variables import instructions

_MAY_READ = ATOMICS | {Op.LOAD, Op.FUNCTION_CALL, Op.EXT_INST}
_Users = Mapping[int, Sequence[Instruction]]


def made_in_iteration(
    flow: Flow, sources: Sequence[Instruction], whole: Sequence[Instruction]
) -> set[int]:
    """The results that are made of those of ``sources``, without merges of several ways, and not,
    on any other way, of what an earlier iteration made of those of ``whole``: neither by what loops
    carry, nor through memory."""
    users: dict[int, list[Instruction]] = {}
    for _, item in instructions(flow):
        for each in set(item.operands):
            users.setdefault(each, []).append(item)
    changed = _closure(users, _results(whole), True)
    changing = [*whole, *(item for each in changed for item in users.get(each, ()))]
    carried = {
        item.result
        for header, loop in flow.loops.items()
        for item in flow.function.blocks[header].items
        if isinstance(item, Instruction) and item.opcode == Op.PHI
        for value, block in zip(item.operands[0::2], item.operands[1::2], strict=True)
        if block in loop.blocks and value in changed
    }
    if any(each.opcode in MAY_WRITE or each.opcode in ATOMIC_WRITES for each in changing):
        carried |= {item.result for _, item in instructions(flow) if item.opcode in _MAY_READ}
    following = [item for each in _results(sources) for item in users.get(each, ())]
    direct = _closure(users, _results(each for each in following if each.opcode != Op.PHI), False)
    return direct - _closure(users, carried, True)


def _results(items: Iterable[Instruction]) -> set[int]:
    return {each.result for each in items if each.result}


def _closure(users: _Users, begin: set[int], merges: bool) -> set[int]:
    """``begin`` and all that is made of it; ``merges``: also where ways merge."""
    found, waiting = set(begin), list(begin)
    while waiting:
        for item in users.get(waiting.pop(), ()):
            is_new = item.result and item.result not in found
            if is_new and (merges or item.opcode != Op.PHI):
                found.add(item.result)
                waiting.append(item.result)
    return found
