"""Values that a loop carries from one iteration to the next, kept from one stop to the next.

A lane that stops in each iteration needs one more of them each time. What was loaded from memory
in earlier ones is compared with what is there now: it may be another launch of the same kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zedbg.spirv.group.columns import Column
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue, real
from zedbg.spirv.work_item.loop_code import LoopCode, Row, class_of
from zedbg.spirv.work_item.memory_pages import PageReader, Pages

_MOST_KEPT = 8_192  # threads whose values are kept
_MOST_PAGES = 512  # that are compared for one of them
_MOST_PAGES_KEPT = 4_096


class _Kept(NamedTuple):
    """An iteration, the values of lanes in the one before it and in it, and their inputs; the pages
    of memory that were loaded from."""

    number: int
    before: list[Row]
    now: list[Row]
    inputs: list[Row]
    pages: dict[int, bytes]


class CarriedValues:
    """Those that ``code`` computes."""

    def __init__(self, code: LoopCode) -> None:
        self.code = code
        self._kept: dict[object, _Kept] = {}  # by what lanes begin with
        self._pages: dict[int, bytes] = {}  # those of all of them, once each

    def at(
        self, iteration: int, columns: Sequence[Column], count: int, memory: PageReader
    ) -> list[Row]:
        """The values of the phis in ``iteration`` of lanes that begin with ``columns``, of
        ``count`` lanes: first values, then inputs. Raises UnknownValue where one is not known."""
        key = tuple([each.key for each in columns])
        kept = self._kept.get(key)
        if (
            kept is None
            or kept.number > iteration + 1
            or any(memory.page(number) != data for number, data in kept.pages.items())
        ):
            kept = self._begun(columns, count)
        if kept.number > iteration:
            return kept.before
        number, before, now, inputs, known = kept
        pages = Pages(memory, known)
        for steps in (iteration - number - 1, 1):  # the last one by itself
            if steps > 0 and number < iteration:
                before, now = now, self.code.run(steps, now, inputs, pages)
                number += steps
        self._keep(key, _Kept(number, before, now, inputs, known), pages.added)
        return now

    def _begun(self, columns: Sequence[Column], count: int) -> _Kept:
        """The first iteration. Raises UnknownValue."""
        for column, kind in zip(columns, self.code.types, strict=True):
            if column.classes != {class_of(kind)}:
                raise UnknownValue("it is not a number")
            if kind.kind is Kind.FLOAT:
                for value in column.values:
                    real(value, kind.bits)  # type: ignore[arg-type]
        states = len(self.code.phis)
        rows = list(zip(*(each.each(count) for each in columns), strict=True))
        begin, inputs = [row[:states] for row in rows], [row[states:] for row in rows]
        return _Kept(0, begin, begin, inputs, {})

    def _keep(self, key: object, found: _Kept, added: Sequence[int]) -> None:
        """Keeps ``found``. Others may have loaded from the pages that were ``added``, too."""
        if len(self._kept) >= _MOST_KEPT and key not in self._kept:
            self._kept.clear()
        if len(self._pages) > _MOST_PAGES_KEPT:
            self._kept.clear()
            self._pages.clear()
        if len(found.pages) > _MOST_PAGES:
            self._kept.pop(key, None)
            return
        for number in added:
            data = found.pages[number]
            if self._pages.get(number) != data:
                self._pages[number] = data
            found.pages[number] = self._pages[number]
        self._kept[key] = found
