"""The threads of a stop, as rows that are made when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from zedbg.commands.rows.row import Row
from zedbg.missing import Missing

Workgroup = tuple[int, int, int]


@dataclass(frozen=True)
class StoppedThreadRow(Row):
    """A thread that took part in a stop, with the lanes that did."""

    id: str
    name: str
    workgroup: Workgroup | Missing
    lanes: tuple[int, ...]


class StoppedThreadRows(Sequence[StoppedThreadRow]):
    """Threads that stopped at one place for one reason: there may be thousands, of which people are
    shown the first one and how many there are.

    ``first`` is a row, ``rows`` makes all of them. ``workgroups`` are those that are known.
    """

    def __init__(
        self,
        count: int,
        first: StoppedThreadRow,
        workgroups: frozenset[Workgroup],
        rows: Callable[[], tuple[StoppedThreadRow, ...]],
    ) -> None:
        self.first = first
        self.workgroups = workgroups
        self._count = count
        self._make = rows

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> StoppedThreadRow: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[StoppedThreadRow]: ...

    def __getitem__(self, index: int | slice) -> StoppedThreadRow | Sequence[StoppedThreadRow]:
        return self._rows[index]

    def __iter__(self) -> Iterator[StoppedThreadRow]:
        return iter(self._rows)

    @cached_property
    def _rows(self) -> tuple[StoppedThreadRow, ...]:
        return self._make()
