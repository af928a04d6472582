"""Launches on several threads of the host compute what PoCL and one thread compute.

Their work-groups run in no promised order. Those that wait for each other make progress all the
same, atomics are atomic between them, and elements of memory are read and written whole.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.kernels import corpus
from tests.support.kernels.committed_kernels import expected, module_of
from tests.support.kernels.kernel_case import Array, Case, check_results
from tests.support.kernels.kernel_cases import CASES, ORDER_DEPENDENT
from tests.support.kernels.kernel_launch import run_simulated
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.native

FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
LEVELS = ("O0", "O2") if FULL else ("O2",)
CONFIGURATIONS = tuple(f"igc2-{device}-{level}" for device in EACH_PLATFORM for level in LEVELS)
CORPUS_CONFIGURATIONS = CONFIGURATIONS if FULL else ("igc2-dg2-O2",)
# More threads than most machines have cores, so that each is interrupted anywhere; from the first
# instruction on.
MANY = ("--host-cores", "8", "--alone", "0")


def _run(case: Case, configuration: str, directory: Path) -> list[Array]:
    launch = run_simulated(case, module_of(case, configuration), directory, MANY)
    assert launch.report == ""
    return launch.buffers


@pytest.mark.parametrize(
    ("number", "configuration"),
    [
        pytest.param(number, configuration, id=f"{case.kernel}-{configuration}")
        for number, case in enumerate(CASES)
        for configuration in CONFIGURATIONS
        if case.kernel not in ORDER_DEPENDENT
        and not (case.doubles and "-dg2-" in configuration)  # has no 64-bit floating point
    ],
)
def test_results_equal_those_of_pocl(number: int, configuration: str, tmp_path: Path) -> None:
    found = _run(CASES[number], configuration, tmp_path)
    check_results(CASES[number], found, expected(number, configuration))


@pytest.mark.parametrize("configuration", CORPUS_CONFIGURATIONS)
def test_the_corpus_computes_what_it_computes_on_one_thread(
    configuration: str, tmp_path: Path
) -> None:
    modules = corpus.modules(configuration)
    for case in corpus.CASES:
        if case.source not in modules:
            continue
        directory = tmp_path / case.kernel
        directory.mkdir()
        alone = run_simulated(case, modules[case.source], directory)
        launch = run_simulated(case, modules[case.source], directory, MANY)
        assert launch.report == "", case.kernel
        check_results(case, launch.buffers, alone.buffers)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_million_work_items_leave_the_bits_of_one_thread(
    configuration: str, tmp_path: Path
) -> None:
    items = 1 << 20
    data = np.arange(items, dtype=np.float32)
    case = Case(
        "vadd", "vadd", (items,), (256,), [data, data, np.zeros_like(data), np.int32(items)]
    )
    _, _, found = _run(case, configuration, tmp_path)
    np.testing.assert_array_equal(found, data + data)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("groups", (2, 40, 300))
def test_groups_that_wait_for_all_others_go_on(
    configuration: str, groups: int, tmp_path: Path
) -> None:
    rounds = 10
    values = np.arange(groups, dtype=np.int32)
    for _ in range(rounds):
        values = 3 * values + np.roll(values, -1)
    case = Case(
        *("grid_barrier", "grid", (16 * groups,), (16,)),
        [
            *(np.zeros(1, np.int32), np.zeros(2 * groups, np.int32)),
            *(np.zeros(groups, np.int32), np.int32(rounds)),
        ],
    )
    arrived, _, found = _run(case, configuration, tmp_path)
    assert arrived[0] == rounds * groups
    np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_groups_hand_a_value_from_one_to_the_next(configuration: str, tmp_path: Path) -> None:
    groups = 300
    case = Case(
        *("hand_over", "grid", (16 * groups,), (16,)),
        [np.zeros(groups, np.int32), np.zeros(groups, np.int32)],
    )
    _, found = _run(case, configuration, tmp_path)
    expected = [1]
    for group in range(1, groups):
        expected.append((5 * expected[-1] + group) % (1 << 32))
    np.testing.assert_array_equal(found.view(np.uint32), np.array(expected, np.uint32))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_no_two_work_items_draw_the_same_ticket(configuration: str, tmp_path: Path) -> None:
    items = 1 << 16
    arguments: list[object] = [np.zeros(1, np.int32), np.zeros(items, np.int32)]
    case = Case("tickets", "grid", (items,), (64,), arguments)
    count, drawn = _run(case, configuration, tmp_path)
    assert count[0] == items
    assert (drawn == 1).all()


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_an_integer_is_read_and_written_whole(configuration: str, tmp_path: Path) -> None:
    arguments: list[object] = [np.zeros(1, np.uint32), np.zeros(1, np.int32)]
    case = Case("whole_values", "grid", (2048,), (16,), arguments)
    _, torn = _run(case, configuration, tmp_path)
    assert torn[0] == 0


# A buffer of an optimised kernel for dg2 is a surface, beyond which nothing is a fault.
@pytest.mark.parametrize("configuration", ("igc2-pvc-O2", "igc2-bmg-O2"))
def test_a_fault_names_a_thread_that_met_one(configuration: str, tmp_path: Path) -> None:
    data = np.arange(4096, dtype=np.float32)
    case = Case(
        "vadd", "vadd", (1 << 16,), (64,), [data, data, np.zeros_like(data), np.int32(1 << 16)]
    )
    report = run_simulated(case, module_of(case, configuration), tmp_path, MANY).report
    found = re.search(r"^kernel vadd, thread [\d.]+, work-group \((\d+),0,0\), ip 0x", report)
    assert found is not None, report
    assert "page fault" in report
    assert int(found[1]) >= 4096 // 64, "a group whose elements are inside the buffers"


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


def test_as_many_threads_are_used_as_there_are_cores_or_as_are_asked_for(
    simulator_environment: dict[str, str], tmp_path: Path
) -> None:
    alone = _threads(simulator_environment | {"XESIM_HOST_CORES": "1"}, 2)
    assert _threads(simulator_environment, 1) == alone
    assert _threads(simulator_environment | {"XESIM_HOST_CORES": "5"}, 1) == alone + 4
    if len(os.sched_getaffinity(0)) > 1:
        assert _threads(simulator_environment, 2) == alone + 1
    # What asks for an order has it.
    for variable, value in (
        ("XESIM_SCHEDULER", "round-robin"),
        ("XESIM_TRACE", str(tmp_path / "trace")),
        ("XESIM_PROFILE", str(tmp_path / "profile")),
    ):
        assert _threads(simulator_environment | {variable: value}, 2) == alone, variable


@pytest.mark.cases(0)
def test_a_debugger_finds_launches_on_many_threads_as_on_one() -> None:
    """Every case of debug control, where launches are on many threads until a debugger comes."""
    program = str(native_program("xesim_device_debug_control"))
    module = str(ZEBINS / "igc2-dg2-O0" / "vadd.zebin")
    listing = subprocess.run([program, "--list"], check=True, capture_output=True, text=True)
    for case in listing.stdout.split():
        for cores in ("2", "8"):
            done = subprocess.run(
                [program, case, module, cores], capture_output=True, text=True, timeout=60
            )
            assert done.returncode == 0, f"{case}, {cores}: {done.stderr}"
