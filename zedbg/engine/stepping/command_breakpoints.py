"""Breakpoints that a command sets for as long as it lets a thread run; users do not see them."""

from __future__ import annotations

from collections.abc import Iterable

from zedbg.engine.modules.code_memory import CodeMemory


class CommandBreakpoints:
    """Knows which of them are in ``code``; each address counts once. LevelZeroError where the
    driver refuses."""

    def __init__(self, code: CodeMemory) -> None:
        self._code = code
        self._addresses: set[int] = set()

    def insert(self, addresses: Iterable[int]) -> None:
        """Sets those that are not in."""
        for address in addresses:
            if address not in self._addresses:
                self._code.insert(address)
                self._addresses.add(address)

    def remove(self, addresses: Iterable[int]) -> None:
        """Takes those out that are in."""
        for address in addresses:
            if address in self._addresses:
                self._addresses.remove(address)
                self._code.remove(address)

    def remove_all(self) -> None:
        """Takes out all that are in."""
        self.remove(tuple(self._addresses))
