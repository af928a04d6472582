"""Instructions that make the same, of which compilers keep one."""

from types import SimpleNamespace

import pytest

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Block, Function, Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type

ENTRY, HEADER, BODY, AFTER = 1, 2, 3, 4
ONE, TWO, BOUND, CONDITION, HALF, TWICE, NEXT = 10, 11, 12, 13, 14, 15, 16
NUMBER, TRUTH = Type(Kind.INTEGER, 32), Type(Kind.BOOLEAN)


def shifted_lines(opcode, *operands):
    """The lines on which the number may be made that a loop, on line 25, doubles for the next
    iteration, and of which line 26 makes something else."""

    def instruction(opcode, result, line, *operands):
        return Instruction(opcode, 0, result, operands, Line("", line, 1), 0, 0)

    blocks = {
        ENTRY: [instruction(Op.BRANCH, 0, 25, HEADER)],
        HEADER: [
            instruction(Op.PHI, HALF, 25, ONE, ENTRY, NEXT, BODY),
            instruction(Op.S_LESS_THAN, CONDITION, 25, HALF, BOUND),
            instruction(Op.BRANCH_CONDITIONAL, 0, 25, CONDITION, BODY, AFTER),
        ],
        BODY: [
            instruction(opcode, TWICE, 26, *operands),
            instruction(Op.I_MUL, NEXT, 25, HALF, TWO),
            instruction(Op.BRANCH, 0, 25, HEADER),
        ],
        AFTER: [instruction(Op.RETURN, 0, 30)],
    }
    function = Function(1, [], {label: Block(label, list(each)) for label, each in blocks.items()})
    types = dict.fromkeys([ONE, TWO, BOUND, HALF, TWICE, NEXT], NUMBER) | {CONDITION: TRUTH}
    code = SimpleNamespace(
        type_of=types,
        constants={ONE: 1, TWO: 2},
        built_ins={},
        fast=set(),
        has_local_pointers=False,
    )
    model = Model(code)
    (loop,) = model.flow(function).loops.values()
    return [each.line.line for each in model.shiftings(function, loop)]


@pytest.mark.parametrize("operands", [(HALF, TWO), (TWO, HALF)])
def test_a_product_is_the_same_in_either_order(operands):
    assert shifted_lines(Op.I_MUL, *operands) == [25, 26]


def test_what_is_made_of_others_or_otherwise_is_not_the_same():
    assert shifted_lines(Op.I_MUL, HALF, BOUND) == [25]
    assert shifted_lines(Op.I_ADD, HALF, TWO) == [25]
    assert shifted_lines(Op.I_SUB, TWO, HALF) == [25]
