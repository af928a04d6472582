"""A launch takes memory for the threads that the device holds, not for those that it is to run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import module_of
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_words import launch_words
from tests.support.native_programs import native_program

ITEMS = 1 << 20
GROUP = 256
# Runs a program and prints its peak in kilobytes. Linux counts what a process had in memory before
# exec, which for a child of the tests is their own memory: this small process stands in between.
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _peak(items: int, configuration: str, cores: int, directory: Path) -> int:
    """The most bytes that the program had in memory, of ``vadd`` over ``items`` work-items; on
    ``cores`` of the host."""
    data = np.arange(items, dtype=np.float32)
    case = Case(
        "vadd", "vadd", (items,), (GROUP,), [data, data, np.zeros_like(data), np.int32(items)]
    )
    words, files = launch_words(case, module_of(case, configuration), directory)
    program = str(native_program("xesim_device_run_kernel"))
    measure = [sys.executable, "-S", "-c", MEASURE, program, *words, "--host-cores", str(cores)]
    kilobytes = subprocess.run(measure, check=True, stdout=subprocess.PIPE).stdout
    np.testing.assert_array_equal(np.fromfile(files[2], dtype=np.float32), data + data)
    return int(kilobytes) * 1024


@pytest.mark.parametrize(
    ("configuration", "cores"), [("igc2-dg2-O2", 1), ("igc2-pvc-O0", 1), ("igc2-dg2-O2", 2)]
)
def test_a_million_work_items_need_little_more_than_those_that_run_at_once(
    configuration: str, cores: int, tmp_path: Path
) -> None:
    """Twice as many work-items cost their buffers (and the copies that the program keeps) only."""
    half, whole = (_peak(items, configuration, cores, tmp_path) for items in (ITEMS // 2, ITEMS))
    buffers = 3 * 4 * (ITEMS // 2)
    assert whole - half < 3 * buffers
    assert whole < 512 << 20
