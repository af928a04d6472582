"""Parts of a file by number, each of which is read when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

Part = TypeVar("Part")


class ReadLater(Mapping[int, Part]):
    """The parts with ``ids``, as ``read`` gives them; one for which it gives None is not there."""

    def __init__(self, ids: Iterable[int], read: Callable[[int], Part | None]) -> None:
        #: All, also of those that are not there.
        self.numbers = list(ids)
        self._read = read
        self._known: dict[int, Part | None] = {}

    def __getitem__(self, number: int) -> Part:
        if number not in self._known:
            self._known[number] = self._read(number)
        found = self._known[number]
        if found is None:
            raise KeyError(number)
        return found

    def __iter__(self) -> Iterator[int]:
        return (each for each in self.numbers if each in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
