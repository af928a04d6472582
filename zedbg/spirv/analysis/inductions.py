"""Values that each iteration of a loop adds the same number to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zedbg.spirv.analysis.parting_ways import ways_on
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Function, Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import signed

_SHIFTS = (Op.SHIFT_LEFT_LOGICAL, Op.SHIFT_RIGHT_LOGICAL, Op.SHIFT_RIGHT_ARITHMETIC)
_CONVERSIONS = (Op.U_CONVERT, Op.S_CONVERT)
_AS_SHIFTS: dict[int, int] = {
    Op.I_MUL: Op.SHIFT_LEFT_LOGICAL,
    Op.U_DIV: Op.SHIFT_RIGHT_LOGICAL,
    Op.S_DIV: Op.S_DIV,
}


@dataclass(frozen=True)
class Induction:
    """``result`` is ``start`` (another result) in the first iteration, and ``step`` more in each
    next one, modulo 2 to the power of ``bits``. ``following`` is the sum."""

    result: int
    start: int
    bits: int
    step: int
    following: int


def inductions(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[Induction]:
    """Those of ``loop``, of which the header says what they are. ``made``: the block and the
    instruction of each result of the function."""
    for item, start, following in _carried(code, flow, made, loop):
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
            yield Induction(item.result, start, bits, amount, following.result)


@dataclass(frozen=True)
class Shifting:
    """``result`` is ``start`` (another result) in the first iteration, and is shifted by ``amount``
    bits for each next one: as ``opcode``, one of the three shifts, does it; or, while it is not
    less than zero, a signed quotient. An instruction of ``line`` makes the next one, ``following``.
    It has ``bits``."""

    result: int
    start: int
    bits: int
    opcode: int
    amount: int
    line: Line
    following: int


def shiftings(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[Shifting]:
    """The values that each iteration of ``loop`` shifts by the same: also by products and quotients
    of powers of two. ``made``: as above."""
    for item, start, following in _carried(code, flow, made, loop):
        a, b = following.operands
        constant, bits = code.constants.get(b), code.type_of[item.result].bits
        if a != item.result or not isinstance(constant, int) or following.line is None:
            continue
        opcode, amount = following.opcode, constant
        if opcode in _AS_SHIFTS:
            if constant <= 0 or constant & constant - 1:
                continue
            opcode, amount = _AS_SHIFTS[opcode], constant.bit_length() - 1
        if opcode in (*_SHIFTS, Op.S_DIV) and 0 < amount < bits:
            line = following.line
            yield Shifting(item.result, start, bits, opcode, amount, line, following.result)


@dataclass(frozen=True)
class Striding:
    """``result`` is ``start`` (another result) in the first iteration, and more by ``amount``, a
    result that is the same in all iterations, in each next one, modulo 2 to the power of ``bits``.
    An instruction of ``line`` makes the next one of ``following``."""

    result: int
    start: int
    bits: int
    amount: int
    line: Line
    following: int


def stridings(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[Striding]:
    """The values that each iteration of ``loop`` adds a result to which does not change in it: also
    where that has more bits, of which the others are cut off. ``made``: as above."""
    for item, start, value in _carried_values(code, flow, made, loop):
        bits = code.type_of[item.result].bits
        _, following = made.get(with_low_bits(code, made, value, bits), (0, None))
        if following is None or following.opcode != Op.I_ADD or following.line is None:
            continue
        operands = [with_low_bits(code, made, each, bits) for each in following.operands]
        others = [each for each in operands if each != item.result]
        if len(others) == 1 and others[0] not in code.constants:
            (amount,) = others
            if _is_same_in_all(code, made, loop, amount):
                line = following.line
                yield Striding(item.result, start, bits, amount, line, following.result)


def with_low_bits(
    code: SpirvCode, made: Mapping[int, tuple[int, Instruction]], value: int, bits: int
) -> int:
    """What ``value`` is an integer conversion of that keeps so many low bits; itself, if none."""
    while True:
        _, item = made.get(value, (0, None))
        if item is None or item.opcode not in _CONVERSIONS:
            return value
        source = item.operands[0]
        if min(code.type_of[value].bits, code.type_of[source].bits) < bits:
            return value
        value = source


def _is_same_in_all(
    code: SpirvCode, made: Mapping[int, tuple[int, Instruction]], loop: Loop, value: int
) -> bool:
    """Whether ``value`` is the same in all iterations of ``loop``: as sizes of the launch are."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        label, item = made.get(each, (0, None))
        if item is None or label not in loop.blocks:
            continue  # a constant, a parameter, or of code in front of the loop
        if item.opcode == Op.LOAD:
            if item.operands[0] not in code.built_ins:
                return False
        elif item.opcode == Op.COMPOSITE_EXTRACT:
            waiting.append(item.operands[0])
        elif item.opcode in (*_CONVERSIONS, Op.SELECT):
            waiting += item.operands
        else:
            return False
    return True


def loop_phis(function: Function, loop: Loop) -> list[Instruction]:
    """The OpPhis of the first block of ``loop``: what it carries from iteration to iteration."""
    items = function.blocks[loop.header].items
    return [each for each in items if isinstance(each, Instruction) and each.opcode == Op.PHI]


def _carried(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[tuple[Instruction, int, Instruction]]:
    """As :func:`_carried_values`, with the instruction of two operands that makes the next one."""
    for item, start, value in _carried_values(code, flow, made, loop):
        _, following = made.get(value, (0, None))
        if following is not None and len(following.operands) == 2:
            yield item, start, following


def _carried_values(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    loop: Loop,
) -> Iterator[tuple[Instruction, int, int]]:
    """The OpPhis of the first block of ``loop`` with one value each that they begin with, and one
    that is the next one."""
    for item in loop_phis(flow.function, loop):
        ways = list(zip(item.operands[0::2], item.operands[1::2], strict=True))
        first = {value for value, block in ways if block not in loop.blocks}
        again = {
            _at_end(code, flow, made, value, block) for value, block in ways if block in loop.blocks
        }
        if len(first) == len(again) == 1:
            yield item, first.pop(), again.pop()


def _at_end(
    code: SpirvCode,
    flow: Flow,
    made: Mapping[int, tuple[int, Instruction]],
    value: int,
    block: int,
) -> int:
    """``value`` at the end of ``block``; where it is an OpPhi of a block that lanes leave by a
    switch, what it is on the only way to ``block``. So does the compiler write a loop that is left
    in the middle: the ways meet first, and part by a number that says which one it was."""
    meeting, phi = made.get(value, (0, None))
    if phi is None or phi.opcode != Op.PHI:
        return value
    while block != meeting:
        if len(flow.before[block]) != 1:
            return value
        block, after = flow.before[block][0], block
        if block == meeting:
            break
    else:
        return value
    came = ways_on(code, flow, made, meeting, after)
    values = {
        each
        for each, way in zip(phi.operands[0::2], phi.operands[1::2], strict=True)
        if way in came
    }
    return values.pop() if len(values) == 1 else value


@dataclass(frozen=True)
class Stepping:
    """``result``, of ``block``, is ``step`` more in each next iteration of the loop, as it is made
    of ``induction``; an instruction of ``line`` makes it."""

    result: int
    block: int
    bits: int
    step: int
    line: Line
    induction: Induction


def steppings(
    code: SpirvCode, flow: Flow, loop: Loop, found: Mapping[int, Induction]
) -> Iterator[Stepping]:
    """What instructions of ``loop``, but not of loops in it, make of its inductions, ``found``, by
    additions and factors."""
    function = flow.function
    inside = {
        item.result
        for label in loop.blocks
        for item in function.blocks[label].items
        if isinstance(item, Instruction) and item.result
    }
    steps = {each.result: (each, each.step) for each in found.values()}
    for label in flow.order:
        if label not in loop.blocks or flow.loops_around(label)[-1] != loop.header:
            continue
        for item in function.blocks[label].items:
            if not isinstance(item, Instruction) or len(item.operands) != 2:
                continue
            made = _stepped(code, item, steps, inside)
            if made is None:
                continue
            induction, step = made
            bits = code.type_of[item.result].bits
            steps[item.result] = induction, step
            step = signed(step & (1 << bits) - 1, bits)
            if item.line is not None and step:
                yield Stepping(item.result, label, bits, step, item.line, induction)


def _stepped(
    code: SpirvCode,
    item: Instruction,
    steps: Mapping[int, tuple[Induction, int]],
    inside: set[int],
) -> tuple[Induction, int] | None:
    """The induction that a sum or product is made of, and what an iteration adds to it."""
    a, b = item.operands
    known = steps.get(a) or steps.get(b)
    if known is None or code.type_of[item.result].bits != known[0].bits:
        return None
    induction, step = known
    is_first = a in steps
    other = b if is_first else a
    factor = code.constants.get(other)
    if other in inside:
        return None
    match item.opcode:
        case Op.I_ADD:
            return induction, step
        case Op.I_SUB:
            return induction, step if is_first else -step
        case Op.I_MUL if isinstance(factor, int):
            return induction, step * factor
        case Op.SHIFT_LEFT_LOGICAL if isinstance(factor, int) and is_first:
            return (induction, step << factor) if factor < induction.bits else None
    return None
