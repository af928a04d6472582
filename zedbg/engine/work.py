"""From a thread's payload in memory to work coordinates: local ids, group size, global ids.

The per-thread payload holds 16-bit local ids: X of all lanes, then Y, then Z, each dimension a
whole number of registers (zeinfo specification, per_thread_payload_arguments). It lies at the
thread's index in its group, behind the cross-thread data, at r0.0[31:6] from the general state
base, and stays there for as long as the kernel runs.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from zedbg.dwarf.machine import Missing
from zedbg.zebin import Kernel, KernelInfo

Ids = tuple[int, int, int]

_LOCAL_ID_BYTES = 2
# Cross-thread data are padded to this, also where registers are longer (as the prologues of kernels
# for Xe-HPC and Xe2 compute the place of the local ids behind it).
_CROSS_THREAD_GRANULE = 32


@dataclass(frozen=True)
class PayloadLayout:
    """Where the parts of a kernel's payload lie, in bytes; from zeinfo.

    ``inline_size``: how much of the cross-thread data travels in a register, not in memory.
    """

    cross_thread_size: int
    inline_size: int
    per_thread_size: int
    local_id_offset: int
    local_id_size: int
    simd_width: int
    grf_bytes: int

    @classmethod
    def of(cls, kernel: Kernel, grf_bytes: int) -> PayloadLayout | None:
        """The layout of ``kernel``; None when its module has no zeinfo for it."""
        info = kernel.info
        if info is None or not kernel.simd_width:
            return None
        ends = [a.offset + a.size for a in info.payload_arguments]
        per_thread = info.per_thread_payload_arguments
        ids = next((a for a in per_thread if a.arg_type == "local_id"), None)
        return cls(
            cross_thread_size=_align(max(ends, default=0), _CROSS_THREAD_GRANULE),
            inline_size=info.execution.inline_data_payload_size,
            per_thread_size=_align(
                max((a.offset + a.size for a in per_thread), default=0), grf_bytes
            ),
            local_id_offset=ids.offset if ids else 0,
            local_id_size=ids.size if ids else 0,
            simd_width=kernel.simd_width,
            grf_bytes=grf_bytes,
        )

    @property
    def thread_offset(self) -> int:
        """Where the first thread's part begins, from the payload's start in memory."""
        return max(self.cross_thread_size - self.inline_size, 0)

    def local_ids(self, data: bytes) -> list[Ids]:
        """One id a lane out of one thread's part."""
        lanes = self.simd_width
        dimension = _align(lanes * _LOCAL_ID_BYTES, self.grf_bytes)
        rows: list[tuple[int, ...]] = []
        for index in range(3):
            start = self.local_id_offset + index * dimension
            row = data[start : start + lanes * _LOCAL_ID_BYTES]
            inside = start + len(row) <= self.local_id_offset + self.local_id_size
            complete = len(row) == lanes * _LOCAL_ID_BYTES and inside
            rows.append(struct.unpack(f"<{lanes}H", row) if complete else (0,) * lanes)
        return [(rows[0][lane], rows[1][lane], rows[2][lane]) for lane in range(lanes)]


def argument_offset(info: KernelInfo, kind: str) -> int | None:
    """Where the implicit argument ``kind`` lies in the cross-thread data, None if the kernel has
    none."""
    return next((a.offset for a in info.payload_arguments if a.arg_type == kind), None)


def row_length(ids: list[Ids]) -> int:
    """The size of a work-group in X from the local ids of all lanes of all of its threads.

    Lanes behind the group's end do not matter: they are zero, or go on counting in Y and Z.
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


def _align(size: int, to: int) -> int:
    return -(-size // to) * to
