"""When the values that a loop carries tell which iteration it is in.
``ZEDBG_FULL_CORPUS=1`` takes a kernel of a minute, too."""

import pytest

from tests.support.truth.truth_counts import EVERYTHING, KINDS, counted
from zedbg.values.loops.carried_loops import is_sure

BITS = (32,)


def rows(*values):
    """Iterations of one value: of each the numbers that lanes have."""
    return [(each,) for each in values]


@pytest.mark.parametrize(
    ("iterations", "found", "expected"),
    [
        # A constant makes each of one lane's numbers any other one.
        (rows((1,), (2,), (4,), (7,)), 1, False),
        (rows((3, 3), (5, 5), (9, 9)), 1, False),
        # What all lanes count alike may be off by some iterations.
        (rows((0, 10), (1, 11), (2, 12)), 1, False),
        # No constant makes the numbers of two lanes those of another iteration.
        (rows((64, 48), (32, 12), (16, 3)), 1, True),
        # The last one is less by two in both lanes.
        (rows((64, 48), (32, 12), (30, 10)), 1, False),
        # The only iteration.
        (rows((5,)), 0, True),
        # Numbers wrap around: 0xffffffff and 0 are one apart, as 4 and 5 are.
        (rows((0xFFFFFFFF, 4), (0, 5), (7, 5)), 0, False),
    ],
)
def test_one_value_must_fit_no_other_iteration_by_a_constant(iterations, found, expected):
    assert is_sure(BITS, iterations, found, [False]) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # A binary search by one lane: both change irregularly, to what they are once only.
        ((0, 2, 5, 6), (64, 33, 31, 30), True),
        # One stays what it was in the iteration before.
        ((0, 2, 2, 6), (64, 33, 31, 30), False),
        # One counts: the compiler may say both as of another iteration.
        ((0, 1, 2, 3), (64, 33, 31, 30), False),
    ],
)
def test_two_values_of_one_lane_must_change_irregularly(first, second, expected):
    iterations = [((a,), (b,)) for a, b in zip(first, second, strict=True)]
    assert is_sure((32, 32), iterations, 2, [False, False]) is expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((64, 33, 31, 30), True),
        # It counts: the compiler may name the register of the next iteration's.
        ((6, 4, 2, 0), False),
        # It is so in another iteration, too.
        ((64, 31, 31, 30), False),
    ],
)
def test_one_value_in_a_register_that_is_named_must_change_irregularly(values, expected):
    assert is_sure(BITS, rows(*[(each,) for each in values]), 2, [True]) is expected


UNCOUNTED = [
    # Binary searches and Euclid's algorithm: it was 80, 93 and 87 %.
    ("igc1-dg2-O2", "w-200", 0.98),
    ("igc1-dg2-O2", "w-203", 0.98),
    ("igc2-dg2-O2", "w-200", 0.90),
    ("igc2-bmg-O2", "w-203", 0.98),
    # All lanes execute both sides of a selection, one of which each comes to: 81 and 74 %.
    ("igc1-dg2-O2", "w-9700000", 1.0),
    ("igc2-dg2-O2", "w-9700000", 1.0),
    # Lanes that have left the loop tell what no register does: it was 95 %.
    ("igc1-dg2-O2", "x-9699992", 0.99),
    # No variable is said to be in the registers that the loop carries: it was 86 %.
    ("igc1-dg2-O2", "x-9699902", 0.99),
    # What one register has is that of the next iteration already: it was 92 %.
    ("igc2-dg2-O2", "w-9699901", 0.99),
    # An unrolled loop in a loop that nothing counts, the last copy for some lanes, without a jump:
    # it was 83 %.
    ("igc1-dg2-O2", "x-9700001", 0.99),
]
SLOW = [
    # The compiler says of a value that it is more by one, which other iterations of some lanes fit.
    ("igc1-dg2-O2", "w-207", 0.78),
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("build", "name", "share"), UNCOUNTED + SLOW * EVERYTHING)
def test_loops_that_nothing_counts_are_known_or_marked(build, name, share, record_property):
    counts, wrong = counted(build, ["--every", name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= share * sum(counts[each] for each in KINDS) > 0
