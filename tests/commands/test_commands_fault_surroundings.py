"""What is reported of the memory around a fault, whatever the kernel's arguments point to."""

import pytest

from tests.support.values.values_fake_context import FakeThread
from zedbg.commands.rows import fault_surroundings
from zedbg.commands.rows.fault_surroundings import AllocationRow, PointerRow, surroundings

PAGE = 4096
LOW, HIGH = 0x10000, 0x40000  # a page each


@pytest.fixture
def around(monkeypatch):
    """What is around an address for a thread whose arguments are ``pointers``."""
    thread = FakeThread()
    thread.map(LOW, 2 * PAGE)
    thread.map(HIGH, PAGE)

    def surrounded(address, **pointers):
        monkeypatch.setattr(
            fault_surroundings, "pointer_arguments", lambda _thread: list(pointers.items())
        )
        return surroundings(thread, address)

    return surrounded


LOW_ROW = AllocationRow("a", LOW, LOW + 2 * PAGE, 1)
LOW_TEXT = "; 0x1 bytes after 0x10000-0x12000, where argument a points"


def test_just_after_the_end_only_that_memory_is_reported(around):
    found = around(LOW + 2 * PAGE, a=LOW, b=HIGH)
    assert (found.nearest, found.other, found.pointer) == (LOW_ROW, None, None)
    assert found.text == LOW_TEXT


def test_between_two_both_are_reported_the_nearer_one_first(around):
    address = HIGH - 0x10000
    found = around(address, a=LOW, b=HIGH + 8)
    assert found.nearest == AllocationRow("b", HIGH, HIGH + PAGE, -0x10000)
    assert found.other == AllocationRow("a", LOW, LOW + 2 * PAGE, address - LOW - 2 * PAGE + 1)
    assert found.text == (
        "; 0x10000 bytes before 0x40000-0x41000, where argument b points"
        "; 0x1e001 bytes after 0x10000-0x12000, where argument a points"
    )


def test_of_arguments_in_one_range_the_last_in_front_of_the_fault_is_named(around):
    assert around(LOW + 2 * PAGE, first=LOW, last=LOW + PAGE).nearest.argument == "last"
    assert around(LOW - 1, first=LOW, last=LOW + PAGE).nearest.argument == "first"
    assert around(LOW + PAGE - 1, first=LOW, last=LOW + PAGE).nearest.argument == "first"


def test_a_null_argument_is_named(around):
    found = around(0x20, a=LOW, empty=0)
    assert found.pointer == PointerRow("empty", 0, 0x20)
    assert found.text.startswith("; argument empty is null; ")


def test_an_argument_that_points_to_nothing_is_named(around):
    found = around(0x90010, a=LOW, gone=0x90000)
    assert found.pointer == PointerRow("gone", 0x90000, 0x10)
    assert found.text.startswith(
        "; argument gone points to 0x90000, where no memory is: freed, or never allocated; "
    )


def test_an_argument_that_points_to_nothing_far_away_is_not_to_blame(around):
    assert around(LOW + 2 * PAGE, a=LOW, gone=0x90000, empty=0).pointer is None


def test_nothing_is_said_without_pointers(around):
    assert around(0x20).text == ""
