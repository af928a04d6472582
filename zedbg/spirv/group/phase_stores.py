"""What may be stored in local memory between two barriers, by where that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.spirv.group.phases import Writer
from zedbg.spirv.module.types import Type


@dataclass(frozen=True, eq=False)
class Store:
    """A store by one work-item, as far as it comes to that."""

    number: int  # of the work-item
    writer: Writer
    start: int
    kind: Type


Byte = tuple[int, int]  # the variable, 0: none that is known by its name; and the address in it


class PhaseStores:
    """What all work-items may store after one border and before the next: ``stores``, each with the
    variable that it stores to. They are looked up by cells, so many bytes that all of one are
    stored together. ``unplaced``: what may store there, too: it is not known where."""

    def __init__(
        self, stores: Sequence[tuple[int, Store]], unplaced: Sequence[Writer] = ()
    ) -> None:
        self.unplaced = unplaced
        numbers = [each for _, store in stores for each in (store.start, store.kind.size)]
        self._size = math.gcd(*numbers) or 1
        self._cells: dict[Byte, list[Store]] = {}
        for variable, store in stores:
            end = store.start + store.kind.size
            for cell in range(store.start // self._size, end // self._size):
                self._cells.setdefault((variable, cell), []).append(store)

    def cell(self, byte: Byte) -> Byte:
        """The cell of a byte."""
        return byte[0], byte[1] // self._size

    def at(self, cell: Byte) -> Sequence[Store]:
        """What may be stored there."""
        return self._cells.get(cell, ())
