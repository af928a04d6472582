"""What is computed for all lanes at once is what is computed for each lane by itself: values,
and why there is none. Real kernels, stopped at their lines."""

import json
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

VARIABLES = MODULES / "variables"
KERNELS = [
    (path.parent.name, path.stem)
    for path in sorted(VARIABLES.glob("*-O2/*.zebin"))
    if path.parent.name != "twins"
]
CARRIED = sorted(path.name for path in (MODULES / "carried").iterdir())


def outcome(*arguments):
    command = module_command(*arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.cases(0)
@pytest.mark.parametrize(("build", "name"), KERNELS)
def test_values_of_random_kernels_are_the_same_in_both_ways(build, name):
    folder, twins = VARIABLES / build, VARIABLES / "twins"
    found = outcome("truth.both_ways", "variable_truth", build, folder, twins, name)
    assert found["unlike"] == []
    assert found["values"] > 0


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", CARRIED)
def test_values_that_loops_carry_are_the_same_in_both_ways(build):
    found = outcome("truth.both_ways", "carried_values", build)
    assert found["unlike"] == []
    assert found["loops"] > 1000


@pytest.mark.cases(0)
@pytest.mark.parametrize("build", CARRIED)
def test_values_that_loops_carry_are_right(build):
    found = outcome("truth.carried_values", build)
    assert all(unlike == [] for _, unlike in found.values())
    assert {name for name, (shown, _) in found.items() if shown <= 100} == {"own"}
