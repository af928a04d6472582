"""The one base class of errors that users see, and the line for those that are defects."""

from __future__ import annotations


class UserError(Exception):
    """Something that a user asked for cannot be done; any other exception is a defect of zedbg.

    The message says what is wrong, then what to do. Front ends show :attr:`line`.
    """

    @property
    def line(self) -> str:
        """The message and the notes that were added to it (a driver's build log), on one line."""
        return " ".join(": ".join([str(self), *getattr(self, "__notes__", ())]).split())


def internal_error(error: Exception) -> str:
    """The line for an error that was not expected: with its place, without a traceback over the
    user's work."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = ""
    if place is not None:
        where = f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
    return f"internal error: {type(error).__name__}: {error}{where}"
