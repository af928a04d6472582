"""Whole numbers that depend on the work-item, and on iterations, as sums of multiples of them.

Each stands for many numbers at once: those of all work-items, in all iterations. What is not such a
sum is known by its bounds alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

_MOST_TRIED = 2_000  # values of unknowns, for one question


class Of(Enum):
    """What an unknown is."""

    GROUP = "the number of the group in a dimension"
    LOCAL = "the local id in a dimension"
    ITERATION = "the iteration of a loop"


class Unknown(NamedTuple):
    """A number from 0 to ``last``; ``which``: the dimension, or the loop's first block."""

    of: Of
    which: int
    last: int


class TooManyError(Exception):
    """More values would have to be tried than anybody should wait for."""


@dataclass(frozen=True)
class Linear:
    """The sum of ``factors`` times their unknowns, and of a number from ``low`` to ``high``."""

    low: int
    high: int
    factors: Mapping[Unknown, int] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that it may be."""
        reach = [_reach(*each) for each in self.factors.items()]
        return self.low + sum(a for a, _ in reach), self.high + sum(b for _, b in reach)

    @property
    def number(self) -> int | None:
        """The only one that it may be; None where it may be several."""
        return self.low if self.low == self.high and not self.factors else None

    def plus(self, other: Linear) -> Linear:
        """The sum of both."""
        factors = dict(self.factors)
        for unknown, factor in other.factors.items():
            factors[unknown] = factors.get(unknown, 0) + factor
        used = {unknown: factor for unknown, factor in factors.items() if factor}
        return Linear(self.low + other.low, self.high + other.high, used)

    def times(self, number: int) -> Linear:
        """The product with ``number``."""
        low, high = sorted((self.low * number, self.high * number))
        factors = {each: factor * number for each, factor in self.factors.items() if number}
        return Linear(low, high, factors)

    def any_of(self, other: Linear) -> Linear:
        """What may be either of both."""
        if self.factors == other.factors:
            return Linear(min(self.low, other.low), max(self.high, other.high), self.factors)
        (a, b), (c, d) = self.bounds, other.bounds
        return Linear(min(a, c), max(b, d))

    def within(self, first: int, bits: int) -> Linear | None:
        """The same modulo 2 to the power of ``bits``, from ``first`` on; None where it may reach
        the end of these numbers."""
        low, high = self.bounds
        turns = low - first >> bits
        if turns != high - first >> bits:
            return None
        return self if not turns else self.plus(Linear(-turns << bits, -turns << bits))

    def solutions(self, least: int, greatest: int) -> Iterator[dict[Unknown, int]]:
        """What the unknowns may be, together, where it is a number from ``least`` to ``greatest``.
        Raises TooManyError."""
        order = sorted(self.factors, key=lambda each: -abs(self.factors[each]))
        rest = [(self.low, self.high)]  # the bounds of what is left of the sum, by unknowns found
        for each in reversed(order):
            (low, high), (a, b) = rest[0], _reach(each, self.factors[each])
            rest.insert(0, (low + a, high + b))
        tried = 0

        def follow(sum_: int, found: dict[Unknown, int]) -> Iterator[dict[Unknown, int]]:
            nonlocal tried
            low, high = rest[len(found)]
            if sum_ + high < least or sum_ + low > greatest:
                return
            if len(found) == len(order):
                yield found
                return
            unknown, (low, high) = order[len(found)], rest[len(found) + 1]
            factor = self.factors[unknown]
            values = _multiples(factor, least - sum_ - high, greatest - sum_ - low)
            for value in range(max(values.start, 0), min(values.stop, unknown.last + 1)):
                tried += 1
                if tried > _MOST_TRIED:
                    raise TooManyError
                yield from follow(sum_ + value * factor, {**found, unknown: value})

        yield from follow(0, {})


def _reach(unknown: Unknown, factor: int) -> tuple[int, int]:
    end = unknown.last * factor
    return min(0, end), max(0, end)


def _multiples(factor: int, least: int, greatest: int) -> range:
    """The numbers whose product with ``factor`` is from ``least`` to ``greatest``."""
    if factor < 0:
        factor, least, greatest = -factor, -greatest, -least
    return range(-(-least // factor), greatest // factor + 1)
