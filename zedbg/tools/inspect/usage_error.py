"""Errors of ``zedbg inspect`` itself; each message is one line for the user."""

from __future__ import annotations

from zedbg.user_error import UserError


class UsageError(UserError):
    """A wrong command line."""
