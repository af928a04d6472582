"""Loads and stores through pointers that the program keeps in structures: what is loaded from
memory that it does not write to is known."""

import pytest

from tests.support.spirv.one_work_group import OneWorkGroup
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.inlined_kernel import InlinedKernel
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

#: Two members have pointers; the kernel writes through one of them.
WRITER = """typedef struct { global const uchar *bytes; global uint *out; } streams;
void put(streams *s) {
  uint first = *s->bytes++;
  *s->out++ = first * 256 + *s->bytes++;
}
kernel void k(global const uchar *bytes, global uint *out) {
  streams s;
  s.bytes = bytes;
  s.out = out;
  streams copy = s;
  put(&copy);
}"""
#: In a union, so that it may be made of anything.
NUMBER = """typedef union { ulong number; global uint *out; } target;
kernel void k(global const uchar *bytes, global uint *out) {
  target t;
  t.out = out;
  t.number -= 1ul << 40;
  t.out[0] = bytes[0];
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


def stored(folder, item, source=KERNEL):
    """What the kernel stores."""
    model = Model(SpirvCode(compiled(folder, source, "-spv_only"), "kernel"))
    (kernel,) = (model.code.functions[each] for each in model.code.kernels.values())
    kernel = InlinedKernel(model, kernel, model.provenance.may_write).function
    ((store, label),) = [
        (each, label)
        for label, each in instructions(model.flow(kernel))
        if each.opcode == Op.STORE
        and model.code.type_of[each.operands[0]].storage == Storage.CROSS_WORKGROUP
    ]
    evaluation = Evaluation(model, kernel, item)
    return evaluation.value(evaluation.outermost, store.operands[1], label, ())


@pytest.mark.parametrize("source", [KERNEL, WRITER])
def test_a_buffer_that_is_only_read_gives_what_it_has(tmp_path, source):
    item = Item(False)
    assert stored(tmp_path, item, source) == 3 * 256 + 20
    assert set(item.asked) == {(BYTES, OUT)}


@pytest.mark.parametrize("source", [KERNEL, WRITER])
def test_a_buffer_that_may_be_written_to_gives_nothing(tmp_path, source):
    with pytest.raises(UnknownValue, match=r"memory that the kernel (may write|writes) to"):
        stored(tmp_path, Item(True), source)


def test_a_pointer_that_may_be_made_of_a_number_may_point_anywhere(tmp_path):
    with pytest.raises(UnknownValue, match="memory that the kernel may write to"):
        stored(tmp_path, Item(False), NUMBER)
