"""The numbers by which a client names frames and variables while the program is stopped."""

from __future__ import annotations

import itertools
from typing import TypeVar

from zedbg.frontends.dap.session.errors import RequestError

_Kind = TypeVar("_Kind")


class References:
    """Numbers for objects, from one stop to the next. No number is given twice, so that one of an
    earlier stop is known as such."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._objects: dict[int, object] = {}

    def add(self, thing: object) -> int:
        """A number for ``thing``."""
        number = next(self._numbers)
        self._objects[number] = thing
        return number

    def get(self, number: int, kind: type[_Kind]) -> _Kind:
        """What ``number`` stands for; RequestError when it stands for nothing of that kind now."""
        found = self._objects.get(number)
        if not isinstance(found, kind):
            raise RequestError(f"Reference {number} is not of this stop.")
        return found

    def forget(self) -> None:
        """The program goes on: no number holds any more."""
        self._objects.clear()
