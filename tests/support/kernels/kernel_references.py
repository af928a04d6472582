"""What kernels compute that PoCL 3.1 cannot build: half floats, generic pointers, sub-groups.

Each function takes the launch's arguments as arrays and scalars, changes the arrays as the kernel
would, and gets the number of lanes of a hardware thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def half(arguments: Sequence[Any], _lanes: int) -> None:
    a, b, c, f = arguments
    x, y = a, b.reshape(-1, 4)
    root = np.sqrt(y[:, 3])
    c[:] = x * y[:, 0] + y[:, 1] / y[:, 2] + root + f.astype(np.float16) + (x * x + y[:, 0])
    f[:] = x.astype(np.float32) + y[:, 3].astype(np.float32)


def generic_pointer(arguments: Sequence[Any], _lanes: int) -> None:
    g, local, out = arguments
    per_group = local.size // 4
    for i in range(out.size):
        first = i // per_group * per_group
        if g[i] & 1:
            pointed = g
        elif g[i] & 2:
            pointed = g[first : first + per_group]
        else:
            pointed = np.arange(i, i + 4)
        out[i] = pointed[i & 3] + pointed[1]


def vector_loads(arguments: Sequence[Any], _lanes: int) -> None:
    """Of one work-item: the kernel's work-items write over each other."""
    a, b, c, s, h = arguments
    b[:4] = a[:4] + a[:4]
    b[1024:1027] = a[64:67]
    c[:8] += 3
    b[0] += np.float32(int(s[0]) * int(s[1]))
    h[:4] = a[:4].astype(np.float16)
    b[1] = np.float32(h[0]) + a[15]
    c[777:779] = np.clip(np.trunc(a[:2]), 0, 255).astype(np.uint8)


def sub_group(arguments: Sequence[Any], lanes: int) -> None:
    v, out, f = arguments
    assert v.size == lanes == 16
    lane = np.arange(lanes)
    r = (
        v.sum()
        + np.maximum.accumulate(v)
        + v[3]
        + v[(lane + 1) & 15]
        + v[lane ^ 5]
        + v[(lane + 2) & 15]
        + int((v > 3).any())
        + int((v > 7).all())
    )
    out[:lanes] = r
    f[:] = f.max() + v.view(np.float32)
    out[1024:1088] = np.concatenate([v, lane, r, np.ones(lanes)]).astype(np.int32)


def sub_group_any_size(arguments: Sequence[Any], lanes: int) -> None:
    """Of one work-group."""
    v, out = arguments
    for first in range(0, v.size, lanes):
        part = v[first : first + lanes]
        exclusive = np.cumsum(part) - part
        out[first : first + lanes] = part.sum() * exclusive + part.size + first // lanes
    out += v.sum()


def wide_and_explicit_atomics(arguments: Sequence[Any], _lanes: int) -> None:
    """Of one work-group whose lanes take their turns in order."""
    p, ai, _af, o, _local = arguments
    for i in range(o.size):
        p[0] += i
        p[1] = 5 if p[1] == i else p[1]
        expected = 3
        if ai[0] == expected:
            ai[0] = i
        else:
            expected = ai[0]
        o[i] = expected
    o += ai[1]
    ai[2] = o.size - 1


def printing(arguments: Sequence[Any], _lanes: int) -> None:
    _in, f = arguments
    f += 1
