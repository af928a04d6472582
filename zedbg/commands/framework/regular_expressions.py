"""Regular expressions as arguments of commands."""

from __future__ import annotations

import re

from zedbg.commands.framework.command_errors import UsageError
from zedbg.values.expressions.regular_expressions import compiled


def regular_expression(text: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """``text`` as Python's regular expressions have it. UsageError when it is none."""
    try:
        return compiled(text, flags)
    except re.error as error:
        raise UsageError(f"Bad regular expression: {error}.") from None
