"""Any past time of a launch is shown as it was, and what a search finds happened.

The native programs compare the state at random times with that of a run straight to them, and look
at the past of a launch that a debugger had stopped and changed.

``ZEDBG_FULL_CORPUS=1``: every committed kernel, from every compiler, at every level.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from tests.support.kernels.kernel_launch import CONFIGURATIONS as ALL_CONFIGURATIONS
from tests.support.kernels.kernel_words import launch_words
from tests.support.kernels.launches import Launchable, launches
from tests.support.native_programs import native_program
from zedbg.levelzero.scheduling import SCHEDULERS

pytestmark = pytest.mark.native

FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
CONFIGURATIONS = (
    ALL_CONFIGURATIONS if FULL else ("igc1-dg2-O0", "igc2-pvc-O0", "igc2-bmg-O2", "igc2-dg2-O2")
)
# A default run takes these: barriers, shared local memory, atomics, scratch space, printing.
KERNELS = {"vadd", "scan_blelloch", "hist", "spills", "reduce_slm"}
VISITED = {"vadd", "scan_blelloch", "blocks_uint"}  # blocks: of a whole thread


def _run(program: str, launch: Launchable, directory: Path, *options: str) -> str:
    directory.mkdir()
    words, _ = launch_words(launch.case, launch.module, directory)
    done = subprocess.run(
        [str(native_program(program)), *words, *options],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"{launch.case.kernel}: {done.stderr}"
    return done.stdout


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_past_is_what_a_run_straight_to_it_gives(
    configuration: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    compared = cancelled = found = 0
    modules = tmp_path_factory.mktemp("corpus")
    for number, launch in enumerate(launches(configuration, modules)):
        if FULL or launch.case.kernel in KERNELS:
            policy = SCHEDULERS[number % len(SCHEDULERS)]
            options = ("--points", "3", "--salt", str(number), "--scheduler", policy)
            said = _run(
                "xesim_time_replays", launch, tmp_path / str(number), *options, "--host", "1"
            )
            compared += 1
            cancelled += "asked 1" in said.splitlines()
            found += "found 0" not in said.splitlines()
    assert compared >= 3
    assert cancelled != 0  # a replay that was given up on the way
    assert found != 0  # writes that are searched for


def test_what_the_host_allocates_in_the_middle_of_a_launch_is_in_its_past(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    modules = tmp_path_factory.mktemp("corpus")
    (launch,) = (each for each in launches("igc2-pvc-O0", modules) if each.case.kernel == "vadd")
    options = ("--points", "1", "--host-allocation", "1")
    said = _run("xesim_time_replays", launch, tmp_path / "vadd", *options)
    assert "used what the host allocated" in said.splitlines()


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "configuration", ("igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2", "igc2-dg2-O0")
)
def test_a_debugger_looks_into_the_past_and_changes_nothing(
    configuration: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    every = list(launches(configuration, tmp_path_factory.mktemp("corpus")))
    visited = [
        _run("xesim_driver_time_session", launch, tmp_path / f"always{number}").splitlines()
        for number, launch in enumerate(every)
        if launch.case.kernel in VISITED
    ]
    assert len(visited) == len(VISITED)
    # Writes and all accesses of global memory, those of shared local memory, and what one thread
    # did to registers, that were watched.
    stops = [
        [int(line.split()[1]) for line in said if line.startswith("stops")] for said in visited
    ]
    assert all(writes and accesses > writes for writes, accesses, _, _ in stops)
    assert any(local for _, _, local, _ in stops)
    assert all(registers > 1 for *_, registers in stops)
    more = every if FULL else random.Random(configuration).sample(every, len(every) // 16)
    if FULL or request.config.getoption("--all"):
        for number, launch in enumerate(more):
            _run("xesim_driver_time_session", launch, tmp_path / f"more{number}")
