"""A breakpoint of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zedbg.api.frames import place_text
from zedbg.engine.breakpoints.breakpoint import Breakpoint as EngineBreakpoint
from zedbg.engine.sessions.session import Session as EngineSession

Callback = Callable[[Any], object]
"""Takes a Stop, which stands above this module."""


class Breakpoint:
    """A breakpoint, catchpoint or watchpoint.

    >>> breakpoint_ = session.breakpoints[1]
    >>> breakpoint_.number, breakpoint_.location, breakpoint_.hits
    (1, 'blur.cl:15', 1)
    """

    def __init__(self, engine: EngineSession, breakpoint_: EngineBreakpoint) -> None:
        self._engine = engine
        self._breakpoint = breakpoint_
        self._callback: Callback | None = None

    @property
    def number(self) -> int:
        """Its number, as in the shell.

        >>> session.breakpoints[1].number
        1
        """
        return self._breakpoint.number

    @property
    def location(self) -> str:
        """What was asked for.

        >>> session.breakpoints[1].location
        'blur.cl:15'
        """
        return self._breakpoint.text

    @property
    def places(self) -> list[str]:
        """Where it is in the modules that are loaded; empty while none has the place.

        >>> session.breakpoints[1].places
        ['blur at blur.cl:15']
        """
        with self._engine.condition:
            return [place_text(each.code) for each in self._breakpoint.locations]

    @property
    def hits(self) -> int:
        """How often it was hit, as in the shell: how many stops it made, those that a callback let
        go on too; of one that logs, in how many threads.

        >>> session.breakpoints[1].hits
        1
        """
        return self._breakpoint.times

    @property
    def thread_hits(self) -> int:
        """How many threads it hit: a stop is one of all that hit together.

        >>> session.breakpoints[1].thread_hits
        8
        """
        return self._breakpoint.hits

    @property
    def condition(self) -> str | None:
        """An expression: it hits in the lanes where that is not zero. Can be set, None for none.

        Setting raises :class:`~zedbg.ConditionError` when it is no expression.

        >>> session.breakpoints[1].condition is None
        True
        """
        found = self._breakpoint.condition
        return None if found is None else found.text

    @condition.setter
    def condition(self, text: str | None) -> None:
        with self._engine.condition:
            self._engine.breakpoints.set_condition(self._breakpoint, text)

    @property
    def enabled(self) -> bool:
        """Whether it stops anything. Can be set.

        >>> session.breakpoints[1].enabled
        True
        """
        return self._breakpoint.enabled

    @enabled.setter
    def enabled(self, wanted: bool) -> None:
        with self._engine.condition:
            self._engine.breakpoints.set_enabled(self._breakpoint, wanted)

    @property
    def ignore_count(self) -> int:
        """How many of the next hits go on unreported. Can be set.

        >>> session.breakpoints[1].ignore_count
        0
        """
        return self._breakpoint.ignore_count

    @ignore_count.setter
    def ignore_count(self, count: int) -> None:
        self._breakpoint.ignore_count = count

    @property
    def callback(self) -> Callback | None:
        """Called with each :class:`~zedbg.Stop` that it takes part in; when it returns False, and
        nothing else stopped the program, that goes on. Can be set.

        >>> session.breakpoints[1].callback is None
        True
        """
        return self._callback

    @callback.setter
    def callback(self, call: Callback | None) -> None:
        self._callback = call

    def delete(self) -> None:
        """Takes it out.

        >>> second = session.breakpoints.add("blur.cl:16")
        >>> second.delete()
        >>> len(session.breakpoints)
        1
        """
        with self._engine.condition:
            self._engine.breakpoints.delete(self._breakpoint)

    def __repr__(self) -> str:
        condition = f" if {self.condition}" if self.condition else ""
        return f"<Breakpoint {self.number} {self.location}{condition}, {self.hits} hits>"
