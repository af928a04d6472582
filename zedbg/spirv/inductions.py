"""Values that each iteration of a loop adds the same number to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zedbg.spirv.arithmetic import signed
from zedbg.spirv.code import Function, Instruction, Line, SpirvCode
from zedbg.spirv.flow import Loop
from zedbg.spirv.operations import Op


@dataclass(frozen=True)
class Induction:
    """``result`` is ``start`` (another result) in the first iteration, and ``step`` more in each
    next one, modulo 2 to the power of ``bits``. An instruction of ``line`` adds it."""

    result: int
    start: int
    bits: int
    step: int
    line: Line | None


def inductions(
    code: SpirvCode,
    function: Function,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[Induction]:
    """Those of ``loop``, of which the header says what they are. ``made``: the block and the
    instruction of each result of ``function``."""
    for item in function.blocks[loop.header].items:
        if not isinstance(item, Instruction) or item.opcode != Op.PHI:
            continue
        ways = list(zip(item.operands[0::2], item.operands[1::2], strict=True))
        first = {value for value, block in ways if block not in loop.blocks}
        again = {value for value, block in ways if block in loop.blocks}
        if len(first) != 1 or len(again) != 1:
            continue
        _, following = made.get(again.pop(), (0, None))
        if following is None or len(following.operands) != 2:
            continue
        a, b = following.operands
        bits = code.type_of[item.result].bits
        step: object = None
        if following.opcode == Op.I_ADD and item.result in (a, b):
            step = code.constants.get(b if a == item.result else a)
        elif following.opcode == Op.I_SUB and a == item.result:
            constant = code.constants.get(b)
            step = -constant if isinstance(constant, int) else None
        if isinstance(step, int) and step and bits:
            amount = signed(step & (1 << bits) - 1, bits)
            yield Induction(item.result, first.pop(), bits, amount, following.line)
