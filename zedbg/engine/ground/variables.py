"""The names that a user gives values, and those of printed values: ``$name``, ``$1``, ``$``."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.values.value import Value

# How far ``$$n`` goes back in the history; ``$n`` has all of it.
_KEPT_BACK = 10


class Variables:
    """The convenience variables of a session; names are without the ``$``."""

    def __init__(self) -> None:
        self.history: list[Value] = []
        self._values: dict[str, object] = {}
        self._computed: dict[str, Callable[[], object]] = {}

    def get(self, name: str) -> object:
        """The value of ``$name``; None when there is none, which is void."""
        computed = self._computed.get(name)
        if computed is not None:
            return computed()
        return self._values.get(name)

    def set(self, name: str, value: object) -> None:
        """Gives ``$name`` a value."""
        self._values[name] = value

    def forget(self, name: str) -> None:
        """There is no ``$name`` any more."""
        self._values.pop(name, None)

    @property
    def names(self) -> list[str]:
        """The names that have values, without those of the history."""
        every = (*self._values, *self._computed)
        return [name for name in every if name[:1].isalpha() or name[:1] == "_"]

    def define(self, name: str, compute: Callable[[], object]) -> None:
        """From now on ``$name`` is what ``compute`` returns, a value or Missing."""
        self._computed[name] = compute

    def remember(self, value: Value) -> int:
        """Puts a value into the history; its number N, as in ``$N``."""
        self.history.append(value)
        number = len(self.history)
        kept = Value(value.type, value.data)
        self._values[str(number)] = self._values[""] = self._values["$"] = kept
        for back, value in enumerate(reversed(self.history[-_KEPT_BACK:])):
            self._values[f"${back}"] = Value(value.type, value.data)
        if number > 1:
            self._values["$"] = self._values["$1"]
        return number
