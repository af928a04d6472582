"""What work-items know of their launch, in each dimension, compared with PoCL: numbers that
reach kernels in their payload, and functions that are called through the stack in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import run
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_launch import CONFIGURATIONS, run_pocl
from tests.support.places import KERNELS

NUMBERS, DIMENSIONS = 9, 4  # of the kernels
LAUNCHES = {
    "three dimensions": ((12, 6, 4), (4, 3, 2), (5, 70, 1 << 20)),
    "two dimensions": ((8, 10), (8, 5), ()),
    "one dimension": ((96,), (48,), (7,)),
}
# Debian 12's compiler reads ids where r0.0 points, as it does arguments: docs/simulated-gpu.md.
CALLED = [name for name in CONFIGURATIONS if not name.startswith("igc1")]


def launch(kernel: str, shape: str, asked: int) -> Case:
    size, group, offset = LAUNCHES[shape]
    items = int(np.prod(size))
    out = np.zeros(items * NUMBERS * DIMENSIONS, np.uint64)
    return Case(kernel, kernel, size, group, [out, np.uint32(asked)], offset=offset)


@pytest.mark.parametrize(
    ("kernel", "configuration"),
    [
        *(("launch_numbers", name) for name in CONFIGURATIONS),
        *(("called_numbers", name) for name in CALLED),
    ],
)
@pytest.mark.parametrize("shape", LAUNCHES)
def test_every_number_of_a_launch_is_that_of_pocl(
    kernel: str, configuration: str, shape: str, tmp_path: Path
) -> None:
    source = (KERNELS / "src" / f"{kernel}.cl").read_text()
    (wanted,) = run_pocl(launch(kernel, shape, 1), source)
    wanted = wanted.reshape(-1, NUMBERS, DIMENSIONS)
    for asked in range(3):
        report, (found,) = run(launch(kernel, shape, asked), configuration, tmp_path)
        assert report == ""
        wanted[:, :, 3] = wanted[:, :, asked]
        np.testing.assert_array_equal(found.reshape(wanted.shape), wanted)
