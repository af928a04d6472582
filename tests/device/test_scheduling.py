"""The order of threads: the same under one policy and seed, and harmless to correct kernels.

``ZEDBG_FULL_CORPUS=1``: every committed kernel, from every compiler and at every level.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels import corpus
from tests.support.kernels.committed_kernels import module_of
from tests.support.kernels.kernel_case import Case, check_results
from tests.support.kernels.kernel_cases import CASES, ORDER_DEPENDENT
from tests.support.kernels.kernel_launch import CONFIGURATIONS as ALL_CONFIGURATIONS
from tests.support.kernels.kernel_launch import run_simulated
from tests.support.kernels.kernel_words import launch_words
from tests.support.kernels.launches import LOST, launches
from tests.support.native_programs import native_program
from zedbg.levelzero.scheduling import SCHEDULERS

pytestmark = pytest.mark.cases(2)

FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
CONFIGURATIONS = tuple(each for each in ALL_CONFIGURATIONS if each.startswith("igc2"))
KERNEL_CONFIGURATIONS = ALL_CONFIGURATIONS if FULL else CONFIGURATIONS
# Of the corpus, one kernel of so many in a default run; others in each configuration.
SHARE = 18
SEEDS = 3


@dataclass(frozen=True)
class Schedule:
    """One launch under one policy and seed; digests of what executed when, and of memory after."""

    policy: str
    seed: int
    trace: int
    memory: int


def schedules(case: Case, module: Path, directory: Path, seeds: int = SEEDS) -> list[Schedule]:
    """Launches under each policy and seed. Fails when two launches under the same seed differ."""
    words, _ = launch_words(case, module, directory)
    program = str(native_program("xesim_device_schedules"))
    command = [program, *words, "--seeds", str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    return [
        Schedule(row[0], int(row[1]), int(row[2]), int(row[3]))
        for row in rows
        if len(row) == 4 and row[0] in SCHEDULERS  # and not what the kernel printed
    ]


@pytest.mark.cases(0)
@pytest.mark.parametrize("configuration", KERNEL_CONFIGURATIONS)
def test_every_order_gives_the_same_result(configuration: str, tmp_path: Path) -> None:
    """The whole of tests/kernels: as many traces as schedules, but one result for each kernel."""
    for number, case in enumerate(CASES):
        if case.doubles and "-dg2-" in configuration:  # has no 64-bit floating point
            continue
        directory = tmp_path / str(number)
        directory.mkdir()
        found = schedules(case, module_of(case, configuration), directory)
        assert {each.policy for each in found} == set(SCHEDULERS), case.kernel
        results = {each.memory for each in found}
        assert len(results) == 1 or case.kernel in ORDER_DEPENDENT, case.kernel


@pytest.mark.native
@pytest.mark.parametrize("configuration", KERNEL_CONFIGURATIONS)
def test_the_corpus_has_the_same_results_in_every_order(
    configuration: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """To the bit; where atomics hand out places, or sums of floats take turns, as the case says."""
    modules = tmp_path_factory.mktemp("corpus")
    compared = 0
    for number, launch in enumerate(launches(configuration, modules)):
        case, module = launch.case, launch.module
        share = number % SHARE == ALL_CONFIGURATIONS.index(configuration)
        if not launch.of_corpus or not (FULL or share):
            continue
        directory = tmp_path / str(number)
        directory.mkdir()
        found = schedules(case, module, directory, seeds=2)
        assert {each.policy for each in found} == set(SCHEDULERS), case.kernel
        compared += 1
        if len({each.memory for each in found}) != 1:
            _compare_orders(case, module, directory, found)
    assert compared > 4


@pytest.mark.parametrize(("kernel", "configuration"), sorted(LOST))
def test_launches_that_are_left_out_are_lost(
    kernel: str, configuration: str, tmp_path: Path
) -> None:
    case = next(case for case in corpus.CASES if case.kernel == kernel)
    module = corpus.modules(configuration)[case.source]
    assert "leaves the register file" in run_simulated(case, module, tmp_path).report


def _compare_orders(case: Case, module: Path, directory: Path, found: list[Schedule]) -> None:
    """Holds that a launch leaves what its case allows, in each of the orders that ``found`` has."""
    usual = run_simulated(case, module, directory)
    for each in found:
        options = ["--scheduler", each.policy, "--seed", str(each.seed)]
        launch = run_simulated(case, module, directory, options=options)
        assert launch.report == "", case.kernel
        check_results(case, launch.buffers, usual.buffers)


@pytest.mark.native
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_race_between_groups_shows_in_some_order(configuration: str, tmp_path: Path) -> None:
    """Whether an element that another work-item writes is above a limit decides the result."""
    case = next(case for case in CASES if case.kernel == "calls")
    elements = np.random.default_rng(20).integers(0, 1001, 128).astype(np.int32)
    racing = dataclasses.replace(case, arguments=[elements, *case.arguments[1:]])
    found = schedules(racing, module_of(case, configuration), tmp_path)
    assert len({each.memory for each in found}) > 1


def _outputs(groups: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    items = np.arange(groups * size)
    return (100 * (items // size) + 7 + items % size).astype(np.int32)


def _race(kernel: str) -> Case:
    return Case(kernel, "races", (1024,), (256,), [np.full(1024, -1, np.int32)])


@pytest.mark.native
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
    assert len({each.memory for each in found if each.policy == "random"}) > 1
