"""No value of a variable is wrong without a mark, at any line, for any work-item.

Random kernels are stopped at every line, and what is shown of each variable is compared with what a
twin of the kernel wrote down there. ``ZEDBG_FULL_CORPUS=1`` takes all committed kernels.
"""

import random

import pytest

from tests.fuzz.run_variable_truth import unlike_pocl
from tests.support.truth.truth_counts import EVERYTHING, KINDS, TWINS, VARIABLES, counted

BUILDS = sorted(path.name for path in VARIABLES.iterdir() if path != TWINS)
# Kernels of these a default run takes; the others were kept for what other tests say of them.
RANDOM = {"d-1", "d-4", "h-1", "h-2", "h-3"}
# The least share of values that are right, over all kernels of a build.
RIGHT = {"O0": 0.995, "O2": 0.9}


@pytest.mark.cases(2)
@pytest.mark.parametrize("build", BUILDS)
def test_no_value_is_wrong_without_a_mark(build, record_property):
    names = sorted(path.stem for path in (VARIABLES / build).iterdir())
    if not EVERYTHING:
        names = [random.Random(build).choice([name for name in names if name in RANDOM])]
    counts, wrong = counted(build, names)
    record_property("shares", dict(counts))
    assert wrong == []
    whole = sum(counts[each] for each in KINDS)
    assert whole > 0
    if EVERYTHING:
        assert counts["right"] >= RIGHT[build[-2:]] * whole


def all_are_known(build, name, record_property):
    counts, wrong = counted(build, [name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] == sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "name",
    [
        "h-5600009",  # a loop's counter is another variable's; its body writes by a0
        "h-5600022",  # the debug information lacks a variable
    ],
)
def test_every_value_is_known(name, record_property):
    all_are_known("igc1-dg2-O2", name, record_property)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("build", "name"),
    [
        ("igc2-dg2-O2", "p-40100004"),  # functions change what was passed to them by value
        ("igc1-dg2-O2", "p-40100003"),  # structures with pointers, which have no address
        ("igc2-dg2-O2", "p-40100003"),
    ],
)
def test_every_value_that_is_passed_is_known(build, name, record_property):
    all_are_known(build, name, record_property)


def test_a_place_that_the_compiler_wrote_in_another_way_hides_no_other_variable(record_property):
    counts, wrong = counted("igc2-dg2-O2", ["p-40300004"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.95 * sum(counts[each] for each in KINDS)


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("build", "name"),
    [
        ("igc2-bmg-O2", "h-5600009"),
        ("igc1-dg2-O2", "h-5500004"),  # counters are copied; code of inner loops comes after them
        ("igc2-bmg-O2", "h-5500004"),
        ("igc1-dg2-O2", "h-5600007"),  # a counter begins with what the compiler made of others
        ("igc2-bmg-O2", "h-5600007"),
        ("igc1-dg2-O0", "h-6100003"),  # variables without a place in a loop with its counter in one
        ("igc1-dg2-O0", "v-9850000"),  # blocks' variables share the registers of their addresses
    ],
)
def test_every_value_of_larger_kernels_is_known(build, name, record_property):
    all_are_known(build, name, record_property)


@pytest.mark.cases(0)
def test_what_twins_write_down_is_what_pocl_does():
    names = sorted(path.stem for path in TWINS.iterdir())
    assert unlike_pocl(TWINS, names) == []
