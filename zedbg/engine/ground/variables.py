"""The names that a user gives values, and those of printed values: ``$name``, ``$1``, ``$``."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.values.typed.value import Value


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
        return self._values[name] if name in self._values else self._remembered(name)

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
        return len(self.history)

    def _remembered(self, name: str) -> Value | None:
        """What ``$N`` is, or ``$``, the last one, or ``$$``, that before it, or ``$$N``, the Nth
        before the last. None where there is none."""
        count = len(self.history)
        if name.isdecimal():
            index = int(name) - 1
        elif name in ("", "$"):
            index = max(count - 1 - len(name), 0)
        elif name[0] == "$" and name[1:].isdecimal():
            index = count - 1 - int(name[1:])
        else:
            return None
        if not 0 <= index < count:
            return None
        value = self.history[index]
        return Value(value.type, value.data)  # which nothing can be assigned to
