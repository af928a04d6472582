"""Variables of random kernels, at each line and in each work-item, are what GDB shows of them where
PoCL runs the same source."""

import json
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

VARIABLES = MODULES / "variables"
KERNELS = ["d-1", "d-4", "h-1", "h-2"]  # whose work-items do not meet
BUILDS = ["igc1-dg2-O0", "igc2-dg2-O0", "igc2-pvc-O0", "igc1-dg2-O2", "igc2-dg2-O2", "igc2-bmg-O2"]


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("build", "name"),
    [
        (build, name)
        for build in BUILDS
        for name in KERNELS
        if (VARIABLES / build / f"{name}.zebin").exists()
    ],
)
def test_values_are_those_that_gdb_shows_of_pocls_kernel(build, name):
    command = module_command("truth.pocl_under_gdb", build, VARIABLES / build, name)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    ((_, found),) = json.loads(done.stdout).items()
    assert found["wrong"] == []
    counts = found["counts"]
    assert counts["right"] > max(0.8 * sum(counts.values()), 500)
