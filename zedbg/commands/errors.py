"""Errors that end a command with one clear line."""

from __future__ import annotations


class CommandError(Exception):
    """A command that cannot be carried out; the message is the line that the user sees.

    Front ends print it, or put it into ``"error"``; it never shows as a traceback.
    """


class UnknownCommand(CommandError):
    """No command has this name, or several have this prefix."""


class UsageError(CommandError):
    """The arguments do not fit the command's declaration."""
