"""Global memory page by page, as code that loads of it very often reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from zedbg.spirv.module.types import Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue

PAGE_BITS = 12
PAGE = 1 << PAGE_BITS  # bytes: memory is mapped in multiples of them


class PageReader(Protocol):
    """What reads memory."""

    def page(self, number: int) -> bytes | None:
        """The page that begins at ``number`` times PAGE; None where it cannot be read whole."""


class Pages:
    """``known`` pages, which are there now; what else is loaded from is read and added to them,
    with its number to ``added``."""

    def __init__(self, reader: PageReader, known: dict[int, bytes]) -> None:
        self.known = known
        self.added: list[int] = []
        self._reader = reader

    def at(self, number: int) -> bytes:
        """A page. Raises UnknownValue."""
        data = self.known.get(number)
        if data is None:
            data = self._reader.page(number)
            if data is None:
                raise UnknownValue(f"memory at {number << PAGE_BITS:#x} cannot be read")
            self.known[number] = data
            self.added.append(number)
        return data

    def load(self, address: int, kind: Type) -> Value:
        """The value at ``address``. Raises UnknownValue."""
        number, start = divmod(address, PAGE)
        data = self.at(number)[start : start + kind.size]
        while len(data) < kind.size:
            number += 1
            data += self.at(number)[: kind.size - len(data)]
        return kind.decode(data)


class Cells(dict[int, Sequence[float]]):
    """Each of ``pages``, by its number, as numbers of one format of the struct module: whole ones
    or others. Raises UnknownValue for one that cannot be read."""

    def __init__(self, pages: Pages, letter: Literal["B", "H", "I", "Q", "f", "d"]) -> None:
        self._pages = pages
        self._letter = letter

    def __missing__(self, number: int) -> Sequence[float]:
        found = self[number] = memoryview(self._pages.at(number)).cast(self._letter)
        return found
