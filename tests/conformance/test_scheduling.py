"""The order of threads: the same under one policy and seed, and harmless to correct kernels."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from kernel_case import Case
from kernel_cases import CASES
from kernel_launch import run_simulated
from kernel_words import launch_words
from native_programs import native_program
from test_kernels_against_pocl import module_of

from zedbg.levelzero.selection import SCHEDULERS

CONFIGURATIONS = tuple(
    f"igc2-{device}-{level}" for device in ("dg2", "pvc", "bmg") for level in ("O0", "O2")
)
SEEDS = 3
# Kernels whose result depends on the order of work-items, and why.
ORDER_DEPENDENT = {
    "calls": "a work-item reads an element that another one writes",
    "atomics": "an exchange keeps what came last",
    "a64": "an exchange keeps what came last",
    "prn": "lines are printed in the order of threads",
}


@dataclass(frozen=True)
class Schedule:
    """One launch under one policy and seed; digests of what executed when, and of the buffers."""

    policy: str
    seed: int
    trace: int
    buffers: int


def schedules(case: Case, module: Path, directory: Path, seeds: int = SEEDS) -> list[Schedule]:
    """Launches under each policy and seed. Fails when two launches under the same seed differ."""
    words, _ = launch_words(case, module, directory)
    program = str(native_program("xesim_device_schedules"))
    command = [program, *words, "--seeds", str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    return [
        Schedule(row[0], int(row[1]), int(row[2]), int(row[3]))
        for row in rows
        if len(row) == 4 and row[0] in SCHEDULERS  # and not what the kernel printed
    ]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_order_gives_the_same_result(configuration: str, tmp_path: Path) -> None:
    """The whole of tests/kernels: as many traces as schedules, but one result for each kernel."""
    dependent = set()
    for number, case in enumerate(CASES):
        if case.doubles and "-dg2-" in configuration:  # has no 64-bit floating point
            continue
        directory = tmp_path / str(number)
        directory.mkdir()
        found = schedules(case, module_of(case, configuration), directory)
        assert {each.policy for each in found} == set(SCHEDULERS), case.kernel
        if len({each.buffers for each in found}) != 1:
            dependent.add(case.kernel)
    assert dependent <= set(ORDER_DEPENDENT)
    # One thread of the atomics' modules may hold all lanes that race.
    assert dependent >= {"calls"}


def _outputs(groups: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    items = np.arange(groups * size)
    return (100 * (items // size) + 7 + items % size).astype(np.int32)


def _race(kernel: str) -> Case:
    return Case(kernel, "races", (1024,), (256,), [np.full(1024, -1, np.int32)])


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_missing_barrier_shows_under_the_adversarial_policy(
    configuration: str, tmp_path: Path
) -> None:
    right = _outputs(4, 256)
    results = {}
    for kernel in ("missing_barrier", "with_barrier"):
        for policy in SCHEDULERS:
            case = _race(kernel)
            module = module_of(case, configuration)
            launch = run_simulated(case, module, tmp_path, options=["--scheduler", policy])
            assert launch.report == ""
            results[kernel, policy] = bool((launch.buffers[0] == right).all())
    assert results["missing_barrier", "round-robin"], "the race hides from the usual order"
    assert not results["missing_barrier", "adversarial"]
    assert all(results["with_barrier", policy] for policy in SCHEDULERS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_updates_without_an_atomic_are_lost_at_random(configuration: str, tmp_path: Path) -> None:
    groups = 64
    counts = {}
    for policy, seed in (("round-robin", 0), *(("random", seed) for seed in range(4))):
        case = Case("lost_update", "races", (groups * 8,), (8,), [np.zeros(1, np.int32)])
        options = ["--scheduler", policy, "--seed", str(seed)]
        launch = run_simulated(case, module_of(case, configuration), tmp_path, options=options)
        assert launch.report == ""
        counts[policy, seed] = int(launch.buffers[0][0])
    assert counts["round-robin", 0] == groups
    lost = [seed for seed in range(4) if counts["random", seed] < groups]
    assert lost, "no seed lost an update"


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_seeds_choose_the_interleaving(configuration: str, tmp_path: Path) -> None:
    case = Case("lost_update", "races", (64 * 8,), (8,), [np.zeros(1, np.int32)])
    found = schedules(case, module_of(case, configuration), tmp_path, seeds=6)
    again = schedules(case, module_of(case, configuration), tmp_path, seeds=6)
    assert found == again, "another process gives the same interleaving and the same wrong sum"
    traces = [each.trace for each in found]
    assert len(set(traces)) == len(traces)
    assert len({each.buffers for each in found if each.policy == "random"}) > 1
