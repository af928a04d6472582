"""Numbers in their order as a picture."""

import math

from zedbg.values.tables.plot import plot


def test_a_ramp_rises_from_left_to_right():
    lines = plot(list(range(8)))
    assert [line.index("*") - line.index("|") - 1 for line in lines] == list(range(7, -1, -1))
    assert lines[0].startswith("7 |")
    assert lines[-1].startswith("0 |")


def test_many_numbers_share_columns():
    assert max(map(len, plot(list(range(1000))))) <= 64 + len("999 |")


def test_equal_numbers_are_one_line():
    assert plot([3, 3, 3]) == ["3 |***"]


def test_what_is_not_finite_is_marked():
    assert plot([1.0, math.nan, 2.0])[-1].endswith("*!")


def test_one_number_is_no_plot():
    assert plot([1]) == []
