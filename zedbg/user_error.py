"""The one base class of errors that users see."""

from __future__ import annotations


class UserError(Exception):
    """Something that a user asked for cannot be done; any other exception is a defect of zedbg.

    The message says what is wrong, then what to do. Front ends show :attr:`line`.
    """

    @property
    def line(self) -> str:
        """The message and the notes that were added to it (a driver's build log), on one line."""
        return " ".join(": ".join([str(self), *getattr(self, "__notes__", ())]).split())
