"""Which ranges of device memory are worth saving, and which of them have room."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zedbg.engine.memory.mapped_memory import PAGE_BYTES, mapped_range
from zedbg.engine.threads.thread import HardwareThread

_HIGH_BITS = 32  # an address begins with the same bits as others that are known
_GRANULE_BITS = 16  # of pointers into one granule, one is tried
_MOST_TRIED = 20_000  # granules to which something may point by chance
_AROUND = 64 << 10  # bytes on each side of a pointer into a range that has no room


@dataclass
class Limit:
    """How many bytes may still be saved."""

    left: int


@dataclass(order=True)
class _Range:
    begin: int
    end: int
    reader: HardwareThread | None = field(compare=False)  # in whose address space it was seen
    is_needed: bool = field(compare=False)  # without it, threads cannot be understood
    pointers: set[int] = field(default_factory=set, compare=False)  # pages that are pointed to


class MemoryRanges:
    """Ranges of one device's memory; ``left_out`` is what :meth:`within` found no room for."""

    def __init__(self) -> None:
        self.left_out: list[tuple[int, int]] = []
        self._ranges: list[_Range] = []  # by address, none overlaps another
        self._unmapped: set[int] = set()  # granules
        self._high: set[int] = set()
        self._tried = 0

    def add(self, begin: int, end: int) -> None:
        """A range that is needed."""
        self._high.add(begin >> _HIGH_BITS)
        self._insert(_Range(begin, end, None, True))

    def add_around(self, thread: HardwareThread, address: int, *, is_needed: bool = False) -> None:
        """All mapped memory around ``address``."""
        known = self._at(address)
        if known is None:
            mapped = mapped_range(thread, address)
            if mapped is None:
                return
            self._high.add(address >> _HIGH_BITS)
            self._insert(_Range(mapped.begin, mapped.end, thread, is_needed))
            known = self._at(address)
        if known is not None:
            known.pointers.add(address // PAGE_BYTES)

    def add_pointers(self, thread: HardwareThread, values: Iterable[int]) -> None:
        """What those of ``values`` point to that look like addresses."""
        high = self._high
        for value in {each for each in values if each >> _HIGH_BITS in high}:
            granule = value >> _GRANULE_BITS
            if granule in self._unmapped or self._tried >= _MOST_TRIED:
                continue
            known = self._at(value)
            if known is not None:
                known.pointers.add(value // PAGE_BYTES)
                continue
            self._tried += 1
            self.add_around(thread, value)
            if self._at(value) is None:
                self._unmapped.add(granule)

    def within(self, limit: Limit) -> list[tuple[int, int]]:
        """First and last-but-one address of what is saved, by address: first what is needed, then
        the smallest; of what has no room, what lies around pointers."""
        saved: list[tuple[int, int]] = []
        for each in sorted(self._ranges, key=lambda one: (not one.is_needed, one.end - one.begin)):
            size = each.end - each.begin
            if size <= limit.left:
                saved.append((each.begin, each.end))
                limit.left -= size
                continue
            kept = list(self._around_pointers(each, limit))
            saved += kept
            self.left_out += _gaps(each.begin, each.end, kept)
        return sorted(saved)

    def reader(self, address: int) -> HardwareThread | None:
        """A thread that sees the memory at ``address``; None: any."""
        found = self._at(address)
        return None if found is None else found.reader

    def _around_pointers(self, each: _Range, limit: Limit) -> Iterator[tuple[int, int]]:
        end = each.begin
        for page in sorted(each.pointers):
            begin = max(page * PAGE_BYTES - _AROUND, end)
            size = min(page * PAGE_BYTES + PAGE_BYTES + _AROUND, each.end) - begin
            if 0 < size <= limit.left:
                limit.left -= size
                end = begin + size
                yield begin, end

    def _at(self, address: int) -> _Range | None:
        index = bisect_right(self._ranges, address, key=lambda each: each.begin) - 1
        found = self._ranges[index] if index >= 0 else None
        return found if found is not None and address < found.end else None

    def _insert(self, new: _Range) -> None:
        """Puts ``new`` in, as one with those that it overlaps."""
        overlapped = [
            each for each in self._ranges if each.begin < new.end and new.begin < each.end
        ]
        for each in overlapped:
            self._ranges.remove(each)
            new.begin, new.end = min(each.begin, new.begin), max(each.end, new.end)
            new.is_needed |= each.is_needed
            new.pointers |= each.pointers
            new.reader = new.reader or each.reader
        insort(self._ranges, new)


def _gaps(begin: int, end: int, kept: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Address and bytes of what of a range is not ``kept``."""
    gaps = []
    for first, after in [*kept, (end, end)]:
        if begin < first:
            gaps.append((begin, first - begin))
        begin = after
    return gaps
