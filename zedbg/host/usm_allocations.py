"""The USM memory that a program allocated, found by address."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zedbg.host.host_calls import Record, record_of_process
from zedbg.host.mappings import ProcessMemory


@dataclass(frozen=True)
class UsmAllocation:
    """Memory: ``usm`` is ``device``, ``host`` or ``shared``; ``number`` counts from 1."""

    number: int
    usm: str
    address: int
    size: int
    is_freed: bool

    @property
    def name(self) -> str:
        """``shared USM allocation 3``."""
        return f"{'freed ' if self.is_freed else ''}{self.usm} USM allocation {self.number}"

    def contains(self, address: int) -> bool:
        """Whether ``address`` lies in it."""
        return self.address <= address < self.address + max(self.size, 1)


class UsmAllocations:
    """Some allocations, in the order in which they were made."""

    def __init__(self, allocations: Iterable[UsmAllocation] = ()) -> None:
        every = self._every = tuple(allocations)
        self._there = sorted(
            (each for each in every if not each.is_freed), key=lambda each: each.address
        )
        self._freed = [each for each in reversed(every) if each.is_freed]

    def __iter__(self) -> Iterator[UsmAllocation]:
        return iter(self._every)

    def at(self, address: int) -> UsmAllocation | None:
        """The memory that ``address`` lies in: what is there, else what was there last."""
        after = bisect_right(self._there, address, key=lambda each: each.address)
        if after and self._there[after - 1].contains(address):
            return self._there[after - 1]
        return next((each for each in self._freed if each.contains(address)), None)


class NotedAllocations:
    """Those of process ``pid`` by the notes of the hold library; none where it has not noted any.
    :meth:`now` reads them only when a call was noted since the last time."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._record: Record | None = None
        self._found = UsmAllocations()

    def now(self) -> UsmAllocations:
        """As they are now."""
        before = self._record
        record = None if before is None else before.now()
        self._record = record = record or record_of_process(ProcessMemory(self.pid))
        if record is not None and (before is None or record.noted != before.noted):
            self._found = UsmAllocations(
                UsmAllocation(each.number, each.kind.word, each.handle, each.size, bool(each.gone))
                for each in record.allocations()
            )
        return self._found
