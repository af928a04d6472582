"""Launches of tests/kernels/corpus/algorithms."""

from __future__ import annotations

import numpy as np

from tests.support.kernels.advanced_encryption import advanced_encryption
from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_inputs import all_bits, floats, ints


def _bytes(count: int, seed: int) -> Array:
    return ints(count, 0, 255, np.uint8, seed)


def _graph() -> Array:
    distance = ints(256, 1, 60, seed=160)
    distance[ints(256, 0, 3, seed=161) == 0] = 1000
    distance[::17] = 0
    return distance


def _diagonal_system() -> tuple[Array, Array]:
    matrix = floats(1024, -1, 1, seed=162).reshape(32, 32)
    matrix[np.arange(32), np.arange(32)] = 40
    return matrix.ravel(), floats(32, seed=163)


def _dominant(count: int) -> Array:
    """Matrices of 16 x 16 that need no pivots."""
    matrices = floats(count * 256, -1, 1, seed=178).reshape(count, 16, 16)
    matrices[:, np.arange(16), np.arange(16)] = 20
    return matrices.ravel()


def _sparse_rows() -> tuple[Array, Array, Array]:
    lengths = np.arange(64) * 7 % 13
    rows = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return rows, ints(int(rows[-1]), 0, 63, seed=164), floats(int(rows[-1]), seed=165)


def _spheres() -> Array:
    sphere = np.dtype([("centre", "<f4", 4), ("radius", "<f4"), ("colour", "<u4"), ("", "V8")])
    spheres = np.zeros(6, sphere)
    spheres["centre"][:, :2] = floats(12, -2, 2, seed=166).reshape(6, 2)
    spheres["centre"][:, 2] = floats(6, 4, 9, seed=167)
    spheres["radius"] = floats(6, 0.5, 1.5, seed=168)
    spheres["colour"] = np.arange(6) * 1000 + 1
    return spheres.view(np.uint32)


def _tree() -> Array:
    node = np.dtype([("low", "<f4"), ("high", "<f4"), ("left", "<i4"), ("right", "<i4")])
    nodes = np.zeros(31, node)
    nodes["left"], nodes["right"] = -1, -1
    low = floats(16, 0, 90, seed=169)
    nodes["low"][15:], nodes["high"][15:] = low, low + floats(16, 1, 30, seed=170)
    for at in range(14, -1, -1):
        left, right = 2 * at + 1, 2 * at + 2
        nodes["left"][at], nodes["right"][at] = left, right
        nodes["low"][at] = min(nodes["low"][left], nodes["low"][right])
        nodes["high"][at] = max(nodes["high"][left], nodes["high"][right])
    return nodes.view(np.uint32)


def _utf8(count: int, length: int) -> Array:
    text = "aé€😀zß日本".encode()
    data = np.frombuffer(text, np.uint8)
    return data[(np.arange(count * length) * 1 + np.arange(count * length) // 9) % data.size].copy()


def _fluid() -> Array:
    weights = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, np.float32)
    return (np.repeat(weights, 128) * floats(9 * 128, 0.9, 1.1, seed=171)).astype(np.float32)


_KEYS = np.sort(ints(100, -(2**50), 2**50, np.int64, 172))
_ROWS, _COLUMNS, _VALUES = _sparse_rows()
_MATRIX, _RIGHT = _diagonal_system()
_I32, _U32 = np.int32, np.uint32


def _zeros(count: int, kind: type = np.float32) -> Array:
    return np.zeros(count, kind)


CASES = [
    Case(
        "aes",
        "aes",
        (32,),
        (32,),
        [_bytes(512, 173), _bytes(16, 174), _zeros(512, np.uint8)],
        reference=advanced_encryption,  # PoCL 3.1 gives what no AES does
    ),
    Case("crc32", "crc32", (32,), (32,), [_bytes(640, 175), _zeros(32, _U32), _I32(20)]),
    Case("md5", "md5", (16,), (16,), [all_bits(256, _U32, 176), _zeros(64, _U32)]),
    Case("fft", "fft", (64,), (32,), [floats(256, seed=177), _zeros(256)], 1e-4, 1e-3),
    Case("lu", "lu", (32,), (16,), [_dominant(2)], 1e-3, 1e-3),
    Case(
        "floyd_warshall", "floyd_warshall", (16, 16), (16, 16), [_graph(), np.full(256, -1, _I32)]
    ),
    Case(
        "string_search",
        "string_search",
        (32,),
        (32,),
        [
            ints(32 * 40, 97, 98, np.uint8, 179),
            _I32(40),
            np.frombuffer(b"abaab", np.uint8).copy(),
            _I32(5),
            _zeros(32, _I32),
            _zeros(32, _I32),
        ],
    ),
    Case(
        "game_of_life",
        "game_of_life",
        (16, 16),
        (16, 16),
        [ints(256, 0, 1, np.uint8, 180), _zeros(256, np.uint8), _I32(4)],
    ),
    Case(
        "random_numbers",
        "random_numbers",
        (64,),
        (32,),
        [ints(64, 1, 2**62, np.uint64, 181), _zeros(256, _U32), _zeros(64)],
    ),
    Case(
        "black_scholes",
        "black_scholes",
        (64,),
        (32,),
        [
            *(floats(64, 5, 30, seed=182), floats(64, 5, 30, seed=183)),
            *(floats(64, 0.25, 5, seed=184), _zeros(128), np.float32(0.02), np.float32(0.3)),
        ],
        1e-4,
        1e-4,
    ),
    Case(
        "monte_carlo",
        "monte_carlo",
        (128,),
        (64,),
        [ints(128, 1, 2**31, _U32, 185), _zeros(2, _U32), _I32(12)],
    ),
    Case(
        "merge_path",
        "merge_path",
        (16,),
        (16,),
        [
            *(np.sort(ints(70, 0, 200, seed=186)), _I32(70)),
            *(np.sort(ints(50, 0, 200, seed=187)), _I32(50), _zeros(120, _I32), _I32(8)),
        ],
    ),
    Case(
        "radix_sort",
        "radix_sort",
        (64,),
        (64,),
        [ints(64, 0, 2**32 - 1, _U32, 188), np.arange(64, dtype=_U32)],
    ),
    Case(
        "stencil3d",
        "stencil3d",
        (16, 8),
        (8, 8),
        [floats(16 * 8 * 5, seed=189), _zeros(16 * 8 * 5), _I32(5)],
        1e-5,
        1e-5,
    ),
    Case(
        "convolution",
        "convolution",
        (16, 12),
        (8, 4),
        [_bytes(192, 190), _zeros(192, np.uint8), _I32(16), _I32(12)],
    ),
    Case(
        "nearest_neighbours",
        "nearest_neighbours",
        (32,),
        (32,),
        [
            *(ints(64, -900, 900, seed=191), ints(100, -900, 900, seed=192)),
            *(_I32(50), _zeros(128, _I32)),
        ],
    ),
    Case(
        "k_means",
        "k_means",
        (64,),
        (32,),
        [floats(128, seed=193), floats(10, seed=194), _I32(5), _zeros(64, _I32), _zeros(15, _I32)],
    ),
    Case(
        "sparse_product",
        "sparse_product",
        (64,),
        (32,),
        [_ROWS, _COLUMNS, _VALUES, floats(64, seed=195), _zeros(64)],
        1e-4,
        1e-4,
    ),
    Case(
        "perlin_noise",
        "perlin_noise",
        (16, 8),
        (8, 8),
        [_bytes(256, 196), _zeros(128), np.float32(0.37)],
        1e-4,
        1e-4,
    ),
    Case(
        "ray_spheres",
        "ray_spheres",
        (16, 16),
        (8, 8),
        [_spheres(), _I32(6), _zeros(256), _zeros(256, _U32)],
        1e-3,
        1e-3,
    ),
    Case(
        "huffman",
        "huffman",
        (32,),
        (32,),
        [_bytes(300, 197) & _bytes(300, 198), _I32(300), _zeros(32, _U32), _zeros(32, _U32)],
    ),
    Case(
        "edit_distance",
        "edit_distance",
        (32,),
        (32,),
        [
            *(ints(384, 97, 99, np.uint8, 199), ints(384, 97, 99, np.uint8, 200)),
            *(_I32(12), _zeros(32, _I32)),
        ],
    ),
    Case("queens", "queens", (64,), (32,), [_zeros(64, _I32)]),
    Case("jacobi", "jacobi", (32,), (32,), [_MATRIX, _RIGHT, _zeros(32), _zeros(1, _I32)], 0, 1e-3),
    Case(
        "matrix_bytes",
        "matrix_bytes",
        (16, 16),
        (8, 8),
        [all_bits(256, np.int8, 201), all_bits(256, np.int8, 202), _zeros(256, _I32), _I32(16)],
    ),
    Case(
        "colour_space",
        "colour_space",
        (16, 12),
        (8, 4),
        [
            *(_bytes(768, 203), _zeros(768, np.uint8), _zeros(192, np.uint8)),
            *(_I32(16), _I32(12)),
        ],
    ),
    Case(
        "median_filter",
        "median_filter",
        (16, 12),
        (8, 4),
        [_bytes(192, 204), _zeros(192, np.uint8), _I32(16), _I32(12)],
    ),
    Case(
        "cosine_transform",
        "cosine_transform",
        (16, 8),
        (8, 8),
        [floats(128, -128, 128, seed=205), _zeros(128)],
        1e-4,
        1e-3,
    ),
    Case(
        "text_codes",
        "text_codes",
        (32,),
        (32,),
        [_bytes(96, 206), _zeros(128, np.uint8), _zeros(32, _I32), _utf8(32, 20), _I32(20)],
    ),
    Case(
        "number_theory",
        "number_theory",
        (16,),
        (16,),
        [
            *(ints(16, 3, 4000, _U32, 207), ints(16, 1, 2**31, _U32, 208)),
            *(_zeros(16, _U32), _zeros(16, np.uint64), _zeros(16, np.uint8)),
        ],
    ),
    Case("sieve", "sieve", (32,), (32,), [_zeros(32, _U32)]),
    Case(
        "big_integers",
        "big_integers",
        (32,),
        (32,),
        [all_bits(256, _U32, 209), all_bits(256, _U32, 210), _zeros(512, _U32)],
    ),
    Case(
        "compaction",
        "compaction",
        (256,),
        (128,),
        [ints(256, -9, 9, seed=211), _zeros(256, _I32), _zeros(2, _I32)],
    ),
    Case(
        "union_find",
        "union_find",
        (64,),
        (64,),
        [ints(100, 0, 63, seed=212), _I32(50), _zeros(64, _I32)],
    ),
    Case(
        "lattice_gas",
        "lattice_gas",
        (16, 8),
        (8, 8),
        [_fluid(), _zeros(9 * 128), np.float32(0.7)],
        1e-4,
        1e-5,
    ),
    Case(
        "newton_fractal",
        "newton_fractal",
        (16, 8),
        (8, 8),
        [_zeros(128, _I32), _zeros(256, np.float64)],
        1e-6,
        1e-6,
        doubles=True,
    ),
    Case(
        "binary_search",
        "binary_search",
        (64,),
        (32,),
        [
            *(_KEYS, _I32(100)),
            *(np.where(np.arange(64) % 2, _KEYS[:64], _KEYS[:64] + 1), _zeros(64, _I32)),
        ],
    ),
    Case(
        "tree_walk",
        "tree_walk",
        (64,),
        (32,),
        [_tree(), floats(64, -5, 125, seed=213), _zeros(64, _I32), _zeros(64, _I32)],
    ),
]
