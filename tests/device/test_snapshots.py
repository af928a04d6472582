"""A launch that is saved in its middle goes on from there as it went on then, again and again.

The native program also damages the snapshot (with and without its checksum), hands it to another
launch, and holds that saving, restoring and saving again gives the same bytes.

``ZEDBG_FULL_CORPUS=1``: every committed kernel, from every compiler, at every level, under every
scheduling policy.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_launch import CONFIGURATIONS as ALL_CONFIGURATIONS
from tests.support.kernels.kernel_words import launch_words
from tests.support.kernels.launches import Launchable, launches
from tests.support.native_programs import native_program
from zedbg.levelzero.scheduling import SCHEDULERS

pytestmark = [pytest.mark.native, pytest.mark.cases(2)]

FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
CONFIGURATIONS = (
    ALL_CONFIGURATIONS if FULL else ("igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2", "igc1-dg2-O0")
)
# Kernels that take long where nothing is optimised.
LONG = {"priv", "matmul", "scan_blelloch", "prefix_hs", "reduce_slm", "sha", "nbody", "mandel"}
# Of the corpus, one kernel of so many in a default run; others in each configuration.
SHARE = 12


def _saved_points(launch: Launchable, directory: Path, number: int, policy: str) -> list[int]:
    """Where the launch was saved: instructions into it. The points vary with ``number``."""
    directory.mkdir()
    words, _ = launch_words(launch.case, launch.module, directory)
    done = subprocess.run(
        [
            str(native_program("xesim_device_snapshots")),
            *words,
            *("--points", "1", "--salt", str(number)),
            *("--scheduler", policy, "--seed", str(number)),
        ],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"{launch.case.kernel} under {policy}: {done.stderr}"
    lines = [line.split() for line in done.stdout.splitlines()]
    return [int(each[0]) for each in lines if len(each) == 2 and each[0].isdecimal()]


def _chosen(configuration: str, number: int, launch: Launchable) -> bool:
    """Whether a launch belongs to the default run."""
    if launch.of_corpus:
        return number % SHARE == CONFIGURATIONS.index(configuration)
    return not (configuration.endswith("O0") and launch.case.kernel in LONG)


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_kernel_goes_on_from_a_random_point(
    configuration: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    saved = 0
    modules = tmp_path_factory.mktemp("corpus")
    for number, launch in enumerate(launches(configuration, modules)):
        policies = SCHEDULERS if FULL else (SCHEDULERS[number % len(SCHEDULERS)],)
        if FULL or _chosen(configuration, number, launch):
            for policy in policies:
                directory = tmp_path / f"{number}-{policy}"
                assert _saved_points(launch, directory, number, policy), launch.case.kernel
                saved += 1
    assert saved > len(CASES) / 2
