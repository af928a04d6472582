"""Conditions that are worked out once for all threads hold in the lanes that the evaluation of the
whole expression gives."""

import struct

import pytest

from tests.support.values.lane_threads import PRIVATE_BASE, stopped_in, vadd_thread
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression
from zedbg.values.expressions.number_plan import NumberPlan

# The SPIR-V says how i is made of the ids; the code has it in registers that it uses again.
COMPUTED = "igc2-dg2-O2/vadd"

PLAIN = (
    *("i == 3", "i != 3 && n > 5", "n < 5 || i == 7", "!i", "-i < -2", "~i & 1", "i % 3 == n % 3"),
    *("a == 0x9000", "a != b", "i", "::i << 1 == 4", "i > 2.5f", "i - 4u > 10", "1 && i"),
    *("get_global_id(0) == 10", "get_local_id(1) == i", "i / 2 == 1", "100 / n == 1"),
    *("a[i % 8] > 1", "*a", "*(i % 8 + b) != a[i & 7]", "(char)(i * 100) < 0", "a + 1 == b"),
)
NOT_PLAIN = ("b - a == 1", "*(long *)a", "$_simd_lane == 3", "sizeof(i) == 4", "i @ 2 == i")


def numbers_of_whole(expression, thread, lanes):
    """What evaluating the whole tree gives, which knows of no plan."""
    return [value.number for _, value in expression.evaluate(thread, lanes)]


def set_i(thread, values):
    thread.write_memory(MemorySpace.GLOBAL, PRIVATE_BASE + 0x120, struct.pack("<8i", *values))


def plan(expression, thread, mask):
    return NumberPlan.of(expression._tree, thread, mask)


@pytest.mark.parametrize("text", PLAIN)
def test_a_plan_gives_the_numbers_of_the_whole(text):
    thread = vadd_thread()
    expression = Expression(text, thread.debug_info)
    made = plan(expression, thread, 0b10111011)
    assert made is not None
    for first in (0, 40):  # and in a second thread, at the same place
        other = vadd_thread()
        set_i(other, range(first, first + 8))
        whole = numbers_of_whole(expression, other, made.lanes)
        assert list(made.numbers(other)) == whole
        held = expression.condition(other, 0b10111011)
        assert held.true == sum(1 << n for n, one in zip(made.lanes, whole, strict=True) if one)
        assert not held.unknown


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_is_more_than_numbers_has_no_plan(text):
    thread = vadd_thread()
    assert plan(Expression(text, thread.debug_info), thread, 0xFF) is None


def test_a_lane_that_cannot_be_computed_is_said_as_ever():
    thread = vadd_thread()
    set_i(thread, range(1, 9))
    condition = Expression("6 / i > 1", thread.debug_info)
    assert condition.condition(thread).true == 0b111
    set_i(thread, range(8))
    found = condition.condition(thread)
    assert (found.true, found.unknown) == (0b1110, 0b1)
    assert found.reason == Missing("Division by zero")


def test_memory_that_cannot_be_read_is_said_as_ever():
    thread = vadd_thread()
    condition = Expression("i == 3", thread.debug_info)
    assert condition.condition(thread).true == 0b1000
    thread.memory = {space: {} for space in thread.memory}
    assert condition.condition(thread).unknown == 0xFF


def test_a_plan_is_not_for_lanes_that_are_inactive():
    thread = vadd_thread()
    condition = Expression("i == 3", thread.debug_info)
    assert condition.condition(thread, 0xFF).true == 0b1000
    thread.active_lanes = 0b11
    found = condition.condition(thread, 0xFF)
    assert (found.true, found.unknown) == (0, 0xFC)


def test_a_variable_that_is_computed_again_is_so_by_a_plan():
    thread, info = stopped_in(COMPUTED, 4, simd_width=16)
    condition = Expression("i == 10", info)
    made = plan(condition, thread, 0xFFFF)
    assert made is not None
    assert made.numbers(thread) == numbers_of_whole(condition, thread, range(16))
    assert condition.condition(thread).true == 0b100
    # After a write by hand the compiler's place counts, which holds zeros here.
    other, _ = stopped_in(COMPUTED, 4, simd_width=16)
    other.is_changed_by_hand = True
    assert made.numbers(other) is None
    assert condition.condition(other).true == 0
