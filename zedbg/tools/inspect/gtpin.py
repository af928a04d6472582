"""What ``.gtpin_info`` says of a kernel, as lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from zedbg.zebin.gtpin_info import GtpinInfo, RegisterBytes

_RANGES_A_LINE = 8


def gtpin_lines(info: GtpinInfo) -> Iterator[str]:
    """A line for each thing that ``info`` says; register bytes are counted from r0's first."""
    yield f"GTPin interface version {info.version}"
    if info.grf_count is not None:
        yield f"GRFs of a thread: {info.grf_count}"
    if info.cross_thread_prolog_size is not None:
        yield (
            f"payload prologs: per thread {info.per_thread_prolog_size} bytes, "
            f"cross-thread {info.cross_thread_prolog_size} bytes"
        )
    if info.scratch_size is not None:
        yield f"scratch kept for GTPin: {info.scratch_size} bytes at {info.scratch_offset:#x}"
    if info.free_data is not None:
        yield "unused GRF bytes:" if info.free_data else "unused GRF bytes: none"
    ranges = info.free_registers
    while line := ", ".join(map(_range, islice(ranges, _RANGES_A_LINE))):
        yield f"  {line}"
    if info.indirect_data is not None:
        yield "indirect GRF accesses:" if info.indirect_data else "indirect GRF accesses: none"
    for access in info.indirect_accesses:
        yield f"  instruction at {access.offset:#x}: GRF bytes {_range(access.bytes)}"
    for number, content in info.unknown:
        yield f"item {number}: {content.hex()}"


def _range(found: RegisterBytes) -> str:
    return f"{found.start}..{found.start + found.size - 1}" if found.size else f"{found.start}+0"
