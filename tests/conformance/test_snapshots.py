"""A launch that is saved in its middle goes on from there as it went on then, again and again.

The native program also damages the snapshot (with and without its checksum), hands it to another
launch, and holds that saving, restoring and saving again gives the same bytes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kernel_case import Case
from kernel_cases import CASES
from kernel_words import launch_words
from native_programs import native_program
from test_kernels_against_pocl import module_of

from zedbg.levelzero.selection import SCHEDULERS

CONFIGURATIONS = ("igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2", "igc1-dg2-O0")
# Kernels that take long where nothing is optimised.
LONG = {"priv", "matmul", "scan_blelloch", "prefix_hs", "reduce_slm", "sha", "nbody", "mandel"}


def _saved_points(case: Case, module: Path, directory: Path, number: int) -> list[int]:
    """Where the launch was saved: instructions into it. The policy and the points vary."""
    words, _ = launch_words(case, module, directory)
    policy = SCHEDULERS[number % len(SCHEDULERS)]
    done = subprocess.run(
        [
            str(native_program("xesim_device_snapshots")),
            *words,
            *("--points", "1", "--salt", str(number)),
            *("--scheduler", policy, "--seed", str(number)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"{case.kernel} under {policy}: {done.stderr}"
    lines = [line.split() for line in done.stdout.splitlines()]
    return [int(each[0]) for each in lines if len(each) == 2 and each[0].isdecimal()]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_kernel_goes_on_from_a_random_point(configuration: str, tmp_path: Path) -> None:
    for number, case in enumerate(CASES):
        if case.doubles and "-dg2-" in configuration:  # has no 64-bit floating point
            continue
        if configuration.endswith("O0") and case.kernel in LONG:
            continue
        directory = tmp_path / str(number)
        directory.mkdir()
        assert _saved_points(case, module_of(case, configuration), directory, number)
