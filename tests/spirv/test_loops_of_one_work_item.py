"""Iterations of one work-item that are computed at once, and loops whose end is computed, give what
each iteration by itself gives."""

import random

import pytest

from tests.support.spirv.one_work_group import OneWorkGroup
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.local_memory import LocalMemory
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item import computed_values
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.loop_runs import LoopRuns
from zedbg.spirv.work_item.ways import Ways

SIZE = 16  # work-items
NUMBERS = (40, 3, -7, 250)  # passed for a, b, c, d


class Group(OneWorkGroup):
    """The work-items, as a group, and each of them."""

    def __init__(self, number=None):
        super().__init__(SIZE, number)

    def argument(self, index, size):
        numbers = [1 << 40, 1 << 41, *NUMBERS]
        return (numbers[index] % (1 << 8 * size)).to_bytes(size, "little")

    def page(self, number):
        return self.load(number << 12, 1 << 12)

    def item(self, number):
        return Group(number)

    def load(self, address, size):
        return bytes(random.Random(address + each).getrandbits(8) for each in range(size))

    def require_local_memory(self, address, size):
        pass


KERNEL = """kernel void k(global int *out, global const int *in, int a, int b, int c, int d) {
  local int tile[64];
  const int id = get_local_id(0);
  for (int k = 0; k < 4; k++)
    tile[id * 4 + k] = id * 7 + k * k;
  barrier(CLK_LOCAL_MEM_FENCE);
  int found = 0;
  %s
  out[id] = found;
}"""


def stored(folder, body):
    """What each work-item stores, or why that is not known."""
    code = SpirvCode(compiled(folder, KERNEL % body, "-spv_only"), "kernel")
    model = Model(code)
    ((store, label, kernel),) = [
        (item, label, function)
        for function in code.functions.values()
        for label, block in function.blocks.items()
        for item in block.items
        if getattr(item, "opcode", None) == Op.STORE
        and code.type_of[item.operands[0]].storage == Storage.CROSS_WORKGROUP
    ]
    memory = LocalMemory(model, kernel, Group())
    found = []
    for number in range(SIZE):
        item = Group(number)
        evaluation = Evaluation(model, kernel, item, local=memory.of(number))
        try:
            found.append(evaluation.value(evaluation.outermost, store.operands[1], label, ()))
        except UnknownValue as error:
            found.append(str(error))
    return found


SUMS = (
    "for (int k = 0; k < a; k++) found += tile[k] * (k ^ id);",
    "local int *at = tile; for (int k = 0; k < a; k++) found = found * 3 + *at++;",
    "for (int k = id; k < 64; k += b) found ^= tile[k] << (k & 7);",
    "for (int k = 0; k < a; k++) if (tile[k] & 1) found += tile[63 - k] + id;",
    "float s = id; for (int k = 0; k < a; k++) s = s * 0.5f + tile[k]; found = s * 16;",
    "for (int k = 0; k < a; k++) found += in[k] ^ tile[k];",
    "int last = 0; for (int k = 0; k < a; k++) { int t = tile[k]; found += t - last; last = t; }",
    "for (int j = 0; j < b; j++) for (int k = 0; k < 20; k++) found += tile[k + j] * (j + 1);",
)
LOST = (
    "for (int k = 0; k < d; k++) found += tile[k];",  # outside of it
    "for (int k = 0; k < a; k++) { tile[id] += k; found += tile[id]; }",  # it changes meanwhile
)


@pytest.mark.parametrize("body", (*SUMS, *LOST))
def test_iterations_at_once_give_what_each_gives(tmp_path, monkeypatch, body):
    found = []
    carried = LoopRuns.carried

    def noted(*arguments):
        found.append(carried(*arguments))
        return found[-1]

    monkeypatch.setattr(LoopRuns, "carried", noted)
    at_once = stored(tmp_path, body)
    assert any(found) == (body in SUMS)
    monkeypatch.setattr(computed_values, "FEWEST", 1 << 20)
    assert at_once == stored(tmp_path, body)
    assert body != LOST[0] or not any(isinstance(each, int) for each in at_once)


COUNTED = (
    *("int k = 0; k < a; k++", "int k = c; k <= a; k += 3", "int k = a; k > c; k -= 5"),
    *("int k = a; k >= c; k += -7", "int k = d; k < a; k++", "uint k = a; k > 3u; k -= 2"),
    *("uint k = 1; k < (uint)d; k += 40", "uint k = a; k >= 4u; k -= 3", "int k = id; ++k < a;"),
    *("int k = id; (k += 5) < a;", "int k = 2147483600; k >= a; k -= 2147483"),
)
OTHERS = (
    *("int k = c; k <= a; k += b", "uchar k = d; k > a; k += b", "char k = 100; k < 120; k += b"),
    *("int k = id; a > k; k += b", "int k = id; k != a; k++", "short k = d; k > (short)c; k -= 20"),
    *("long k = c; k < (long)a * b; k += 5", "int k = 2147483600; k > 0; k += 40"),
    *("uint k = a; k < 41u; k -= 3", "int k = -2147483600; k < a; k -= 50"),  # to the other end
)


@pytest.mark.parametrize("loop", (*COUNTED, *OTHERS))
def test_loops_end_as_each_iteration_says(tmp_path, monkeypatch, loop):
    counted, ends = Ways._counted_exit, []

    def noted(*arguments):
        ends.append(counted(*arguments))
        return ends[-1]

    monkeypatch.setattr(Ways, "_counted_exit", noted)
    body = f"for ({loop}) found++;"
    found = stored(tmp_path, body)
    assert any(each is not None for each in ends) == (loop in COUNTED)
    monkeypatch.setattr(Ways, "_counted_exit", lambda *arguments: None)
    assert found == stored(tmp_path, body)
    assert all(isinstance(each, int) for each in found)
