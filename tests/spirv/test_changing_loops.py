"""In which loops a result changes, in the SPIR-V of a filter with one loop in another."""

import pytest

from tests.support.packed_modules import MODULES
from zedbg.spirv.analysis.changing_loops import changing_loops
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.zebin import Module


@pytest.fixture(scope="module")
def changing():
    """By line and operation, the depths of the loops that what is made there changes in."""
    path = MODULES / "everyday" / "igc1-dg2-O2" / "gradient.zebin"
    module = Module.from_bytes(path.read_bytes(), path.name)
    model = Model(SpirvCode(module.section_bytes(module.section(".spv")), path.name))
    found = {}
    for function in model.code.functions.values():
        flow, made = model.flow(function), model.made(function)
        for label, item in instructions(flow):
            around = flow.loops_around(label)
            if len(around) == 2 and item.line is not None:
                headers = changing_loops(flow, made, item.result)
                found[item.line.line, item.opcode] = {around.index(each) for each in headers}
    return found


def test_what_a_loop_counts_changes_in_that_loop_only(changing):
    assert changing[10, Op.I_ADD] == {1}  # x + dx
    assert changing[11, Op.I_ADD] == {0}  # y + dy
    assert changing[12, Op.I_MUL] == {0}  # ny * width
    assert changing[12, Op.I_ADD] == {0, 1}  # ny * width + nx


def test_what_is_loaded_may_change_in_all_loops(changing):
    assert changing[12, Op.LOAD] == {0, 1}


def test_a_sum_changes_in_the_loops_that_carry_it(changing):
    assert changing[13, Op.EXT_INST] == {0, 1}
