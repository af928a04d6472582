"""Kernels that exist for the messages that they send: blocks, atomics of floats, barriers, printf.

Results are compared with PoCL where it builds the source, else against the same thing in NumPy.
Every configuration that has the kernel's module is run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import module_of, run
from tests.support.kernels.kernel_launch import CONFIGURATIONS, lanes_of
from tests.support.kernels.message_cases import CASES, barrier
from tests.support.kernels.pocl import cl
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS

pytestmark = pytest.mark.native


def _has(source: str, configuration: str) -> bool:
    return (ZEBINS / configuration / f"{source}.zebin").exists()


@pytest.mark.parametrize(
    ("name", "configuration"),
    [
        pytest.param(name, configuration, id=f"{name}-{configuration}")
        for name, (case, _) in CASES.items()
        for configuration in CONFIGURATIONS
        if _has(case.source, configuration)
    ],
)
def test_results_are_those_of_the_same_thing_in_numpy(
    name: str, configuration: str, tmp_path: Path
) -> None:
    case, expected = CASES[name]
    if name == "named_barriers":  # whose barrier is for two hardware threads
        group = 2 * lanes_of(module_of(case, configuration), case.kernel)
        out = np.zeros(2 * group, np.int32)
        case, expected = barrier(name, 0, out, group)
    buffers = [value for value in case.arguments if isinstance(value, np.ndarray)]
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    for result, wanted in zip(found, expected(buffers), strict=True):
        np.testing.assert_array_equal(result, wanted)


FLOATS = np.array([1.5, -2.25, 1e10, 0.1], np.float32)
LONGS = np.array([1 << 40, -5, 7, 0], np.int64)

POCL_PRINTS = """
import numpy as np, pyopencl as cl, sys
platform = next(p for p in cl.get_platforms() if "Portable" in p.name)
context = cl.Context(platform.get_devices())
kernel = cl.Program(context, open(sys.argv[1]).read()).build(["-cl-std=CL2.0"]).printf_formats
queue = cl.CommandQueue(context)
buffers = [
    cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.fromfile(path, np.uint8))
    for path in sys.argv[2:4]
]
for item in range(4):  # one after the other: work-items print in no order
    kernel.set_args(*buffers)
    cl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,), global_work_offset=(item,))
    queue.finish()
"""


@pytest.fixture(scope="module")
def printed_values(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files with the values of the two buffers that the kernel prints."""
    directory = tmp_path_factory.mktemp("printed")
    paths = [directory / "floats", directory / "longs"]
    for path, values in zip(paths, (FLOATS, LONGS), strict=True):
        path.write_bytes(values.tobytes())
    return paths


@pytest.fixture(scope="module")
def printed_by_pocl(printed_values: list[Path]) -> str:
    assert cl.get_platforms()
    source = str(KERNELS / "src" / "printf_formats.cl")
    command = [sys.executable, "-c", POCL_PRINTS, source, *map(str, printed_values)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "configuration", [name for name in CONFIGURATIONS if _has("printf_formats", name)]
)
def test_printed_text_is_that_of_pocl(
    configuration: str, printed_values: list[Path], printed_by_pocl: str
) -> None:
    found = ""
    for item in range(4):
        module = ZEBINS / configuration / "printf_formats.zebin"
        launch = [str(native_program("xesim_device_run_kernel")), str(module), "printf_formats"]
        launch += ["--groups", "1,1,1", "--size", "1,1,1", "--offset", f"{item},0,0"]
        launch += [f"buf:{path}" for path in printed_values]
        done = subprocess.run(launch, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        found += "".join(
            line
            for line in done.stdout.splitlines(keepends=True)
            if not line.startswith("instructions ")
        )
    assert found == printed_by_pocl
