"""Errors that end a command with one clear line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zedbg.user_error import UserError

if TYPE_CHECKING:
    from zedbg.commands.rows.row import Row


class CommandError(UserError):
    """A command that cannot be carried out; the message is the line that the user sees.

    Front ends print it, or put it into ``"error"``; it never shows as a traceback.
    """


class PartialResult(CommandError):
    """A command that got as far as ``rows``, which are shown in front of the line."""

    def __init__(self, rows: Sequence[Row], message: str) -> None:
        super().__init__(message)
        self.rows = rows


class UnknownCommand(CommandError):
    """No command has this name, or several have this prefix."""


class UsageError(CommandError):
    """The arguments do not fit the command's declaration."""


class AlreadyReported(CommandError):
    """A command inside this one failed, and the user has seen why."""


class ErrorAt(CommandError):
    """An error in a line of a file; ``place``: which one."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place
