"""No value of a variable is wrong without a mark, at any line, for any work-item.

Random kernels are stopped at every line, and what is shown of each variable is compared with what a
twin of the kernel wrote down there. ``ZEDBG_FULL_CORPUS=1`` takes all committed kernels.
"""

import json
import os
import random
import subprocess
from collections import Counter

import pytest

from tests.fuzz.run_variable_truth import unlike_pocl
from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

VARIABLES = MODULES / "variables"
TWINS = VARIABLES / "twins"
BUILDS = sorted(path.name for path in VARIABLES.iterdir() if path != TWINS)
EVERYTHING = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
# Kernels of these a default run takes; the others were kept for what tests below say of them.
RANDOM = {"d-1", "d-4", "h-1", "h-2", "h-3"}
LIMIT = 3000 if EVERYTHING else 600  # seconds
KINDS = ("right", "wrong", "doubtful", "doubtful and wrong", "not shown")
# The least share of values that are right, over all kernels of a build.
RIGHT = {"O0": 0.995, "O2": 0.9}


def counted(build, names):
    command = module_command("truth.variable_truth", build, VARIABLES / build, TWINS, *names)
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    total = Counter()
    for each in found.values():
        total.update(each["counts"])
    return total, [[name, *row] for name, each in found.items() for row in each["wrong"]]


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


@pytest.mark.cases(0)
@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O2", "igc2-bmg-O2"])
def test_each_copy_of_an_unrolled_loop_is_known_as_its_iteration(build, record_property):
    # Its outer loop is unrolled: two copies of an inner loop that registers count.
    counts, wrong = counted(build, ["--every", "d-910011"])
    record_property("shares", dict(counts))
    assert wrong == []
    whole = sum(counts[each] for each in KINDS)
    assert counts["right"] >= 0.95 * whole > 0


@pytest.mark.cases(0)
def test_each_copy_of_loops_unrolled_in_part_or_within_others_is_known(record_property):
    # Of 11,000 values 67 % were right before such copies were told apart.
    counts, wrong = counted("igc2-dg2-O2", ["--every", "u-8310000"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.93 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_copies_are_known_by_what_becomes_of_the_next_result(record_property):
    # Two loops, one in the other, without a loop in the machine code: it was 63 %.
    counts, wrong = counted("igc2-bmg-O2", ["--every", "u-7400001"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] == sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("build", "name"),
    [
        # Both loops are unrolled in part, and values are alike in many iterations: it was 66 %.
        ("igc1-dg2-O2", "u-8000000"),
        # Values differ from copy to copy by amounts that all lanes share: it was 73 %.
        ("igc2-dg2-O2", "u-7900005"),
    ],
)
def test_copies_are_known_by_the_loops_in_them_and_by_other_lines(build, name, record_property):
    counts, wrong = counted(build, ["--every", name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.9 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_copies_are_known_by_the_data_that_flows_through_them(record_property):
    # Floats in accumulators: of 22,560 values 88 % were right.
    counts, wrong = counted("igc1-dg2-O2", ["--every", "u-9500002"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.99 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_a_value_that_an_earlier_copy_also_made_does_not_tell_copies_apart(record_property):
    # The copy before was taken for the one that a thread was in, without a mark.
    counts, wrong = counted("igc1-dg2-O2", ["--every", "u-9500001"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.94 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_what_is_the_same_in_all_copies_is_known(record_property):
    # Most lanes do not come to the only line that changes the variable: it was 90 %.
    counts, wrong = counted("igc1-dg2-O2", ["--every", "u-9500003"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.92 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_a_lane_that_breaks_out_of_a_loop_has_come_to_its_body_once_more(record_property):
    # It was taken for one of the iteration before, without a mark.
    counts, wrong = counted("igc1-dg2-O2", ["--every", "v-9700003"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.91 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("build", "name"),
    [
        ("igc1-dg2-O2", "v-9720005"),  # lanes that left were given the counter of those inside
        ("igc2-dg2-O2", "v-9730000"),  # a copy goes on with the sum of the copy before
    ],
)
def test_copies_that_nothing_sure_tells_apart_are_not_believed(build, name, record_property):
    counts, wrong = counted(build, ["--every", name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] > 0


@pytest.mark.cases(0)
def test_what_an_instruction_takes_of_another_copy_does_not_say_which_one_it_is(record_property):
    # Copies were taken for those before them, without a mark: their sums are made of these' values.
    counts, wrong = counted("igc2-dg2-O2", ["--every", "v-9810000"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.96 * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("build", "name", "share"),
    [
        ("igc2-dg2-O2", "v-9810006", 0.99),
        # The loop is unrolled within another, and each lane leaves it elsewhere.
        ("igc2-dg2-O2", "v-9810007", 0.97),
        # The last copy is for chosen lanes, without a jump; each copy has several of a kind.
        ("igc1-dg2-O2", "v-9820004", 0.94),
    ],
)
def test_jumps_out_of_a_loop_say_which_copy_code_between_them_is(
    build, name, share, record_property
):
    counts, wrong = counted(build, ["--every", name])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= share * sum(counts[each] for each in KINDS) > 0


@pytest.mark.cases(0)
def test_a_loop_of_several_iterations_at_once_may_come_after_one_that_is_made_alone(
    record_property,
):
    counts, wrong = counted("igc2-dg2-O2", ["--every", "v-9810002"])
    record_property("shares", dict(counts))
    assert wrong == []
    assert counts["right"] >= 0.97 * sum(counts[each] for each in KINDS) > 0


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
    ],
)
def test_every_value_of_larger_kernels_is_known(build, name, record_property):
    all_are_known(build, name, record_property)


@pytest.mark.cases(0)
def test_what_twins_write_down_is_what_pocl_does():
    names = sorted(path.stem for path in TWINS.iterdir())
    assert unlike_pocl(TWINS, names) == []
