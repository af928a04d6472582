"""Variables that the SPIR-V keeps in memory, where the iteration that a lane is in is not known."""

import pytest

from zedbg.spirv.analysis.private_memory import NotReached
from zedbg.spirv.module.variables import Point
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import NeedsIteration, TooMuch
from zedbg.values.source.variables_in_memory import bytes_in_memory

QUOTIENT = UnknownValue("the last bits of a quotient are left to the device")
CHANGES = NeedsIteration(1)


class Lane:
    """A lane in an iteration of a loop, which one is not known; by that, what memory then has."""

    def __init__(self, by_iteration):
        self._by_iteration = by_iteration

    def innermost(self, lane, in_iteration):
        return self, None

    def iterations(self, lane, block, in_iteration):
        return (None,)

    def possible(self, lane, block):
        return [(number,) for number in self._by_iteration]

    def bytes_in_memory(self, call, variable, size, visit, index):
        (number,) = visit.iterations
        found = CHANGES if number is None else self._by_iteration[number]
        if isinstance(found, UnknownValue):
            raise found
        return found


def held(by_iteration, size=4):
    return bytes_in_memory(Lane(by_iteration), 0, Point(2, 0), 5, size)


def test_bytes_are_known_that_are_the_same_in_all_iterations():
    found = held({0: [1, 2, None, None], 1: [1, 3, 4, None]})
    assert found == [1, found[1], found[1], None]
    assert isinstance(found[1], NeedsIteration)


def test_what_is_not_known_in_an_iteration_hides_no_other_bytes():
    found = held({0: [1, QUOTIENT, 3, 4], 1: [1, 2, 3, QUOTIENT]})
    assert [isinstance(each, int) for each in found] == [True, False, True, False]


@pytest.mark.parametrize(
    "by_iteration",
    [{}, {0: [1], 1: [2]}, {0: [1], 1: NotReached()}, {each: [1] for each in range(1 << 15)}],
)
@pytest.mark.cases(4)
def test_nothing_is_known_where_iterations_have_nothing_in_common(by_iteration):
    with pytest.raises(NeedsIteration):
        held(by_iteration, size=1)


def test_what_takes_long_is_asked_for_once():
    with pytest.raises(TooMuch):
        held({0: [1, TooMuch(), 3, 4]})
