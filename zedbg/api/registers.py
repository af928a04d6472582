"""The registers of a stopped thread by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zedbg.values.typed.value import Value


class Register:
    """A register, whole. ``value`` is its number, or the list of its elements.

    >>> thread.registers["r1"].as_("w")[:4]
    [0, 1, 2, 3]
    """

    def __init__(self, name: str, read: Callable[[str], Value]) -> None:
        self._name = name
        self._read = read

    @property
    def name(self) -> str:
        """Its name.

        >>> thread.registers["r1"].name
        'r1'
        """
        return self._name

    @property
    def data(self) -> bytes:
        """Its bytes.

        >>> len(thread.registers["r1"].data)
        32
        """
        return self._read(self._name).data

    @property
    def value(self) -> Any:  # noqa: ANN401 - a number or a list of them
        """Its number, or the list of its elements, of the type that the shell shows.

        >>> thread.registers["cr0"].value[0] >> 31
        0
        """
        return self._read(self._name).plain()

    def as_(self, element: str) -> list[Any]:
        """Its elements as another type: ``ub b uw w ud d uq q hf bf f df``.

        >>> thread.registers["r1"].as_("uw")[1]
        1
        """
        value = self._read(f"{self._name}.{element}").plain()
        return value if isinstance(value, list) else [value]

    def __repr__(self) -> str:
        return f"<Register {self._name}: {self.value}>"


class Registers:
    """``registers["r10"]``, also ``registers["r10.f"]`` as elements of another type.

    >>> thread.registers["r1.w"].value[:4]
    [0, 1, 2, 3]
    """

    def __init__(self, read: Callable[[str], Value]) -> None:
        self._read = read

    def __getitem__(self, name: str) -> Register:
        """Register ``name``; :class:`~zedbg.EvaluationError` when there is none."""
        register = Register(name, self._read)
        self._read(name)
        return register
