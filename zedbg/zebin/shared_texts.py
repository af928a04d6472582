"""Texts that a document repeats, kept once.

Not by ``sys.intern``: what a file says would fill the interpreter's own table, whose growth takes
megabytes at once, for the file that happens to be read just then.
"""

from __future__ import annotations

_MOST = 512  # texts; keys and values of all tables of zeinfo are fewer


class SharedTexts:
    """The texts that were seen first."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def one(self, text: str) -> str:
        """The text equal to ``text`` that was seen first, as far as it is kept."""
        if len(self._known) < _MOST:
            return self._known.setdefault(text, text)
        return self._known.get(text, text)
