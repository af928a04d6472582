"""All lanes at once have the values that each of them has by itself."""

import random
import struct
from collections import Counter
from contextlib import suppress
from functools import cache

import pytest

from tests.support.packed_modules import MODULES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.columns import Column
from zedbg.spirv.group.lanes_at_once import NotAtOnce, Programs, run
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import BuiltIn, Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.memory_pages import PAGE
from zedbg.zebin import Module

BUILDS = ("igc1-dg2-O2", "igc2-bmg-O2")
LANES = (0, 3, 4, 9)
PARTS = 4  # of the modules of a build


@cache
def page_of(number):
    """Whole numbers and others, and now and then all bits; every third page is not there."""
    made = random.Random(number)
    numbers = [made.getrandbits(12) for _ in range(PAGE // 4)]
    data = [
        struct.pack("<I", each) if each & 1 else struct.pack("<f", each / 16) for each in numbers
    ]
    data[::97] = [bytes([255] * 4)] * len(data[::97])
    return b"".join(data) if number % 3 else None


class Items:
    """Work-items of launch ``number``, whose ids differ, and memory."""

    def __init__(self, number=0):
        self._number = number

    def argument(self, index, size):
        return bytes([index + 1 + self._number] * size)

    def built_in(self, which):
        if which in (BuiltIn.GLOBAL_INVOCATION_ID, BuiltIn.LOCAL_INVOCATION_ID):
            return [(lane + 32, lane // 3, 7 + self._number) for lane in range(16)]
        return 16, 2, 1

    def identity(self, arguments):
        return self._number, *((each, self.argument(each, 1)) for each in arguments)

    def may_share_memory(self, address, other):
        return False

    def page(self, number):
        return page_of(number)


class Item(Items):
    """One of them."""

    def __init__(self, lane, number=0):
        super().__init__(number)
        self._lane = lane

    def built_in(self, which):
        found = super().built_in(which)
        return found[self._lane] if isinstance(found, list) else found

    def load(self, address, size):
        first, last = address // PAGE, (address + size - 1) // PAGE
        pages = [self.page(each) for each in range(first, last + 1)]
        if None in pages:
            raise UnknownValue("no memory")
        return b"".join(pages)[address % PAGE :][:size]


def model_of(path):
    module = Module.from_bytes(path.read_bytes(), path.name)
    return Model(SpirvCode(module.section_bytes(module.section(".spv")), path.name))


def alone(model, function, item, label, result, iterations):
    evaluation = Evaluation(model, function, item)
    try:
        return evaluation.value(evaluation.outermost, result, label, iterations)
    except UnknownValue as error:
        return str(error)


def shown(value):
    return str(value) if isinstance(value, UnknownValue) else value


@pytest.mark.parametrize("build", BUILDS)
def test_each_lane_has_the_value_that_it_has_alone(build):
    model = model_of(sorted((MODULES / "variables" / build).iterdir())[1])
    compared, differing = 0, 0
    for function in model.code.functions.values():
        programs, known, flow = Programs(model, [], function), {}, model.flow(function)
        for label, item in list(instructions(flow))[:250]:
            program = programs.of(item.result) if item.result else None
            if program is None:
                continue
            column = run(program, Items(), LANES, known)
            around = (None,) * len(flow.loops_around(label))
            for index, lane in enumerate(LANES):
                expected = alone(model, function, Item(lane), label, item.result, around)
                assert shown(column.of(index)) == expected
            compared += 1
            differing += not column.is_uniform
        # What several values need is computed once.
        own = {item.result for _, item in instructions(flow)}
        assert len(known) <= len(own) + len(model.code.constants) + len(function.parameters)
    assert compared > 20
    assert differing >= 3


def test_whether_the_memory_of_loads_is_shared_is_asked_once():
    (path,) = MODULES.glob("locals/locals.zebin")
    model, asked, loaded = model_of(path), Counter(), 0

    class Asked(Items):
        def may_share_memory(self, address, other):
            asked[address, other] += 1
            return False

        def page(self, number):
            return page_of(1)

    for function in model.code.functions.values():
        programs, known = Programs(model, [], function), {}
        for _, item in instructions(model.flow(function)):
            program = programs.of(item.result) if item.opcode == Op.LOAD else None
            with suppress(NotAtOnce):
                loaded += program is not None and bool(run(program, Asked(), LANES, known))
    assert loaded > 5
    assert set(asked.values()) == {1}


def test_what_is_kept_of_a_launch_is_not_taken_for_another():
    """Launches come again, with other lanes and in another order; ids and arguments differ."""
    taken, kept = Counter(), 0
    for path in sorted((MODULES / "variables" / "igc2-bmg-O2").iterdir())[:4]:
        model = model_of(path)
        for function in model.code.functions.values():
            programs = Programs(model, [], function)
            found = list(instructions(model.flow(function)))[:150]
            made = [(*each, programs.of(each[1].result)) for each in found if each[1].result]
            for number, lanes in ((0, LANES), (1, LANES), (0, LANES), (1, LANES[:2]), (0, LANES)):
                known = {}
                for label, item, program in made:
                    if program is None:
                        continue
                    kept += program.fixed != () and (number, lanes) == (1, LANES[:2])
                    try:
                        column = run(program, Items(number), lanes, known)
                    except NotAtOnce:  # memory is not there
                        continue
                    around = (None,) * len(model.flow(function).loops_around(label))
                    for index, lane in enumerate(lanes):
                        one = Item(lane, number)
                        expected = alone(model, function, one, label, item.result, around)
                        assert shown(column.of(index)) == expected
                        taken[number] += not isinstance(column.of(index), UnknownValue)
    assert kept > 20
    assert min(taken[0], taken[1]) > 100


def compare_in_loops(path, most):
    """Compares up to ``most`` values of loops in some iterations; counts what was compared."""
    model, counts = model_of(path), Counter()
    for function in model.code.functions.values():
        flow = model.flow(function)
        made = [(label, item) for label, item in instructions(flow) if flow.loops_around(label)]
        by_loops = {}
        for label, item in made[:most]:
            if not item.result:
                continue
            around = flow.loops_around(label)
            programs = by_loops.setdefault(around, Programs(model, [], function, around))
            for first in (0, around[-1]):
                program = programs.of(item.result, first)
                for number in (0,) if first else (0, 1, 4, 3):
                    if program is None or not (program.is_in_loop or first):
                        continue
                    iterations = (*(2 for _ in around[1:]), number)
                    columns = zip(around, iterations, strict=True)
                    known = {
                        programs.iteration(each): Column([n], True, True) for each, n in columns
                    }
                    try:
                        column = run(program, Items(), LANES, known)
                    except NotAtOnce:
                        counts["left"] += 1
                        continue
                    for index, lane in enumerate(LANES):
                        one = Item(lane)
                        expected = alone(model, function, one, label, item.result, iterations)
                        found = column.of(index)
                        assert shown(found) == expected, (path.name, item.result, iterations)
                        counts["known"] += not isinstance(found, UnknownValue)
                        counts["differing"] += not column.is_uniform
    return counts


@pytest.mark.cases(1)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc1-dg2-O2", "igc2-bmg-O2", "igc1-pvc-O2"])
def test_each_lane_has_in_each_iteration_the_value_that_it_has_alone(build, part):
    counts = Counter()
    for path in sorted(MODULES.glob(f"*/{build}/**/*.zebin"))[part::PARTS]:
        counts.update(compare_in_loops(path, 1000))
    assert counts["known"] > 100
    assert counts["differing"] > 20
