"""What can go wrong with core files, as one line."""

from __future__ import annotations

from zedbg.user_error import UserError


class CoreFileError(UserError):
    """A core file cannot be read or written; the text says why."""
