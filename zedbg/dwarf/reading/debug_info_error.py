"""The one error of reading debug information."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from elftools.common.exceptions import DWARFError, ELFParseError
from elftools.construct import ConstructError

from zedbg.user_error import UserError
from zedbg.zebin.file_errors import printable


class DebugInfoError(UserError, ValueError):
    """Debug information that cannot be read; the message is one line for the user."""

    def __init__(self, module: str, problem: str) -> None:
        super().__init__(printable(f"{module}: debug information: {problem}"))
        self.module = module
        self.problem = problem


# What pyelftools raises when the bytes are not what they should be.
_PARSER_ERRORS = (
    DWARFError,
    ELFParseError,
    ConstructError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    OverflowError,
    UnicodeDecodeError,
    RecursionError,
    AssertionError,
    ZeroDivisionError,
    MemoryError,
)


@contextmanager
def reading(module: str, what: str) -> Iterator[None]:
    """Turns whatever a parser raises over damaged bytes into :class:`DebugInfoError`."""
    try:
        yield
    except DebugInfoError:
        raise
    except _PARSER_ERRORS as error:
        reason = f"{type(error).__name__} {error}".strip()
        raise DebugInfoError(module, f"{what} is damaged ({reason})") from error
