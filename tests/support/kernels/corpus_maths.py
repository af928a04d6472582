"""Launches of tests/kernels/corpus/maths.

The bounds are those of the table "ULP values for single precision built-in math functions" (and
double, half precision) of the OpenCL C specification, section 7.4, full profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_inputs import floats


def _special(count: int, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    x = floats(count, -40, 40, seed=seed)
    x[:10] = [0.0, -0.0, 0.5, -1.5, 2.5, 1e-20, 3e20, 1.0, -7.0, 0.25]
    return x


def _relational_values(seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1.0], np.float32)
    return special[np.random.default_rng(seed).integers(0, 8, 64)]


def _half_functions(arguments: Sequence[Any], _lanes: int) -> None:
    a, out = arguments
    x = a.astype(np.float64)
    results = [
        *(np.sqrt(x), 1 / np.sqrt(x), np.exp(x), np.log(x), np.sin(x), np.cos(x), 1 / x),
        *(x**1.5, np.exp2(x), np.log2(x)),
    ]
    out[:] = np.concatenate(results).astype(np.float16)


def _zeros(functions: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.zeros(functions * 64, np.float32)


_POSITIVE = floats(64, 0.1, 9, seed=31)
_UNIT = floats(64, -0.95, 0.95, seed=32)
_ANGLES = np.concatenate([floats(48, -7, 7, seed=33), floats(16, -40000, 40000, seed=34)])

CASES = [
    Case(
        "exact",
        "exact",
        (64,),
        (32,),
        [_special(64, 35), _special(64, 36)[::-1].copy(), _zeros(29), np.zeros(192, np.int32)],
        ulps={2: 0},
    ),
    Case(
        "powers",
        "powers",
        (64,),
        (32,),
        [_POSITIVE, floats(64, -5, 5, seed=37), _zeros(13), _zeros(1), _zeros(4)],
        ulps={2: 3, 3: 4, 4: 16},
    ),
    Case(
        "angles",
        "angles",
        (64,),
        (32,),
        [_ANGLES, _UNIT, _zeros(8), _zeros(5), _zeros(3)],
        ulps={2: 4, 3: 5, 4: 6},
    ),
    Case(
        "hyperbolic",
        "hyperbolic",
        (64,),
        (16,),
        [floats(64, -4, 4, seed=38), _UNIT, _zeros(4), _zeros(2), _zeros(4)],
        ulps={2: 4, 3: 5, 4: 16},
    ),
    Case(
        "native_functions",
        "native_functions",
        (64,),
        (32,),
        [_POSITIVE, _zeros(12), _zeros(6)],
        ulps={2: 8192},
        relative=3e-4,
        absolute=2e-5,
    ),
    Case(
        "relational",
        "relational",
        (64,),
        (32,),
        [_relational_values(39), _relational_values(40), np.zeros(320, np.int32)],
    ),
    Case(
        "geometric",
        "geometric",
        (64,),
        (32,),
        [floats(256, seed=41), floats(256, seed=42), np.zeros(2048, np.float32)],
        relative=1e-4,
        absolute=1e-4,
    ),
    Case(
        "rounded_division",
        "rounded_division",
        (64,),
        (32,),
        [_special(64, 43), floats(64, 0.1, 1e6, seed=44), _zeros(4)],
        ulps={2: 0},
    ),
    Case(
        "relaxed",
        "relaxed",
        (64,),
        (32,),
        [_POSITIVE, floats(64, 0.2, 3, seed=45), _zeros(4)],
        relative=1e-3,
        absolute=1e-3,
    ),
    Case(
        "double_exact",
        "double_functions",
        (64,),
        (32,),
        [
            floats(64, -1e5, 1e5, np.float64, 46),
            floats(64, -60, 60, np.float64, 47),
            np.zeros(19 * 64),
        ],
        ulps={2: 0},
        doubles=True,
    ),
    Case(
        "double_functions",
        "double_functions",
        (64,),
        (32,),
        [
            floats(64, 0.1, 30, np.float64, 48),
            floats(64, -5, 5, np.float64, 49),
            np.zeros(14 * 64),
        ],
        ulps={2: 16},
        doubles=True,
    ),
    Case(
        "half_functions",
        "half_functions",
        (64,),
        (32,),
        [floats(64, 0.25, 4, np.float16, 50), np.zeros(640, np.float16)],
        ulps={1: 2},
        reference=_half_functions,
    ),
]
