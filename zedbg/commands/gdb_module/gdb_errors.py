"""What GDB's scripts catch, and zedbg's errors as such."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from zedbg.missing import MissingError
from zedbg.user_error import UserError

_P = ParamSpec("_P")
_R = TypeVar("_R")


class error(UserError, RuntimeError):  # noqa: N801 - GDB's name
    """``gdb.error``: what was asked for cannot be done."""


class MemoryError(error):
    """``gdb.MemoryError``: memory that cannot be read."""


class GdbError(error):
    """``gdb.GdbError``: ends a command with this line."""


def as_gdb(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """``function``, whose errors are those that GDB's scripts expect: error, and MemoryError."""

    @functools.wraps(function)
    def call(*arguments: _P.args, **options: _P.kwargs) -> _R:
        try:
            return function(*arguments, **options)
        except error:
            raise
        except MissingError as found:
            raise MemoryError(found.line) from found
        except UserError as found:
            raise error(found.line) from found

    return call
