"""All lanes at once have the values that each of them has by itself."""

import pytest

from tests.support.packed_modules import MODULES
from zedbg.spirv.arithmetic import UnknownValue
from zedbg.spirv.code import SpirvCode
from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.lanes_at_once import Programs, run
from zedbg.spirv.model import Model
from zedbg.spirv.operations import BuiltIn
from zedbg.spirv.variables import instructions
from zedbg.zebin import Module

BUILDS = ("igc1-dg2-O2", "igc2-bmg-O2")
LANES = (0, 3, 4, 9)


class Items:
    """Work-items whose ids differ."""

    def argument(self, index, size):
        return bytes([index + 1] * size)

    def built_in(self, which):
        if which in (BuiltIn.GLOBAL_INVOCATION_ID, BuiltIn.LOCAL_INVOCATION_ID):
            return [(lane + 32, lane // 3, 7) for lane in range(16)]
        return 16, 2, 1


class Item(Items):
    """One of them."""

    def __init__(self, lane):
        self._lane = lane

    def built_in(self, which):
        found = super().built_in(which)
        return found[self._lane] if isinstance(found, list) else found

    def load(self, address, size):
        raise UnknownValue("no memory")


def spirv_of(build):
    path = sorted((MODULES / "variables" / build).iterdir())[1]
    module = Module.from_bytes(path.read_bytes(), path.name)
    return SpirvCode(module.section_bytes(module.section(".spv")), path.name)


def alone(model, function, lane, label, result):
    evaluation = Evaluation(model, function, Item(lane))
    around = (None,) * len(model.flow(function).loops_around(label))
    try:
        return evaluation.value(evaluation.outermost, result, label, around)
    except UnknownValue as error:
        return str(error)


@pytest.mark.parametrize("build", BUILDS)
def test_each_lane_has_the_value_that_it_has_alone(build):
    model, compared, differing = Model(spirv_of(build)), 0, 0
    for function in model.code.functions.values():
        programs, known = Programs(model, [], function), {}
        for label, item in list(instructions(model.flow(function)))[:250]:
            program = programs.of(item.result) if item.result else None
            if program is None:
                continue
            column = run(program, Items(), LANES, known)
            for index, lane in enumerate(LANES):
                found = column.of(index)
                expected = alone(model, function, lane, label, item.result)
                shown = str(found) if isinstance(found, UnknownValue) else found
                assert shown == expected
            compared += 1
            differing += not column.is_uniform
        # What several values need is computed once.
        own = {item.result for _, item in instructions(model.flow(function))}
        assert len(known) <= len(own) + len(model.code.constants) + len(function.parameters)
    assert compared > 20
    assert differing >= 3
