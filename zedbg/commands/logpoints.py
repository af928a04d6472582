"""Where the text of a ``log`` begins in the words of a breakpoint: ``vadd.cl:4 log "i={i}"``."""

from __future__ import annotations

import re

from zedbg.commands.framework.command_errors import UsageError

_LOG = re.compile(r'(?:^|\s+)log\s+"(.*)"\s*$')


def split_log(text: str) -> tuple[str, str | None]:
    """Parts ``vadd.cl:4 if i > 3 log "i={i}"`` into what is before the log, and its text.

    Raises UsageError.
    """
    match = _LOG.search(text)
    if match is not None:
        return text[: match.start()], match[1]
    if re.search(r"(?:^|\s)log\s*$", text) or re.search(r"\slog\s+\S", text):
        raise UsageError('log takes a text in quotes, as in: log "i={i}"')
    return text, None
