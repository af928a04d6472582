"""What is kept of the values that loops carry is right in whatever order iterations come."""

import math

import pytest

from zedbg.spirv.carried import CarriedValues


def run(count, rows):
    found = []
    for value, step in rows:
        for _ in range(count):
            value = value * 3 + step
        found.append((value,))
    return found


@pytest.mark.parametrize(
    "rows", [[(1, 2), (5, 7)], [(0.5, 2.0), (-0.0, 0.0)], [(math.nan, 1.0), (2.0, 1.0)]]
)
def test_iterations_may_come_in_any_order(rows):
    whole = isinstance(rows[0][0], int)
    carried = CarriedValues((1,), (2,), 1, whole, run)
    for iteration in (0, 1, 2, 1, 2, 3, 9, 8, 9, 4, 4, 0, 2):
        alone = run(iteration, rows)
        assert repr(carried.at(iteration, rows)) == repr(alone)


def test_zeros_with_a_sign_are_kept_apart():
    carried = CarriedValues((1,), (2,), 1, False, run)
    for first in (0.0, -0.0, 0.0):
        assert repr(carried.at(1, [(first, -0.0)])) == repr(run(1, [(first, -0.0)]))
