"""What is made of a value in one iteration only, and not of what earlier iterations made of it."""

import pytest

from zedbg.spirv.analysis.iteration_flow import made_in_iteration
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Block, Function, Instruction
from zedbg.spirv.module.operations import Op

ENTRY, HEADER, BODY, YES, MERGED, AFTER = 1, 2, 3, 4, 5, 6
START, CONDITION, OTHER, POINTER = 10, 11, 12, 13
CARRIED, SOURCE, MADE, SUM, MIXED, MERGE, LOADED = 20, 21, 22, 23, 24, 25, 26


def instruction(opcode, result=0, *operands):
    return Instruction(opcode, 0, result, operands, None, 0, 0)


def made(*more, following=SUM):
    """A loop: ``carried`` is ``following`` of the iteration before."""
    blocks = {
        ENTRY: [instruction(Op.BRANCH, 0, HEADER)],
        HEADER: [
            instruction(Op.PHI, CARRIED, START, ENTRY, following, MERGED),
            instruction(Op.BRANCH_CONDITIONAL, 0, CONDITION, BODY, AFTER),
        ],
        BODY: [
            source := instruction(Op.I_ADD, SOURCE, OTHER, OTHER),
            instruction(Op.I_MUL, MADE, SOURCE, OTHER),
            instruction(Op.I_ADD, SUM, CARRIED, SOURCE),
            instruction(Op.I_ADD, MIXED, CARRIED, MADE),
            *more,
            instruction(Op.BRANCH_CONDITIONAL, 0, CONDITION, YES, MERGED),
        ],
        YES: [instruction(Op.BRANCH, 0, MERGED)],
        MERGED: [
            instruction(Op.PHI, MERGE, MADE, BODY, OTHER, YES),
            instruction(Op.BRANCH, 0, HEADER),
        ],
        AFTER: [instruction(Op.RETURN)],
    }
    function = Function(
        0, [], {label: Block(label, list(items)) for label, items in blocks.items()}
    )
    return made_in_iteration(Flow(function), [source], [source])


def test_what_loops_carry_is_also_that_of_earlier_iterations():
    assert made() == {MADE}


def test_a_carried_value_that_is_made_of_something_else_changes_nothing():
    assert made(following=OTHER) == {MADE, SUM, MIXED}


def test_a_value_of_two_ways_is_not_followed():
    assert MERGE not in made(following=OTHER)


@pytest.mark.parametrize("stored", [MADE, OTHER])
def test_what_is_loaded_may_have_been_stored_by_an_earlier_iteration(stored):
    load = instruction(Op.LOAD, LOADED, POINTER)
    use = instruction(Op.I_ADD, 27, LOADED, SOURCE)
    store = instruction(Op.STORE, 0, POINTER, stored)
    assert (27 in made(load, use, store, following=OTHER)) is (stored == OTHER)
