"""How something that takes long gets on."""

from __future__ import annotations

import time

from zedbg.commands.framework.context import CommandContext


class Pace:
    """Of a command called ``name``, from now on."""

    def __init__(self, name: str, context: CommandContext) -> None:
        self._name = name
        self._context = context
        self._begin = self._last = time.monotonic()
        self._before = self._tried = self._count()

    def text(self) -> str:
        """How many hits of breakpoints were tried, if any, and at which rate; else how long it has
        taken up to now."""
        now, tried = time.monotonic(), self._count()
        if tried > self._tried:
            rate = (tried - self._tried) / (now - self._last)
            text = f"{tried - self._before:,} hits tried, {rate:,.0f} a second"
        else:
            text = f"{self._name}: {now - self._begin:.0f} s"
        self._last, self._tried = now, tried
        return text

    @property
    def has_tried(self) -> bool:
        """Whether a breakpoint was tried in vain since :meth:`text` was asked for last."""
        return self._count() > self._tried

    def _count(self) -> int:
        """How often threads came to breakpoints, so that a condition was tried."""
        return sum(each.arrivals for each in list(self._context.session.breakpoints))
