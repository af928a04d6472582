"""Values are those that the kernel itself stores: in every lane, on every device, from both
compilers, O0 and O2. What cannot be shown says why; nothing is shown wrong."""

import json
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.truth.truth_cases import CASES

pytestmark = pytest.mark.cases(2)

BUILDS = [
    *(f"{compiler}-dg2-{level}" for compiler in ("igc1", "igc2") for level in ("O0", "O2")),
    *(f"{compiler}-pvc-{level}" for compiler in ("igc1", "igc2") for level in ("O0", "O2")),
    *("igc2-bmg-O0", "igc2-bmg-O2"),
]
# What the older compiler made no debug information for, a module and an array in shared local
# memory, is no case here.
WITHOUT = {
    (name, build)
    for name in ("private", "transpose")
    for build in BUILDS
    if build.startswith("igc1")
}
# The older compiler locates a structure through registers that do not hold its address, or not any
# more: nothing can be shown, and nothing wrong is.
UNREADABLE = {
    (name, build)
    for name in ("structs", "structs_by_value")
    for build in ("igc1-dg2-O0", "igc1-pvc-O0")
}
PLACES = [
    (name, build) for build in BUILDS for name in sorted(CASES) if (name, build) not in WITHOUT
]


@pytest.fixture(scope="module")
def found(pytestconfig):
    """What is shown and what is stored, for each case of a build: made when asked for, with --all
    for all cases together."""
    known = {}

    def of(name, build):
        if name not in known.setdefault(build, {}):
            names = [case for case, where in PLACES if where == build]
            names = names if pytestconfig.getoption("--all") else [name]
            done = subprocess.run(
                module_command("truth.truth_cases", build, *names),
                capture_output=True,
                text=True,
                timeout=180,
            )
            assert done.returncode == 0, done.stderr
            known[build] |= json.loads(done.stdout)
        return known[build][name]

    return of


@pytest.mark.parametrize(("name", "build"), PLACES)
def test_what_is_shown_is_what_the_kernel_stores(name, build, found, record_property):
    pairs = found(name, build)
    shown = [(number, stored) for number, stored in pairs if not isinstance(number, str)]
    wrong = [pair for pair in shown if pair[0] != pair[1]]
    record_property(
        "shares", f"{len(shown) - len(wrong)} right, {len(wrong)} wrong of {len(pairs)}"
    )
    assert pairs
    assert not wrong
    assert all(reason for reason, _ in pairs if isinstance(reason, str))
    if build.endswith("O0") and (name, build) not in UNREADABLE:
        assert len(shown) == len(pairs)


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_a_counter_that_all_lanes_share_is_not_shown_after_its_loop(build, found):
    pairs = found("mandel", build)
    # What is computed again is: of lanes that went round a few times.
    assert {number for number, stored in pairs if number != stored} == {
        "lanes left the loop at different times, and the compiler kept the last one's value only"
    }
