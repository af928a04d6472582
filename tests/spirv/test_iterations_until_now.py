"""What a work-item does up to a moment is known by that alone, and stays known."""

import pytest

from tests.support.spirv.one_work_group import OneWorkGroup
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import KnownValues
from zedbg.spirv.work_item.evaluation import Evaluation

IN = 1 << 41
KNOWN = 5  # numbers of ``in`` that can be read
SUMS = [0, 1, 3, 7, 15, 31]  # after so many iterations

KERNEL = """kernel void k(global int *out, global const int *in, local const int *tile) {
  int found = 0;
  for (int k = 0; found < 1000; k++) {
    found += %s[k];
    out[k] = found;
  }
}"""


class Item(OneWorkGroup):
    """Numbers of ``in`` are powers of two; the later ones cannot be read."""

    def __init__(self):
        super().__init__(1, 0)

    def argument(self, index, size):
        return [1 << 40, IN, 1 << 33][index].to_bytes(8, "little")[:size]

    def load(self, address, size):
        number = (address - IN) // 4
        if not 0 <= number < KNOWN:
            raise UnknownValue("it cannot be read")
        return (1 << number).to_bytes(size, "little")

    def may_share_memory(self, address, other):
        return False


class Tile:
    """The same numbers, in local memory, as they are known at one stop."""

    is_of_stop = True

    def __init__(self, count):
        self.count = count

    def __call__(self, call, item, source, visit):
        (number,) = visit.iterations
        if number >= self.count:
            raise UnknownValue("not at this stop")
        return 1 << number


def model_of(folder, memory):
    model = Model(SpirvCode(compiled(folder, KERNEL % memory, "-spv_only"), "kernel"))
    ((kernel, header),) = [
        (each, header)
        for each in model.code.functions.values()
        for header in model.flow(each).loops
    ]
    return model, kernel, header


def sum_in(model, kernel):
    """The result that is added up to, and its block."""
    made = model.made(kernel)
    (found,) = (
        (item.result, label)
        for label, item in instructions(model.flow(kernel))
        if item.opcode == Op.I_ADD
        and any(made[each][1].opcode == Op.LOAD for each in item.operands if each in made)
    )
    return found


def test_iterations_that_are_made_are_known_though_the_end_is_not(tmp_path):
    model, kernel, header = model_of(tmp_path, "in")
    evaluation = Evaluation(model, kernel, Item())
    call = evaluation.outermost
    assert all(evaluation.makes(call, header, (), each) for each in range(KNOWN + 2))
    with pytest.raises(UnknownValue):
        evaluation.makes(call, header, (), KNOWN + 2)
    with pytest.raises(UnknownValue):
        evaluation.last_iteration(call, header, ())


def test_what_was_known_at_one_stop_stays_known_of_earlier_iterations(tmp_path):
    model, kernel, header = model_of(tmp_path, "tile")
    result, label = sum_in(model, kernel)
    known = KnownValues()
    first = Evaluation(model, kernel, Item(), local=Tile(KNOWN), known_values=known)
    for number in range(KNOWN):
        assert first.value(first.outermost, result, label, (number,)) == SUMS[number + 1]
    first.is_now(first.outermost, header, (3,))
    later = Evaluation(model, kernel, Item(), local=Tile(0), known_values=known)
    for number in range(3):
        assert later.value(later.outermost, result, label, (number,)) == SUMS[number + 1]
    with pytest.raises(UnknownValue, match="not at this stop"):
        later.value(later.outermost, result, label, (3,))


def test_what_is_computed_after_that_stays_known_too(tmp_path):
    model, kernel, header = model_of(tmp_path, "tile")
    result, label = sum_in(model, kernel)
    known = KnownValues()
    first = Evaluation(model, kernel, Item(), local=Tile(KNOWN), known_values=known)
    first.is_now(first.outermost, header, (3,))
    assert first.value(first.outermost, result, label, (4,)) == SUMS[5]
    later = Evaluation(model, kernel, Item(), local=Tile(0), known_values=known)
    assert later.value(later.outermost, result, label, (2,)) == SUMS[3]
    with pytest.raises(UnknownValue, match="not at this stop"):
        later.value(later.outermost, result, label, (3,))
