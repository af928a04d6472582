"""Which hits of a breakpoint stop, by their number."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from zedbg.engine.engine_errors import BreakpointError

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "=": operator.eq,
    "<=": operator.le,
    "<": operator.lt,
    "%": lambda hit, number: hit % number == 0,
}
_TEXT = re.compile(r"\s*(>=|>|==|=|<=|<|%)?\s*(\d{1,18})\s*")


@dataclass(frozen=True)
class HitCondition:
    """Compares the number of a hit, counted from 1 in each run, with ``number``: ``comparison`` is
    ``>=``, ``>``, ``==``, ``<=``, ``<``, or ``%`` for the hits that ``number`` divides."""

    comparison: str
    number: int

    @classmethod
    def parse(cls, text: str) -> HitCondition:
        """Reads ``% 3``, ``== 5`` and so on; ``5`` alone is ``>= 5``. BreakpointError for what is
        none, or holds for no hit."""
        match = _TEXT.fullmatch(text)
        found = None if match is None else cls(match[1] or ">=", int(match[2]))
        if found is None or (found.number < found.least_number):
            raise BreakpointError(
                f'"{text}" is no hit count: write 5, >= 5, > 5, == 5, < 5, <= 5, or % 5 for each '
                "fifth hit."
            )
        return found

    @property
    def least_number(self) -> int:
        """The least ``number`` with which some hit fits."""
        return {">": 0, "<": 2}.get(self.comparison, 1)

    def holds(self, hit: int) -> bool:
        """Whether hit number ``hit`` fits."""
        return _OPERATORS[self.comparison](hit, self.number)

    def __str__(self) -> str:
        return f"hits {self.comparison} {self.number}"
