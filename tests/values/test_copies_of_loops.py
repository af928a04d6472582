"""Code that compilers copied for several iterations of a loop: each stop is known as its own one,
and none is taken for another. ``ZEDBG_FULL_CORPUS=1`` takes kernels of a minute each, too."""

import pytest

from tests.support.truth.truth_counts import EVERYTHING, KINDS, counted

pytestmark = pytest.mark.cases(0)

# Builds, kernels, and the least share of values that are right.
COPIES = [
    # An outer loop is unrolled: two copies of an inner loop that registers count.
    ("igc1-dg2-O2", "d-910011", 0.95),
    ("igc2-dg2-O2", "d-910011", 0.95),
    ("igc2-bmg-O2", "d-910011", 0.95),
    # Loops that are unrolled in part, or within others: it was 67 %.
    ("igc2-dg2-O2", "u-8310000", 0.93),
    # Two loops, one in the other, without a loop in the machine code: it was 63 %.
    ("igc2-bmg-O2", "u-7400001", 1.0),
    # Both loops are unrolled in part, and values are alike in many iterations: it was 66 %.
    ("igc1-dg2-O2", "u-8000000", 0.9),
    # Values differ from copy to copy by amounts that all lanes share: it was 73 %.
    ("igc2-dg2-O2", "u-7900005", 0.9),
    # Floats in accumulators: it was 88 %.
    ("igc1-dg2-O2", "u-9500002", 0.99),
    # The copy before was taken for the one that a thread was in, without a mark.
    ("igc1-dg2-O2", "u-9500001", 0.94),
    # Most lanes do not come to the only line that changes the variable: it was 90 %.
    ("igc1-dg2-O2", "u-9500003", 0.92),
    # A lane that broke out was taken for one of the iteration before, without a mark.
    ("igc1-dg2-O2", "v-9700003", 0.91),
    # Jumps out of a loop say which copy the code between them is.
    ("igc2-dg2-O2", "v-9810006", 0.99),
    # Every second lane made an iteration alone: all were given the copy of those lanes.
    ("igc2-dg2-O2", "v-9862002", 0.7),
    # A loop of several iterations at once comes after one that is made alone.
    ("igc2-dg2-O2", "v-9810002", 0.97),
    # In each copy a loop makes the iterations alone that the next one leaves over: it was 61 %.
    ("igc1-dg2-O2", "v-9985000", 0.97),
    # Of some copies less was made, but one instruction does what the source does once: it was 85 %.
    ("igc2-dg2-O2", "v-27200000", 0.98),
    # Each lane has its own bound, and its own rest in front of a loop of two at once: it was 62 %.
    ("igc1-dg2-O2", "v-27110002", 0.95),
    # Lanes pass two copies that they do nothing in: what these would give was shown.
    ("igc1-pvc-O2", "v-27110000", 0.95),
    # A result may be that of two copies, and the compiler's places chose the wrong one.
    ("igc2-dg2-O2", "h-13912001", 0.98),
    # What is the same in all iterations was taken to say which one code in front of a loop is.
    ("igc1-dg2-O2", "h-12352", 0.97),
    # A load that two copies share was taken to say that each pass makes one iteration.
    ("igc1-dg2-O2", "v-28100004", 1.0),
    # The last copy leaves the loop by a jump that the compiler says another place of.
    ("igc2-dg2-O2", "v-29500002", 0.97),
    # A lane was shown another iteration than its own on a line that it passes only, without a mark.
    ("igc2-pvc-O2", "d-30120000", 0.99),
    # A register that counts the outer loop was taken for one that counts the unrolled inner one.
    ("igc2-pvc-O2", "u-30800012", 0.99),
    # Each pass of a loop was taken for the first one; and the copy before for that after it, whose
    # counter the compiler's place had already.
    ("igc1-dg2-O2", "x-31010004", 0.73),
    # The second register with addresses of a variable in memory had been used for something else.
    ("igc1-dg2-O0", "c-30120000", 1.0),
    # A loop of two iterations was taken for one, since each leaves it by a jump of another place.
    ("igc2-dg2-O2", "v-31480004", 0.98),
    # Iterations of an unrolled loop each have a copy of a loop that nothing counts: it was 53 %.
    ("igc2-dg2-O2", "s-45100007", 0.97),
    # A loop that nothing counts is left in several places, and calls functions: it was 69 %.
    ("igc2-dg2-O2", "s-45100005", 1.0),
    # The call of the first iteration is in front of the loop: others were taken for those before.
    ("igc1-dg2-O2", "s-45200007", 0.84),
    # A note of lanes in counted iterations was used for a lane whose iteration nothing counts.
    ("igc2-pvc-O2", "v-46103007", 0.9),
    # The second part of a loop's condition is asked at the end of the iteration before.
    ("igc2-dg2-O2", "s-46119006", 0.9),
]
SLOW = [
    # Lanes that left were given the counter of those inside.
    ("igc1-dg2-O2", "v-9720005", 0.0),
    # A copy goes on with the sum of the copy before.
    ("igc2-dg2-O2", "v-9730000", 0.0),
    # Copies were taken for those before them, without a mark: their sums are made of these' values.
    ("igc2-dg2-O2", "v-9810000", 0.96),
    # The loop is unrolled within another, and each lane leaves it elsewhere.
    ("igc2-dg2-O2", "v-9810007", 0.97),
    # The last copy is for chosen lanes, without a jump; each copy has several of a kind.
    ("igc1-dg2-O2", "v-9820004", 0.94),
]


@pytest.mark.parametrize(("build", "name", "share"), COPIES + SLOW * EVERYTHING)
def test_each_copy_is_known_or_marked(build, name, share, record_property):
    counts, wrong = counted(build, ["--every", name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] > 0
    assert counts["right"] >= share * sum(counts[each] for each in KINDS)
