"""Loads through pointers that the program keeps in structures: of memory that it does not write to
they are known."""

import pytest

from tests.support.spirv.one_work_group import OneWorkGroup
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation

BYTES, OUT, PAGE = 1 << 40, 1 << 41, 1 << 12

KERNEL = """typedef struct { global const uchar *bytes; int taken; } reader;
uint next(reader *r) {
  r->taken++;
  return *r->bytes++;
}
kernel void k(global const uchar *bytes, global uint *out) {
  reader r;
  r.bytes = bytes;
  r.taken = 0;
  uint first = next(&r);
  out[0] = first * 256 + next(&r);
}"""


class Item(OneWorkGroup):
    """``is_shared``: the buffer that is written to may be the one that is read."""

    def __init__(self, is_shared):
        super().__init__(1, 0)
        self.is_shared = is_shared
        self.asked = []

    def argument(self, index, size):
        return (BYTES, OUT)[index].to_bytes(8, "little")[:size]

    def load(self, address, size):
        assert BYTES <= address < BYTES + PAGE
        return bytes(17 * (address - BYTES + each) + 3 & 255 for each in range(size))

    def may_share_memory(self, address, other):
        self.asked.append((address, other))
        return self.is_shared


def stored(folder, item):
    """What the kernel stores."""
    model = Model(SpirvCode(compiled(folder, KERNEL, "-spv_only"), "kernel"))
    ((store, label, kernel),) = [
        (each, label, function)
        for function in model.code.functions.values()
        for label, each in instructions(model.flow(function))
        if each.opcode == Op.STORE
        and model.code.type_of[each.operands[0]].storage == Storage.CROSS_WORKGROUP
    ]
    evaluation = Evaluation(model, kernel, item)
    return evaluation.value(evaluation.outermost, store.operands[1], label, ())


def test_a_buffer_that_is_only_read_gives_what_it_has(tmp_path):
    item = Item(False)
    assert stored(tmp_path, item) == 3 * 256 + 20
    assert set(item.asked) == {(BYTES | 1, OUT)}  # not taken for the begin of a buffer


def test_a_buffer_that_may_be_written_to_gives_nothing(tmp_path):
    with pytest.raises(UnknownValue, match="memory that the kernel writes to"):
        stored(tmp_path, Item(True))
