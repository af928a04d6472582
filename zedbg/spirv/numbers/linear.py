"""Whole numbers that depend on the work-item, and on iterations, as sums of multiples of them.

Each stands for many numbers at once: those of all work-items, in all iterations. A part of such a
sum, its quotient or remainder, may be in another one. What is no such sum is known by its bounds
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


class Condition(NamedTuple):
    """``number`` is from ``least`` to ``greatest``."""

    number: Linear
    least: int
    greatest: int

    def narrowed(self, unknown: Unknown, values: range, found: Mapping[Unknown, int]) -> range:
        """Those of ``values``, of ``unknown``, for which it may hold, where other unknowns are what
        was ``found``."""
        factor = self.number.factors.get(unknown)
        if factor is None:
            return values
        (low, high), (a, b) = self.number.bounds_for(found), _reach(unknown, factor)
        fitting = _multiples(factor, self.least - (high - b), self.greatest - (low - a))
        return range(max(values.start, fitting.start), min(values.stop, fitting.stop))

    def may_hold(self, found: Mapping[Unknown, int]) -> bool:
        """Whether it does for some numbers, where unknowns are what was ``found``."""
        low, high = self.number.bounds_for(found)
        return low <= self.greatest and high >= self.least


class TooManyError(Exception):
    """More values would have to be tried than anybody should wait for."""


@dataclass(frozen=True, eq=False)
class Part:
    """How much the quotient of ``of`` and ``by``, rounded down, or the remainder, is greater than
    ``least``: from 0 to ``last``."""

    of: Linear
    by: int
    is_quotient: bool
    least: int
    last: int

    def value(self, found: Mapping[Unknown, int]) -> int | None:
        """What it is where unknowns are what was ``found``; None where that is not enough."""
        number = self.of.value(found)
        if number is None:
            return None
        return (number // self.by if self.is_quotient else number % self.by) - self.least


@dataclass(frozen=True)
class Linear:
    """The sum of ``factors`` times their unknowns, and of a number from ``low`` to ``high``."""

    low: int
    high: int
    factors: Mapping[Unknown | Part, int] = field(default_factory=dict)

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
        return Linear(self.low + other.low, self.high + other.high, used)._together()

    def _together(self) -> Linear:
        """The same, where a quotient times its divisor, and the remainder, are what they are parts
        of."""
        parts = [each for each in self.factors if isinstance(each, Part)]
        for one in parts:
            for other in parts:
                factor = self.factors[other]
                is_quotient = one.is_quotient and not other.is_quotient and one.of is other.of
                if is_quotient and one.by == other.by and self.factors[one] == factor * one.by:
                    kept = {each: self.factors[each] for each in self.factors}
                    del kept[one], kept[other]
                    more = -factor * (one.least * one.by + other.least)
                    rest = Linear(self.low + more, self.high + more, kept)
                    return rest.plus(one.of.times(factor))
        return self

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

    def quotient(self, by: int) -> Linear:
        """The quotient with ``by``, which is positive, rounded down."""
        low, high = (each // by for each in self.bounds)
        if self.low != self.high or low == high:
            return Linear(low, high)
        return Linear(low, low, {Part(self, by, True, low, high - low): 1})

    def remainder(self, by: int) -> Linear:
        """The remainder of that: from 0 to ``by`` - 1."""
        low, high = self.bounds
        if low // by == high // by:
            return self.plus(Linear(-(low // by * by), -(low // by * by)))
        if self.low != self.high:
            return Linear(0, by - 1)
        return Linear(0, 0, {Part(self, by, False, 0, by - 1): 1})

    def without_parts(self) -> Linear:
        """The same, with nothing but their bounds known of parts."""
        low, high = self.low, self.high
        factors: dict[Unknown | Part, int] = {}
        for each, factor in self.factors.items():
            if isinstance(each, Part):
                a, b = _reach(each, factor)
                low, high = low + a, high + b
            else:
                factors[each] = factor
        return Linear(low, high, factors)

    def value(self, found: Mapping[Unknown, int]) -> int | None:
        """The number that it is where unknowns are what was ``found``; None where it may be
        several."""
        low, high = self.bounds_for(found)
        return low if low == high else None

    def bounds_for(self, found: Mapping[Unknown, int]) -> tuple[int, int]:
        """Its bounds where unknowns are what was ``found``."""
        low, high = self.low, self.high
        for each, factor in self.factors.items():
            number = each.value(found) if isinstance(each, Part) else found.get(each)
            a, b = _reach(each, factor) if number is None else (number * factor,) * 2
            low, high = low + a, high + b
        return low, high

    def _unknowns(self) -> set[Unknown]:
        """All that it, and its parts, depend on."""
        found: set[Unknown] = set()
        for each in self.factors:
            found |= each.of._unknowns() if isinstance(each, Part) else {each}
        return found

    def solutions(
        self, least: int, greatest: int, conditions: Sequence[Condition] = ()
    ) -> Iterator[dict[Unknown, int]]:
        """What the unknowns may be, together, where it is a number from ``least`` to ``greatest``,
        and ``conditions`` may hold: of iterations that only these depend on, in some of all.
        Raises TooManyError."""
        exact = [Condition(self, least, greatest), *conditions]
        loose = [each._replace(number=each.number.without_parts()) for each in exact]
        tried = 0

        def follow(found: dict[Unknown, int]) -> Iterator[dict[Unknown, int]]:
            nonlocal tried
            if len(found) == len(order):
                if all(each.may_hold(found) for each in exact):
                    yield found
                return
            unknown = order[len(found)]
            values = range(unknown.last + 1)
            for each in loose:
                values = each.narrowed(unknown, values, found)
            for value in values:
                tried += 1
                if tried > _MOST_TRIED:
                    raise TooManyError
                yield from follow({**found, unknown: value})

        own = self._unknowns()
        factors: dict[Unknown, int] = {}
        for each in exact:  # the sum itself first
            for unknown in sorted(each.number._unknowns(), key=lambda one: (one.of.name, one)):
                if unknown.of is Of.ITERATION and unknown not in own:
                    continue  # of another loop, which does not say where this one is
                factors.setdefault(unknown, abs(each.number.factors.get(unknown, 0)))
        order = sorted(factors, key=lambda each: -factors[each])
        yield from follow({})


def _reach(unknown: Unknown | Part, factor: int) -> tuple[int, int]:
    end = unknown.last * factor
    return min(0, end), max(0, end)


def _multiples(factor: int, least: int, greatest: int) -> range:
    """The numbers whose product with ``factor`` is from ``least`` to ``greatest``."""
    if factor < 0:
        factor, least, greatest = -factor, -greatest, -least
    return range(-(-least // factor), greatest // factor + 1)
