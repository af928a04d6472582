"""Damaged SPIR-V: the typed error, or values that are not known, and nothing else."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.packed_modules import MODULES
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.damage import DAMAGES, is_damaged
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.variables import Point, VariableValues, instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.zebin import Module, ZebinError

BUILDS = ("igc1-dg2-O2", "igc2-dg2-O2", "igc2-dg2-O0")


class Item:
    """A work-item whose arguments and memory are all the same."""

    def argument(self, index, size):
        return bytes([index + 1] * size)

    def built_in(self, which):
        return 3, 0, 0

    def load(self, address, size):
        return bytes(size)

    def may_share_memory(self, address, other):
        return False


class Slip(Item):
    """With a mistake of zedbg's own."""

    def argument(self, index, size):
        return self.arguments[index]


def spirv_of(build):
    return spirv_in(min((MODULES / "variables" / build).iterdir()))


def spirv_in(path):
    module = Module.from_bytes(path.read_bytes(), path.name)
    return module.section_bytes(module.section(".spv"))


SPIRV = {build: spirv_of(build) for build in BUILDS}


def evaluate_all(code, item_class=Item):
    """Every result of every function, and what every variable has at every line."""
    model, found = Model(code), 0
    for function in code.functions.values():
        flow = model.flow(function)
        evaluation = Evaluation(model, function, item_class())
        for label, item in list(instructions(flow))[:150]:
            around = (None,) * len(flow.loops_around(label))
            if item.result:
                try:
                    evaluation.value(evaluation.outermost, item.result, label, around)
                    found += 1
                except UnknownValue as error:
                    assert len(str(error).splitlines()) == 1
        values = VariableValues(code, flow)
        for variable in code.variables:
            for label in flow.order:
                values.at(variable, Point(label, 1))
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_most_results_are_known(build):
    code = SpirvCode(SPIRV[build], build)
    results = sum(
        isinstance(item, Instruction) and item.result > 0
        for function in code.functions.values()
        for block in function.blocks.values()
        for item in block.items
    )
    assert results / 4 < evaluate_all(code) <= results


@settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    build=st.sampled_from(BUILDS),
    seed=st.integers(0, 1 << 32),
    count=st.integers(1, 12),
    cut=st.booleans(),
)
def test_damaged_spirv_is_an_error_or_not_known(build, seed, count, cut):
    chosen = random.Random(seed)
    data = bytearray(SPIRV[build])
    for _ in range(count):
        at = chosen.randrange(20, len(data)) & ~3
        bits = chosen.choice([8, 16, 32])
        data[at : at + 4] = chosen.getrandbits(bits).to_bytes(4, "little")
    if cut:
        del data[chosen.randrange(24, len(data)) & ~3 :]
    try:
        code = SpirvCode(bytes(data), "damaged")
    except ZebinError as error:
        assert len(str(error).splitlines()) == 1
        return
    try:
        evaluate_all(code)
    except DAMAGES:
        assert is_damaged(code)  # else it is a slip of zedbg's own


def test_what_compilers_write_is_not_damaged():
    for path in sorted(MODULES.rglob("*.zebin"))[::23]:
        try:
            code = SpirvCode(spirv_in(path), path.name)
        except ZebinError:
            continue  # it carries none
        assert not is_damaged(code), path


FUNCTIONS = """kernel void k(global float *a, global int *b, long chosen) {
  int i = get_global_id(0), whole;
  a[i] = remquo(a[i], 3.0f, &whole) + frexp(a[i], b + i) + modf(a[i], a + 64) + fract(a[i], a + 65);
  a[i] = ldexp(a[i], whole) + nextafter(a[i], 2.0f) + lgamma_r(a[i], b + 64) + rootn(a[i], 3);
  switch (chosen) { case 1L << 40: b[i] += ilogb(a[i]); break; case -2: b[i] = 5; }
}"""


def test_functions_of_two_results_and_long_choices_are_not_damaged(tmp_path):
    assert not is_damaged(SpirvCode(compiled(tmp_path, FUNCTIONS, "-spv_only"), "k"))


@pytest.mark.parametrize("build", BUILDS)
def test_a_slip_of_zedbg_is_not_taken_for_damage(build):
    with pytest.raises(AttributeError):
        evaluate_all(SpirvCode(SPIRV[build], build), Slip)
