"""Ways that meet in a block and part again by a number that says which one it was: so do compilers
write what is left in the middle, a loop or a scope."""

from __future__ import annotations

from collections.abc import Mapping

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op


def ways_on(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    meeting: int,
    after: int,
) -> set[int]:
    """The blocks from which lanes come that go on from block ``meeting`` to ``after``: all in front
    of it, but for those that a constant leads elsewhere."""
    came = set(flow.before[meeting])
    jump = flow.function.blocks[meeting].terminator
    if jump is None or jump.opcode != Op.SWITCH:
        return came
    label, which = made.get(jump.operands[0], (0, None))
    if which is None or which.opcode != Op.PHI or label != meeting:
        return came
    cases = dict(zip(jump.operands[2::2], jump.operands[3::2], strict=True))
    for number, way in zip(which.operands[0::2], which.operands[1::2], strict=True):
        constant = code.constants.get(number)
        if isinstance(constant, int) and cases.get(constant, jump.operands[1]) != after:
            came.discard(way)
    return came
