"""Which of the values that are shown differ from what was shown at an earlier stop."""

from __future__ import annotations

from collections.abc import Hashable


class Changes:
    """Remembers what was shown. Nothing is read for it: a value that was not shown before has not
    changed."""

    def __init__(self) -> None:
        self._stop = 0
        self._earlier: dict[Hashable, object] = {}
        self._now: dict[Hashable, object] = {}

    def has_changed(self, name: Hashable, value: object, stop: int) -> bool:
        """Takes ``value``, which is shown for ``name`` at stop number ``stop``; whether it was
        another one when it was last shown at an earlier stop."""
        if stop != self._stop:
            self._earlier |= self._now
            self._now = {}
            self._stop = stop
        self._now[name] = value
        return name in self._earlier and self._earlier[name] != value
