"""From a thread's payload in memory to work coordinates: local ids, group size, global ids.

The per-thread payload holds 16-bit local ids: X of all lanes, then Y, then Z, each dimension a
whole number of registers; for a SIMD1 kernel X, Y and Z one after the other (zeinfo
specification, per_thread_payload_arguments). It lies at the thread's index in its group, after the
cross-thread data, at r0.0[31:6] from the general state base, and stays there for as long as the
kernel runs.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache

from zedbg.missing import Missing
from zedbg.zebin.payload import PACKED_LOCAL_IDS, PayloadMap

Ids = tuple[int, int, int]

_LOCAL_ID_BYTES = 2


@dataclass(frozen=True)
class GroupIds:
    """Local ids of all lanes of some threads, one after the other; ``row_length``: the size in X of
    the work-group that they are."""

    ids: list[Ids]
    row_length: int


def group_ids(payload: PayloadMap, data: bytes) -> GroupIds:
    """The local ids in ``data``, the parts of ``payload`` of whole threads; many work-groups have
    the same, and share the answer."""
    lanes, ids = payload.simd_width, payload.local_id
    if ids is None:
        return GroupIds([(0, 0, 0)] * lanes, 1)
    dimension = _LOCAL_ID_BYTES
    if ids.kind != PACKED_LOCAL_IDS:
        dimension = -(-lanes * _LOCAL_ID_BYTES // payload.grf_bytes) * payload.grf_bytes
    return _group_ids(lanes, dimension, ids.offset, ids.size, payload.per_thread_size, data)


@lru_cache(maxsize=128)
def _group_ids(
    lanes: int, dimension: int, offset: int, size: int, thread_bytes: int, data: bytes
) -> GroupIds:
    found: list[Ids] = []
    for first in range(0, len(data), thread_bytes):
        part = data[first : first + thread_bytes]
        rows: list[tuple[int, ...]] = []
        for index in range(3):
            start = offset + index * dimension
            row = part[start : start + lanes * _LOCAL_ID_BYTES]
            inside = start + len(row) <= offset + size
            complete = len(row) == lanes * _LOCAL_ID_BYTES and inside
            rows.append(struct.unpack(f"<{lanes}H", row) if complete else (0,) * lanes)
        found += [(rows[0][lane], rows[1][lane], rows[2][lane]) for lane in range(lanes)]
    return GroupIds(found, row_length(found))


def row_length(ids: list[Ids]) -> int:
    """The size of a work-group in X from the local ids of all lanes of all of its threads.

    Lanes after the group's end do not matter: they are zero, or go on counting in Y and Z.
    """
    return max((one[0] for one in ids), default=0) + 1


def group_size_from_ids(ids: list[Ids], items: int) -> Ids | Missing:
    """The size of a work-group of ``items`` work-items, from the local ids of its threads."""
    inside = ids[:items]
    if not inside:
        return Missing("the kernel's payload holds no local ids")
    x, y, z = (max(one[dimension] for one in inside) + 1 for dimension in range(3))
    if x * y * z != items:
        return Missing("the local ids in memory are not those of a whole work-group")
    return x, y, z


def global_ids(local: list[Ids], group: Ids, group_size: Ids, offset: Ids) -> list[Ids]:
    """One global id a lane: group * group size + offset + local."""
    base = [group[dimension] * group_size[dimension] + offset[dimension] for dimension in range(3)]
    return [(base[0] + x, base[1] + y, base[2] + z) for x, y, z in local]
