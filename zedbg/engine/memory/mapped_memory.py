"""How far mapped memory reaches around an address, found out by reading single bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError

PAGE_BYTES = 4096  # the smallest
_LARGEST = 1 << 32  # bytes; what reaches further is cut there


@dataclass(frozen=True)
class MappedRange:
    """Memory from ``begin`` up to, but without, ``end``."""

    begin: int
    end: int

    def distance(self, address: int) -> int:
        """Bytes from the range to ``address``: negative before it, 0 inside."""
        if address < self.begin:
            return address - self.begin
        return max(address - self.end + 1, 0)


def is_mapped(thread: HardwareThread, address: int) -> bool:
    """Whether the byte at ``address`` can be read as ``thread`` sees memory."""
    try:
        thread.read_memory(MemorySpace.GLOBAL, address, 1)
    except LevelZeroError:
        return False
    return True


def first_unmapped(thread: HardwareThread, address: int, size: int) -> int | None:
    """The first of ``size`` bytes from ``address`` on that cannot be read, None when all can."""
    at = address
    while at < address + size:
        if not is_mapped(thread, at):
            return at
        at = (at // PAGE_BYTES + 1) * PAGE_BYTES
    return None


def mapped_range(thread: HardwareThread, address: int) -> MappedRange | None:
    """The mapped memory around ``address``, in whole pages; None when it is not mapped.

    About 2 log2(pages) single reads: the distance is doubled until a page is missing, then halved.
    Neighbours without a gap count as one.
    """
    if not is_mapped(thread, address):
        return None
    page = address // PAGE_BYTES
    above = _reach(lambda pages: is_mapped(thread, (page + pages) * PAGE_BYTES))
    below = _reach(lambda pages: page >= pages and is_mapped(thread, (page - pages) * PAGE_BYTES))
    return MappedRange((page - below) * PAGE_BYTES, (page + above + 1) * PAGE_BYTES)


def _reach(mapped: Callable[[int], bool]) -> int:
    """The largest number of pages for which ``mapped`` holds, 0 when for none."""
    known, step = 0, 1
    while step <= _LARGEST // PAGE_BYTES and mapped(step):
        known, step = step, step * 2
    while step - known > 1:
        middle = (known + step) // 2
        if mapped(middle):
            known = middle
        else:
            step = middle
    return known
