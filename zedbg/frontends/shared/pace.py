"""How something that takes long gets on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zedbg.engine.breakpoints.breakpoint import Breakpoint


class _Tried(NamedTuple):
    """How often threads came to breakpoints, so that a condition was tried, and in how many lanes
    it was."""

    hits: int
    lanes: int


class Pace:
    """Of a command, from now on; ``breakpoints`` gives those of its session."""

    def __init__(self, breakpoints: Callable[[], Iterable[Breakpoint]]) -> None:
        self._breakpoints = breakpoints
        self._begin = self._last = time.monotonic()
        self._before = self._tried = self._count()

    def text(self, name: str) -> str:
        """How many hits of breakpoints were tried, if any, in how many lanes, and lanes at which
        rate; else how long the command, which is called ``name``, has taken up to now."""
        now, tried = time.monotonic(), self._count()
        if tried.hits > self._tried.hits:
            rate = (tried.lanes - self._tried.lanes) / (now - self._last)
            hits, lanes = tried.hits - self._before.hits, tried.lanes - self._before.lanes
            text = f"{hits:,} hits tried, {lanes:,} lanes, {rate:,.0f} a second"
        else:
            text = f"{name}: {now - self._begin:.0f} s"
        self._last, self._tried = now, tried
        return text

    @property
    def has_tried(self) -> bool:
        """Whether a breakpoint was tried in vain since :meth:`text` was asked for last."""
        return self._count().hits > self._tried.hits

    def _count(self) -> _Tried:
        hits = lanes = 0
        for each in self._breakpoints():
            hits += each.arrivals
            lanes += each.lanes_tried
        return _Tried(hits, lanes)
