"""What a work-item loads from memory that it has stored to itself."""

import pytest

from tests.support.packed_modules import MODULES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import BuiltIn, Op
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.zebin import Module

FIRST = 0x15151515  # what each number of it is in the beginning
COUNT = 4


class Item:
    """Work-item 3 of 8."""

    def argument(self, index, size):
        number = (index + 1) << 20 if size == 8 else COUNT
        return number.to_bytes(size, "little")

    def built_in(self, which):
        is_size = which in (BuiltIn.WORKGROUP_SIZE, BuiltIn.GLOBAL_SIZE)
        return (8, 1, 1) if is_size else (3, 0, 0)

    def load(self, address, size):
        raise UnknownValue("nothing else is loaded")

    def may_share_memory(self, address, other):
        return False


class Before:
    """Memory that the kernel changes; ``are_others``: whether other work-items store there, too."""

    def __init__(self, are_others):
        self._are_others = are_others

    def bytes_at(self, address, size, roots):
        return FIRST.to_bytes(4, "little")[:1] * size

    def require_own(self, address, size, roots, load):
        if self._are_others:
            raise UnknownValue("others may store there")


def loaded(before):
    """What is loaded on line 12 of a kernel, from where a work-item has stored on the line before:
    the first number, or why it is not known."""
    path = MODULES / "everyday" / "igc1-dg2-O2" / "in_place.zebin"
    module = Module.from_bytes(path.read_bytes(), path.name)
    code = SpirvCode(module.section_bytes(module.section(".spv")), path.name)
    model = Model(code)
    (kernel,) = (each for each in code.functions.values() if each.result in code.kernels.values())
    kernel = InlinedKernel(model, kernel, model.provenance.may_write).function
    evaluation = Evaluation(model, kernel, Item(), before=before)
    for label, block in kernel.blocks.items():
        for load in block.items:
            if isinstance(load, Instruction) and load.opcode == Op.LOAD and load.line.line == 12:
                return evaluation.value(evaluation.outermost, load.result, label, (0,))
    raise AssertionError


def test_what_it_stored():
    assert loaded(Before(are_others=False)) == 2 * FIRST


def test_others_may_have_stored_since():
    with pytest.raises(UnknownValue, match="others"):
        loaded(Before(are_others=True))
