"""One launch of every kernel of the corpus: geometry and inputs that reach its branches.

Inputs are made so that the result does not depend on the order of work-items.
"""

from __future__ import annotations

import numpy as np

from tests.support.kernels import kernel_references
from tests.support.kernels.kernel_case import Array, Case, Local

# Kernels whose result depends on the order of work-items, and why.
ORDER_DEPENDENT = {
    "atomics": "an exchange keeps what came last",
    "a64": "an exchange keeps what came last",
    "prn": "lines are printed in the order of threads",
}


def _random() -> np.random.Generator:
    return np.random.default_rng(20)


def _floats(count: int, low: float = -8.0, high: float = 8.0) -> Array:
    return _random().uniform(low, high, count).astype(np.float32)


def _ints(count: int, low: int, high: int, kind: type[np.generic] = np.int32) -> Array:
    return _random().integers(low, high, count, dtype=np.int64, endpoint=True).astype(kind)


def _double() -> Case:
    x = _random().uniform(-1e6, 1e6, 64)
    y = _random().uniform(-50, 50, 64)[::-1].copy()
    x[:6] = 0.0, -0.0, 2e9, 2.5, 1e-310, 3.0  # 1e-310 is a denormal
    y[:6] = 1.0, 7.0, 1e-5, 2.5, 0.5, 1e-308
    arguments = [x, y, np.zeros(64), _ints(64, -(2**31), 2**31 - 1)]
    return Case("dbl", "double", (64,), (32,), arguments, relative=1e-14, doubles=True)


def _bfs() -> Case:
    # Eight vertices at level 0, each with four neighbours, some of them shared.
    offsets = np.arange(0, 36, 4, dtype=np.int32)
    adjacent = (np.arange(32) * 5 % 23 + 8).astype(np.int32)
    distance = np.full(40, -1, dtype=np.int32)
    distance[:8] = 0
    offsets = np.concatenate([offsets, np.full(32, 32)]).astype(np.int32)
    return Case(
        "bfs",
        "bfs",
        (32,),
        (32,),
        [
            offsets,
            adjacent,
            distance,
            np.zeros(64, np.int32),
            np.arange(8, dtype=np.int32),
            np.zeros(1, np.int32),
            np.int32(8),
            np.int32(1),
        ],
        unordered=frozenset({3}),
    )


def _structs() -> Case:
    parameter = np.zeros(
        1,
        np.dtype(
            {
                "names": ["x", "y", "v", "t"],
                "formats": [np.int32, np.int32, (np.float32, 4), (np.int8, 5)],
                "offsets": [0, 4, 16, 32],
                "itemsize": 48,
            }
        ),
    )
    parameter["x"], parameter["y"] = 6, -3
    parameter["v"] = [0.5, 1.5, 2.5, 3.5]
    parameter["t"] = [1, -2, 3, -4, 5]
    # struct { float a; int b[4]; short c; float pad; }: 28 bytes
    elements = np.zeros(
        64, np.dtype([("a", "<f4"), ("b", "<i4", 4), ("c", "<i2"), ("hole", "<i2"), ("pad", "<f4")])
    )
    elements["a"] = np.arange(64) * 0.25
    elements["b"] = np.arange(256).reshape(64, 4)
    elements["c"] = np.arange(64) * 3
    return Case(
        "structs",
        "structs",
        (64,),
        (64,),
        [
            parameter.tobytes(),
            elements.view(np.int32),
            np.zeros(64, np.float32),
            _floats(8),
        ],
        relative=1e-6,
    )


def _i64() -> Case:
    a = _random().integers(-(2**40), 2**40, 64, dtype=np.int64)
    b = _random().integers(1, 2**20, 64, dtype=np.int64)
    b[::2] *= -1
    # Small enough that f still fits a long: OpenCL leaves the conversion of others open.
    c = _random().integers(0, 2**40, 64, dtype=np.int64).astype(np.uint64)
    return Case("i64", "i64", (64,), (32,), [a, b, c, np.zeros(64, np.float32)], relative=1e-6)


def _half() -> Case:
    random = _random()
    a = random.uniform(0.25, 4, 64).astype(np.float16)
    b = random.uniform(0.25, 4, 256).astype(np.float16)
    f = random.uniform(0.25, 4, 64).astype(np.float32)
    return Case(
        "hlf",
        "half",
        (64,),
        (32,),
        [a, b, np.zeros(64, np.float16), f],
        relative=4e-3,
        absolute=4e-3,
        reference=kernel_references.half,
    )


def _vload() -> Case:
    return Case(
        "vls",
        "vload",
        (1,),
        (1,),
        [
            _floats(80),
            np.zeros(2048, np.float32),
            _ints(2048, 0, 255, np.uint8),
            _ints(2, -90, 90, np.int16),
            np.zeros(8, np.float16),
        ],
        relative=1e-6,
        reference=kernel_references.vector_loads,
    )


def _atomics() -> Case:
    p = np.array([1, 2, 3, 5, 6, 7, 0x7F, 0x80, 0x55], np.int32)
    arguments = [p, np.array([900, 3], np.uint32), np.zeros(16, np.int32), np.int32(77)]
    return Case("atomics", "hist", (16,), (16,), arguments)


def _wide_atomics() -> Case:
    return Case(
        "a64",
        "atomic64f",
        (16,),
        (16,),
        [
            np.array([2**40, 7], np.int64),
            np.array([3, 40, 0], np.int32),
            np.zeros(1, np.float32),
            np.zeros(16, np.int32),
            Local(16),
        ],
        reference=kernel_references.wide_and_explicit_atomics,
    )


def _sub_group() -> Case:
    values = _ints(16, 0, 2**20)
    return Case(
        "sg",
        "subgroup",
        (16,),
        (16,),
        [values, np.zeros(1088, np.int32), _floats(16)],
        reference=kernel_references.sub_group,
    )


CASES = [
    Case(
        "vadd",
        "vadd",
        (1024,),
        (64,),
        [_floats(1000), -_floats(1000, 0), _floats(1000), np.int32(1000)],
    ),
    Case(
        "saxpy",
        "saxpy",
        (256,),
        (32,),
        [_floats(1000), _floats(1000, 0), np.float32(1.5), np.int32(1000)],
    ),
    Case(
        "reduce_slm",
        "reduce",
        (1024,),
        (128,),
        [_ints(1000, -99, 99, np.float32), np.zeros(8, np.float32), Local(512), np.int32(1000)],
    ),
    Case(
        "diverge",
        "diverge",
        (256,),
        (64,),
        [_ints(512, -50, 50), _ints(512, 0, 130), np.int32(256)],
    ),
    Case(
        "calls",
        "calls",
        (128,),
        (32,),
        # Every group reads the first 32 elements while group 0 writes them: with these, what it
        # finds there decides the same before and after.
        [np.concatenate([np.full(32, 32031, np.int32), _ints(96, 0, 1000)]), _floats(512)],
        relative=1e-6,
    ),
    Case(
        "priv",
        "private",
        (64,),
        (32,),
        [_ints(256, -999, 999), np.zeros(64, np.int32), np.int32(200)],
    ),
    Case("privsmall", "private", (64,), (16,), [_ints(512, 0, 999), np.zeros(64, np.int32)]),
    Case(
        "transpose",
        "transpose",
        (48, 32),
        (16, 16),
        [_floats(40 * 30), np.zeros(1200, np.float32), np.int32(40), np.int32(30)],
    ),
    Case(
        "matmul",
        "matmul",
        (32, 32),
        (16, 16),
        [
            _floats(32 * 48),
            _floats(48 * 32, 0),
            np.zeros(1024, np.float32),
            np.int32(32),
            np.int32(32),
            np.int32(48),
        ],
        relative=1e-4,
        absolute=1e-3,
    ),
    Case(
        "hist",
        "hist",
        (256,),
        (64,),
        [_ints(5000, 0, 255, np.uint8), np.zeros(256, np.uint32), np.int32(5000)],
    ),
    Case(
        "bitonic",
        "bitonic",
        (512,),
        (64,),
        [_ints(512, 0, 2**31 - 1, np.uint32), np.uint32(8), np.uint32(32)],
    ),
    Case("scan_blelloch", "scan", (512,), (256,), [_ints(1024, -99, 99), np.zeros(2, np.int32)]),
    Case("prefix_hs", "prefix", (512,), (256,), [_ints(512, -99, 99), np.zeros(512, np.int32)]),
    Case(
        "stencil",
        "stencil",
        (64, 32),
        (16, 8),
        [_floats(60 * 30), np.zeros(1800, np.float32), np.int32(60), np.int32(30)],
        relative=1e-5,
        absolute=1e-5,
    ),
    Case(
        "sha", "sha", (64,), (32,), [_ints(1024, 0, 2**32 - 1, np.uint32), np.zeros(512, np.uint32)]
    ),
    Case(
        "ints",
        "ints",
        (128,),
        (32,),
        [
            _ints(128, -128, 127, np.int8),
            _ints(128, 0, 255, np.uint8),
            _ints(128, -30000, 30000, np.int16),
            _ints(128, 0, 65535, np.uint16),
            _ints(128, -(2**27), 2**27),
            _ints(128, 0, 2**32 - 1, np.uint32),
        ],
    ),
    _i64(),
    Case(
        "mandel",
        "mandel",
        (64, 32),
        (16, 8),
        [
            np.zeros(64 * 32 * 4, np.uint8),
            np.int32(64),
            np.int32(32),
            np.float32(-2),
            np.float32(-1),
            np.float32(0.0625),
            np.int32(50),
        ],
    ),
    Case(
        "nbody",
        "nbody",
        (64,),
        (32,),
        [
            _floats(256),
            _floats(256, 0),
            np.zeros(256, np.float32),
            np.int32(64),
            np.float32(0.01),
            np.float32(0.5),
        ],
        relative=1e-4,
        absolute=1e-4,
    ),
    _bfs(),
    _structs(),
    Case(
        "generic_ptr",
        "generic",
        (64,),
        (32,),
        [_ints(64, 0, 99), Local(128), np.zeros(64, np.int32)],
        reference=kernel_references.generic_pointer,
    ),
    _vload(),
    _half(),
    _atomics(),
    _wide_atomics(),
    _sub_group(),
    Case(
        "sg_any",
        "subgroup",
        (64,),
        (64,),
        [_ints(64, -99, 99), np.zeros(64, np.int32)],
        reference=kernel_references.sub_group_any_size,
    ),
    Case(
        "prn",
        "printf",
        (16,),
        (16,),
        [_ints(16, 0, 8), _floats(16)],
        reference=kernel_references.printing,
    ),
    Case(
        "mathf",
        "math",
        (64,),
        (32,),
        [_floats(64, 0.1, 6), np.zeros(64, np.float32)],
        relative=2e-4,
        absolute=2e-4,
    ),
    _double(),
]
