"""How often a command does what it does."""

from __future__ import annotations

from zedbg.commands.framework.command_errors import UsageError
from zedbg.commands.framework.declaration import Argument, Invocation, Kind

COUNT = Argument("count", Kind.NUMBER, "how many times; default: 1", optional=True)


def count_of(invocation: Invocation) -> int:
    """The first argument as a count, 1 without one; UsageError when it is none."""
    text = invocation.optional(0)
    if text is None:
        return 1
    try:
        count = int(text, 0)
    except ValueError:
        raise UsageError(f'"{text}" is not a number.') from None
    if count < 1:
        raise UsageError("The count must be 1 or more.")
    return count
