"""Launches of tests/kernels/corpus/numbers: integers of every width, conversions, small floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_inputs import all_bits, floats, ints

_INTEGERS: dict[str, tuple[type[np.generic], type[np.generic]]] = {
    "char": (np.int8, np.uint8),
    "uchar": (np.uint8, np.uint8),
    "short": (np.int16, np.uint16),
    "ushort": (np.uint16, np.uint16),
    "int": (np.int32, np.uint32),
    "uint": (np.uint32, np.uint32),
    "long": (np.int64, np.uint64),
    "ulong": (np.uint64, np.uint64),
}


def _builtins(name: str) -> Case:
    kind, unsigned = _INTEGERS[name]
    inputs = [all_bits(64, kind, seed)[:: 1 if seed == 1 else -1].copy() for seed in (1, 2, 3)]
    outputs = [np.zeros(12 * 64, kind), np.zeros(2 * 64, unsigned)]
    return Case(f"builtins_{name}", "integer_builtins", (64,), (32,), [*inputs, *outputs])


def _division(name: str) -> Case:
    kind, _ = _INTEGERS[name]
    a, b = all_bits(64, kind, 4), all_bits(64, kind, 5)[::-1].copy()
    # OpenCL leaves open what division by zero gives, and the one quotient that does not fit.
    b[b == 0] = 3
    if np.iinfo(kind).min < 0:
        b[b == -1] = -3
    return Case(f"divide_{name}", "division", (64,), (16,), [a, b, np.zeros(6 * 64, kind)])


def _edge_floats(limit: float, seed: int = 6) -> Array:
    x = floats(64, -1, 1, seed=seed) * np.float32(limit) ** floats(64, 0, 1, seed=seed + 1)
    x = x.astype(np.float32)
    x[:12] = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.5, 255.5, 65535.5]
    return x


def _half_storage(arguments: Sequence[Any], _lanes: int) -> None:
    x, h, out, wide = arguments
    n = x.size
    nearest = x.astype(np.float16)
    above = np.where(
        nearest.astype(np.float32) < x, np.nextafter(nearest, np.float16(np.inf)), nearest
    )
    below = np.where(
        nearest.astype(np.float32) > x, np.nextafter(nearest, np.float16(-np.inf)), nearest
    )
    parts = [nearest, nearest, np.where(x > 0, below, above), above, below]
    out[: 5 * n] = np.concatenate(parts)
    out[5 * n :] = np.stack([nearest, -nearest], axis=1).ravel()
    wide[:n] = h
    four = h.astype(np.float32)[: n - n % 4].reshape(-1, 4)
    wide[n:] = np.repeat(four[:, 0] + four[:, 1] - four[:, 2] * four[:, 3], 4)


def _half_arithmetic(arguments: Sequence[Any], _lanes: int) -> None:
    a, b, out, integers = arguments
    n = a.size
    x, y = a.astype(np.float64), b.astype(np.float64)
    results = [
        *(x + y, x - y, x * y, x * y + x, np.fmin(x, y), np.fmax(x, y), np.abs(x)),
        *(np.floor(x), np.ceil(y), np.trunc((x * 3).astype(np.float16))),
        *(np.rint((y * 0.5).astype(np.float16)), np.where(x > y, x, -y), np.arange(n)),
    ]
    out[:] = np.concatenate(results).astype(np.float16)
    integers[:n] = np.trunc(x)
    integers[n : 2 * n] = 4 * (x == y) + 8 * (x <= y) + 16 * np.signbit(x)
    integers[2 * n : 3 * n] = np.rint(y)
    integers[3 * n :] = a.view(np.int16)


def _half_vectors(arguments: Sequence[Any], _lanes: int) -> None:
    x, y = (each.reshape(-1, 4) for each in arguments[:2])
    both = np.concatenate([x, y], axis=1)
    one = np.float16(1)
    results = [
        x * y[:, ::-1],
        np.concatenate([x[:, :2], y[:, 2:]], axis=1) + one,
        np.where(x > y, y, x),
        both[:, ::2] - both[:, 1::2],
    ]
    arguments[2][:] = np.concatenate(results).ravel()


def _to_bfloat(x: Array) -> Array:
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def _from_bfloat(x: Array) -> Array:
    return (x.astype(np.uint32) << 16).view(np.float32)


def _bfloat(arguments: Sequence[Any], _lanes: int) -> None:
    x, stored, out, wide = arguments
    out[:] = _to_bfloat(x)
    wide[:] = _from_bfloat(stored) + _from_bfloat(_to_bfloat(x * np.float32(3)))


def _doubles() -> Case:
    x = floats(64, -1e9, 1e9, np.float64, 8)
    x[:8] = [0.0, -0.0, 2.5, -3.5, 4e9, -4e9, 40000.5, 1e-310]
    arguments = [x, all_bits(64, np.int64, 9), np.zeros(7 * 64), np.zeros(7 * 64, np.int64)]
    return Case("convert_doubles", "convert_doubles", (64,), (32,), arguments, doubles=True)


_HALF = np.float16

CASES = [
    *(_builtins(name) for name in _INTEGERS),
    *(_division(name) for name in _INTEGERS),
    Case(
        "shifts",
        "shifts",
        (64,),
        (32,),
        [all_bits(64, np.int64, 10), ints(64, 0, 63), np.zeros(25 * 64, np.int64)],
    ),
    Case(
        "convert_integers",
        "convert_integers",
        (64,),
        (32,),
        [all_bits(64, np.int64, 11), np.zeros(128 * 64, np.int64)],
    ),
    Case(
        "float_to_integers",
        "convert_floats",
        (64,),
        (16,),
        [_edge_floats(1e10), np.zeros(30 * 64, np.int64)],
    ),
    Case(
        "float_to_long",
        "convert_floats",
        (64,),
        (16,),
        [np.clip(_edge_floats(1e8), -1.2e9, 1.2e9) * np.float32(0.9), np.zeros(6 * 64, np.int64)],
    ),
    Case(
        "integers_to_float",
        "convert_floats",
        (64,),
        (32,),
        [all_bits(64, np.int64, 12), np.zeros(8 * 64, np.float32)],
    ),
    _doubles(),
    Case(
        "half_storage",
        "half_storage",
        (64,),
        (32,),
        [
            floats(64, -3, 3, seed=13),
            floats(64, -3, 3, _HALF, 14),
            np.zeros(7 * 64, _HALF),
            np.zeros(128, np.float32),
        ],
        relative=1e-6,
        absolute=1e-6,
        reference=_half_storage,
    ),
    Case(
        "half_arithmetic",
        "half_arithmetic",
        (64,),
        (32,),
        [
            floats(64, -30, 30, _HALF, 15),
            floats(64, -30, 30, _HALF, 16),
            np.zeros(13 * 64, _HALF),
            np.zeros(256, np.int32),
        ],
        reference=_half_arithmetic,
    ),
    Case(
        "half_vectors",
        "half_arithmetic",
        (32,),
        (32,),
        [floats(128, -9, 9, _HALF, 17), floats(128, -9, 9, _HALF, 18), np.zeros(512, _HALF)],
        reference=_half_vectors,
    ),
    Case(
        "bfloat",
        "bfloat",
        (64,),
        (32,),
        [
            floats(64, seed=19),
            _to_bfloat(floats(64, seed=21)),
            np.zeros(64, np.uint16),
            np.zeros(64, np.float32),
        ],
        reference=_bfloat,
    ),
    Case(
        "wide_products",
        "wide_products",
        (64,),
        (32,),
        [all_bits(64, np.uint64, 22), all_bits(64, np.uint64, 23), np.zeros(512, np.uint64)],
    ),
    Case(
        "bit_fields",
        "bit_fields",
        (64,),
        (32,),
        [all_bits(64, np.uint32, 24), all_bits(64, np.uint32, 25), np.zeros(12 * 64, np.uint32)],
    ),
    Case(
        "packed_dot",
        "packed_dot",
        (64,),
        (32,),
        [
            ints(64, 0, 2**32 - 1, np.uint32, 26),
            ints(64, 0, 2**32 - 1, np.uint32, 27),
            all_bits(64, np.int32, 28),
            np.zeros(256, np.int32),
        ],
    ),
]
