"""A launch on two cores of the host leaves the bits of one core, races and faults included.

The native program runs each launch on one core, on two where it pays, and on two wherever that is
allowed, with every other range of work-groups on the second core. It compares how the launch ended,
how many instructions it executed, and all of the device's memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.kernels import corpus
from tests.support.kernels.committed_kernels import module_of
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_words import launch_words
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.native

FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
LEVELS = ("O0", "O2") if FULL else ("O2",)
CONFIGURATIONS = tuple(f"igc2-{device}-{level}" for device in EACH_PLATFORM for level in LEVELS)
CORPUS_CONFIGURATIONS = CONFIGURATIONS if FULL else ("igc2-dg2-O2",)
# Launches of kernels whose buffers overlap at random.
SEEDS = int(os.environ.get("ZEDBG_HOST_CORES_SEEDS", "3"))
# Their loops end whatever the buffers hold.
BOUNDED = {
    *("vadd", "saxpy", "reduce_slm", "transpose", "matmul", "hist", "bitonic", "scan_blelloch"),
    *("prefix_hs", "stencil", "sha", "mandel", "nbody"),
}


@dataclass(frozen=True)
class Batches:
    """What became of turns that were tried on two cores."""

    completed: int
    abandoned: int


def _compare(words: Iterable[str]) -> tuple[Batches, str]:
    """The batches of both launches on two cores, and how the launch was lost (or nothing)."""
    program = str(native_program("xesim_device_host_cores"))
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
    lines = [line for line in done.stdout.splitlines() if line.startswith(("batches ", "lost "))]
    completed, abandoned = lines[-1].split()[1:]
    lost = lines[0].removeprefix("lost ") if len(lines) > 1 else ""
    return Batches(int(completed), int(abandoned)), lost


def _compare_all(cases: Iterable[tuple[Case, Path]], directory: Path) -> dict[str, Batches]:
    found = {}
    for number, (case, module) in enumerate(cases):
        files = directory / str(number)
        files.mkdir()
        found[case.kernel], _ = _compare(launch_words(case, module, files)[0])
    return found


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_kernel_leaves_the_bits_of_one_core(configuration: str, tmp_path: Path) -> None:
    found = _compare_all(
        (
            (case, module_of(case, configuration))
            for case in CASES
            if not (case.doubles and "-dg2-" in configuration)  # no 64-bit floating point
        ),
        tmp_path,
    )
    completed = {kernel for kernel, batches in found.items() if batches.completed}
    assert completed >= {"vadd", "saxpy", "transpose", "matmul", "mandel", "stencil", "sha"}
    assert found["calls"].abandoned, "a work-item reads what one of another group writes"


@pytest.mark.parametrize("configuration", CORPUS_CONFIGURATIONS)
def test_the_corpus_leaves_the_bits_of_one_core(
    configuration: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    modules = corpus.modules(configuration)
    found = _compare_all(
        ((case, modules[case.source]) for case in corpus.CASES if case.source in modules), tmp_path
    )
    completed = [batches for batches in found.values() if batches.completed]
    assert len(completed) > len(found) / 2
    for kernel in ("work_queue", "hash_table"):
        assert found[kernel].abandoned, f"the groups of {kernel} meet in atomics"


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_updates_without_an_atomic_are_those_of_one_core(
    configuration: str, tmp_path: Path
) -> None:
    case = Case("lost_update", "races", (64 * 8,), (8,), [np.zeros(1, np.int32)])
    batches, _ = _compare(launch_words(case, module_of(case, configuration), tmp_path)[0])
    assert batches.abandoned


def _overlap(words: list[str], case: Case, seed: int, directory: Path) -> list[str]:
    """The words of a launch whose buffers are all in one, where they start at random."""
    random = np.random.default_rng(seed)
    room = max(value.nbytes for value in case.arguments if isinstance(value, np.ndarray))
    memory = directory / "memory.bin"
    memory.write_bytes(random.bytes(2 * room))
    pointers = [index for index, word in enumerate(words) if word.startswith("buf:")]
    overlapping = list(words)
    overlapping[pointers[0]] = f"buf:{memory}"
    for index in pointers[1:]:
        reach = int(random.choice([64, room]))  # some dwords apart, or anywhere
        overlapping[index] = f"same:0@{4 * int(random.integers(0, reach // 4 + 1))}"
    return overlapping


@pytest.mark.parametrize("configuration", ("igc2-dg2-O2", "igc2-pvc-O2"))
def test_kernels_whose_buffers_overlap_leave_the_bits_of_one_core(
    configuration: str, tmp_path: Path
) -> None:
    """Any kernel is a racy one when work-items read what others write, or write it too."""
    abandoned = completed = 0
    for case in (case for case in CASES if case.kernel in BOUNDED):
        for seed in range(SEEDS):
            directory = tmp_path / f"{case.kernel}{seed}"
            directory.mkdir()
            words, _ = launch_words(case, module_of(case, configuration), directory)
            batches, _ = _compare(_overlap(words, case, seed, directory))
            completed += batches.completed
            abandoned += batches.abandoned
    assert abandoned > completed / 8, "hardly a launch was racy"
    assert completed, "no launch was without a race"


def test_a_fault_is_that_of_one_core(tmp_path: Path) -> None:
    """Thousands of threads run on; the report names the one that one core meets first."""
    data = np.arange(4096, dtype=np.float32)
    case = Case(
        "vadd", "vadd", (1 << 16,), (64,), [data, data, np.zeros_like(data), np.int32(1 << 16)]
    )
    words, _ = launch_words(case, module_of(case, "igc2-pvc-O2"), tmp_path)
    batches, lost = _compare(words)
    assert "page fault" in lost
    assert batches.abandoned


def test_a_million_work_items_come_in_batches(tmp_path: Path) -> None:
    items = 1 << 20
    data = np.arange(items, dtype=np.float32)
    case = Case(
        "vadd", "vadd", (items,), (256,), [data, data, np.zeros_like(data), np.int32(items)]
    )
    batches, _ = _compare(launch_words(case, module_of(case, "igc2-dg2-O2"), tmp_path)[0])
    assert batches.completed > 20
    assert batches.abandoned == 0


# Launches a kernel of a million work-items, and says how many threads the process has then.
_COUNTS_THREADS = """
import os, sys
from pathlib import Path
from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

ITEMS = 1 << 20
driver = drivers()[0]
device = driver.devices[0]
context = Context(driver)
kernel = Module(context, device, Path(sys.argv[1]).read_bytes()).kernel("vadd")
kernel.set_group_size(256)
buffers = [context.allocate(MemoryKind.SHARED, 4 * ITEMS, device) for _ in range(3)]
for index, buffer in enumerate(buffers):
    kernel.set_argument_memory(index, buffer)
kernel.set_argument_bytes(3, ITEMS.to_bytes(4, "little"))
ImmediateCommandList(context, device).append_launch(kernel, (ITEMS // 256, 1, 1))
print(len(os.listdir("/proc/self/task")))
"""


def _threads(environment: dict[str, str], cores: int) -> int:
    """Threads of a program that has made a large launch; it may use ``cores`` of the host."""
    module = ZEBINS / "igc2-dg2-O2" / "vadd.zebin"
    affinity = sorted(os.sched_getaffinity(0))[:cores]
    command = ["taskset", "-c", ",".join(map(str, affinity)), sys.executable, "-c", _COUNTS_THREADS]
    environment = environment | {"PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [*command, str(module)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_two_cores_are_used_unless_there_is_one_or_one_is_asked_for(
    simulator_environment: dict[str, str],
) -> None:
    alone = _threads(simulator_environment | {"XESIM_HOST_CORES": "1"}, 2)
    assert _threads(simulator_environment, 1) == alone
    if len(os.sched_getaffinity(0)) > 1:
        assert _threads(simulator_environment, 2) == alone + 1
