"""What is kept of the values that loops carry is right in whatever order iterations come, and
whatever becomes of the memory that the loops load from."""

import math
from types import SimpleNamespace

import pytest

from zedbg.spirv.group.carried import CarriedValues
from zedbg.spirv.group.columns import Column
from zedbg.spirv.module.types import Kind, Type
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.memory_pages import PAGE

WHOLE, FLOAT = Type(Kind.INTEGER, 64), Type(Kind.FLOAT, 64)


class Memory:
    """Pages whose first byte the tests set."""

    def __init__(self):
        self.bytes = {}

    def page(self, number):
        return bytes([self.bytes.get(number, 0)]) * PAGE


def run(count, states, inputs, pages):
    found = []
    for (value,), (step,) in zip(states, inputs, strict=True):
        for _ in range(count):
            value = value * 3 + step
        found.append((value,))
    return found


def load(count, states, inputs, pages):
    """A loop that adds what each page has to the value."""
    found = []
    for value, number in states:
        for _ in range(count):
            value, number = value + pages.at(number)[0], number + 1
        found.append((value, number))
    return found


def carried_by(run, types, states=1, pointers=()):
    results = range(len(types))
    code = SimpleNamespace(
        phis=results[:states], inputs=results[states:], types=types, pointers=pointers, run=run
    )
    return CarriedValues(code)


def columns_of(rows):
    return [Column(list(values), False, True) for values in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    "rows", [[(1, 2), (5, 7)], [(0.5, 2.0), (-0.0, 0.0)], [(math.inf, 1.0), (2.0, 1.0)]]
)
def test_iterations_may_come_in_any_order(rows):
    carried = carried_by(run, [WHOLE if isinstance(rows[0][0], int) else FLOAT] * 2)
    states, inputs = ([(row[index],) for row in rows] for index in (0, 1))
    for iteration in (0, 1, 2, 1, 2, 3, 9, 8, 9, 4, 4, 0, 2):
        alone = run(iteration, states, inputs, None)
        assert repr(carried.at(iteration, columns_of(rows), 2, Memory())) == repr(alone)


def test_zeros_with_a_sign_are_kept_apart():
    carried = carried_by(run, [FLOAT, FLOAT])
    for first in (0.0, -0.0, 0.0):
        found = carried.at(1, columns_of([(first, -0.0)]), 1, Memory())
        assert repr(found) == repr(run(1, [(first,)], [(-0.0,)], None))


@pytest.mark.parametrize("value", [math.nan, 5e-324, (1,), 1])
def test_what_floating_point_arithmetic_refuses_is_not_begun_with(value):
    with pytest.raises(UnknownValue):
        carried_by(run, [FLOAT, FLOAT]).at(1, columns_of([(value, 1.0)]), 1, Memory())


def test_memory_that_changed_is_loaded_again():
    carried, memory = carried_by(load, [WHOLE, WHOLE], 2, (1,)), Memory()
    columns = columns_of([(100, 0), (200, 3)])
    assert carried.at(2, columns, 2, memory) == [(100, 2), (200, 5)]
    memory.bytes[3] = 7  # another launch: what was loaded in the first iteration is another number
    assert carried.at(3, columns, 2, memory) == [(100, 3), (207, 6)]
    memory.bytes[9] = 1  # not loaded from
    assert carried.at(2, columns, 2, memory) == [(100, 2), (207, 5)]
    memory.bytes[3] = memory.bytes[0] = 1
    assert carried.at(3, columns, 2, memory) == [(101, 3), (201, 6)]


def test_pages_without_end_are_not_kept():
    carried, memory = carried_by(load, [WHOLE, WHOLE], 2, (1,)), Memory()
    for iteration in (2000, 2001, 2002):
        memory.bytes[0] = iteration % 256
        found = carried.at(iteration, columns_of([(0, 0)]), 1, memory)
        assert found == [(iteration % 256, iteration)]
