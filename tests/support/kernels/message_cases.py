"""Launches of kernels that exist for the messages that they send, and what each leaves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.support.kernels.kernel_case import Array, Case, Local

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


def barrier(kernel: str, factor: int, p: Array, group: int) -> tuple[Case, Expected]:
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
    "named_barriers": barrier("named_barriers", 0, np.zeros(64, np.int32), 32),
    "split_barrier": barrier("split_barrier", 3, np.arange(128, dtype=np.int32), 64),
    "split_barrier_simd32": barrier("split_barrier_simd32", 3, np.arange(256, dtype=np.int32), 128),
    "sub_group_blocks": _sub_group_blocks(),
}
