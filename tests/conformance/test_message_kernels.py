"""Kernels that exist for the messages that they send: blocks, atomics of floats, barriers, printf.

Results are held against PoCL where it builds the source, else against the same thing in NumPy.
Every configuration that has the kernel's module is run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kernel_case import Array, Case, Local
from kernel_launch import CONFIGURATIONS, cl, lanes_of
from native_programs import native_program
from test_kernels_against_pocl import KERNELS, module_of, run

pytestmark = pytest.mark.native

WIDTH, HEIGHT, PITCH = 128, 40, 192  # of the matrix: bytes, rows, bytes

Expected = Callable[[list[Array]], list[Array]]


def _matrix() -> Array:
    return np.random.default_rng(5).integers(0, 1 << 16, HEIGHT * PITCH // 2).astype(np.uint16)


def _block(flat: Array, x: int, y: int, columns: int, rows: int) -> Array:
    """Elements of the matrix from column `x`, row `y`; zero outside of it."""
    size = flat.itemsize
    inside = flat.reshape(HEIGHT, PITCH // size)[:, : WIDTH // size]
    out = np.zeros((rows, columns), flat.dtype)
    for row in range(max(0, -y), min(rows, HEIGHT - y)):
        for column in range(max(0, -x), min(columns, WIDTH // size - x)):
            out[row, column] = inside[y + row, x + column]
    return out


def _block_2d(x: int, y: int) -> tuple[Case, Expected]:
    def expected(buffers: list[Array]) -> list[Array]:
        matrix, out, pairs = (buffer.copy() for buffer in buffers)
        written = out.reshape(HEIGHT, PITCH // 2)
        words = _block(matrix, x, y, 16, 8)
        for row in range(8):
            for column in range(16):
                if 0 <= y + row < HEIGHT and 0 <= x + column < WIDTH // 2:
                    written[y + row, x + column] = words[row, column]
        tall = _block(matrix, x, y, 16, 32).astype(np.uint32)
        pairs[:256] = (tall[0::2] | tall[1::2] << 16).ravel()
        twice = [_block(matrix, x + 16 * block, y, 16, 8) for block in range(2)]
        pairs[256:512] = np.concatenate(twice).ravel()
        return [matrix, out, pairs]

    matrix = _matrix()
    scalars = [np.int32(value) for value in (WIDTH, HEIGHT, PITCH, x, y)]
    arguments = [matrix, np.full_like(matrix, 0xABCD), np.zeros(512, np.uint32), *scalars]
    return Case("block_2d", "block_2d", (16,), (16,), arguments), expected


def _block_2d_columns(x: int, y: int) -> tuple[Case, Expected]:
    def expected(buffers: list[Array]) -> list[Array]:
        matrix, out = (buffer.copy() for buffer in buffers)
        out[:128] = _block(matrix, x, y, 8, 16).T.ravel()
        packed = _block(matrix.view(np.uint8), 4 * x, y, 32, 8)
        # Lane n has the bytes 2n and 2n + 1 of a row.
        out[128:256] = packed.view(np.uint16).ravel()
        return [matrix, out]

    scalars = [np.int32(value) for value in (WIDTH, HEIGHT, PITCH, x, y)]
    arguments = [_matrix().view(np.uint32), np.zeros(256, np.uint32), *scalars]
    return Case("block_2d_columns", "block_2d_columns", (16,), (16,), arguments), expected


def _float_atomics() -> tuple[Case, Expected]:
    items, group = 64, 16

    def expected(buffers: list[Array]) -> list[Array]:
        f, out = (buffer.copy() for buffer in buffers)
        values = np.arange(items, dtype=np.float32) - np.float32(3.5)
        f[0] += values.sum()
        f[1] -= values.sum()
        f[2], f[3] = values.min(), values.max()
        f[4] = 9
        for first in range(0, items, group):
            part = values[first : first + group]
            results = (part.sum(), min(1, part.min()), max(2, part.max()))
            out[first // group * 3 : first // group * 3 + 3] = results
        return [f, out]

    f = np.array([1, 2, 3, 4, -3], np.float32)
    arguments = [f, Local(64), np.zeros(12, np.float32)]
    return Case("float_atomics", "float_atomics", (items,), (group,), arguments), expected


def _few_atomics(kernel: str, kind: type[np.generic], adds: bool) -> tuple[Case, Expected]:
    def expected(buffers: list[Array]) -> list[Array]:
        f = buffers[0].copy()
        values = np.arange(64) - 3.5
        if adds:
            f[0] += values.sum()
        f[adds + 0], f[adds + 1] = values.min(), values.max()
        return [f]

    return Case(kernel, kernel, (64,), (32,), [np.array([1, 2, 3], kind)]), expected


def _stack_calls() -> tuple[Case, Expected]:
    def expected(buffers: list[Array]) -> list[Array]:
        p, out = (buffer.copy() for buffer in buffers)
        for i in range(out.size):
            depth = i & 3
            leaf = i % 32 + 100 * (i // 32) + 10000 * 32
            out[i] = leaf + sum(int(p[level]) + i for level in range(depth))
        return [p, out]

    p = np.array([5, 70, 900, 1100], np.int32)
    arguments = [p, np.zeros(96, np.int32)]
    return Case("stack_calls", "stack_calls", (96,), (32,), arguments), expected


def _barrier(kernel: str, factor: int, p: Array, group: int) -> tuple[Case, Expected]:
    def expected(buffers: list[Array]) -> list[Array]:
        p = buffers[0].copy()
        lane = np.arange(p.size) % group
        p[:] = 3 * (group - 1 - lane) if factor == 0 else factor * p + group - 1 - lane
        return [p]

    return Case(kernel, kernel, (p.size,), (group,), [p, Local(4 * group)]), expected


def _sub_group_blocks() -> tuple[Case, Expected]:
    random = np.random.default_rng(9)

    def expected(buffers: list[Array]) -> list[Array]:
        c, s, i, long = (buffer.copy() for buffer in buffers)
        for buffer, order, add in (
            (c, (3, 2, 1, 0), 1),
            (s, (1, 0, 3, 2), 2),
            (i, (2, 3, 0, 1), 3),
        ):
            rows = buffer.reshape(-1, 4, 16)
            rows[:] = rows[:, order] + buffer.dtype.type(add)
        pairs = long.reshape(-1, 4, 16)[:, :2]
        pairs[:] = pairs[:, ::-1] + np.uint64(4)
        return [c, s, i, long]

    buffers = [
        random.integers(0, 255, 128, dtype=np.int64).astype(kind)
        for kind in (np.uint8, np.uint16, np.uint32, np.uint64)
    ]
    return Case(
        "sub_group_blocks", "sub_group_blocks", (32,), (16,), [*buffers, Local(64)]
    ), expected


CASES = {
    "block_2d-inside": _block_2d(4, 3),
    "block_2d-corner": _block_2d(56, 36),
    "block_2d-before": _block_2d(-6, -2),
    "block_2d_columns-inside": _block_2d_columns(2, 5),
    "block_2d_columns-corner": _block_2d_columns(28, 30),
    "float_atomics": _float_atomics(),
    "double_atomics": _few_atomics("double_atomics", np.float64, adds=True),
    "half_atomics": _few_atomics("half_atomics", np.float16, adds=False),
    "stack_calls": _stack_calls(),
    "named_barriers": _barrier("named_barriers", 0, np.zeros(64, np.int32), 32),
    "split_barrier": _barrier("split_barrier", 3, np.arange(128, dtype=np.int32), 64),
    "split_barrier_simd32": _barrier(
        "split_barrier_simd32", 3, np.arange(256, dtype=np.int32), 128
    ),
    "sub_group_blocks": _sub_group_blocks(),
}


def _has(source: str, configuration: str) -> bool:
    return (KERNELS / "zebin" / configuration / f"{source}.zebin").exists()


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
        case, expected = _barrier(name, 0, out, group)
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
        module = KERNELS / "zebin" / configuration / "printf_formats.zebin"
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
