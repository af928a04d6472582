"""What a work-item wrote to a variable in memory: bytes that are not known hide no others."""

import pytest

from zedbg.spirv.analysis.private_memory import Visit, Way, WrittenBytes, all_known
from zedbg.spirv.numbers.arithmetic import UnknownValue

QUOTIENT = UnknownValue("the last bits of a quotient are left to the device")
POINTER = UnknownValue("it is written to through a pointer that is not known")
PASSED = UnknownValue("it depends on what was passed in a call")


def bytes_in(written, *, before=lambda start, size: [None] * size, size=4):
    """The bytes of a variable after a block in which the writes ``written`` follow each other:
    where, and what; or why it is not known where."""

    def write(item, visit):
        if isinstance(item, UnknownValue):
            raise item
        return [item]

    way = Way(iter([Visit(1, ()), Visit(2, ())]))
    memory = WrittenBytes(way, {1: list(enumerate(written))}, write, before)
    return memory.at(Visit(2, ()), 0, 0, size)


def test_what_is_not_known_of_a_variable_hides_nothing_else_of_it():
    found = bytes_in([(0, [7]), (1, [QUOTIENT]), (2, [9])])
    assert found == [7, QUOTIENT, 9, None]
    with pytest.raises(UnknownValue, match="quotient"):
        all_known(found)
    assert all_known([7, None]) == [7, None]


def test_after_a_write_to_somewhere_only_later_ones_are_known():
    assert bytes_in([(0, [7]), POINTER, (1, [8])]) == [POINTER, 8, POINTER, POINTER]


def test_what_is_written_is_known_of_a_variable_that_was_passed():
    def passed(start, size):
        raise PASSED

    assert bytes_in([(1, [8])], before=passed, size=2) == [PASSED, 8]


def test_a_way_that_was_given_up_has_no_end():
    """Python ends a generator that raised something: that is not the end of the way."""

    def visits():
        yield Visit(1, ())
        raise RecursionError

    way = Way(visits())
    with pytest.raises(RecursionError):
        way.last()
    with pytest.raises(UnknownValue, match="too much"):
        way.last()
    with pytest.raises(UnknownValue, match="too much"):
        way.number(Visit(2, ()))


def test_what_a_write_takes_is_not_what_it_has_written():
    """What is computed for a write may ask for the variable after it: it is not known then, and
    not what the variable had before."""
    found = []

    def write(item, visit):
        if item == "second":
            assert memory.at(Visit(1, ()), 1, 0, 1) == [7]  # in front of it
            for ask in (lambda: memory.at(Visit(2, ()), 0, 0, 1), memory.at_end):
                with pytest.raises(UnknownValue, match="depends on itself"):
                    ask()
            found.append(item)
        return [(0, [7 if item == "first" else 9])]

    way = Way(iter([Visit(1, ()), Visit(2, ())]))
    memory = WrittenBytes(way, {1: [(0, "first"), (1, "second")]}, write, lambda *_: [None])
    assert memory.at(Visit(2, ()), 0, 0, 1) == [9]
    assert found == ["second"]
