"""The lines that were typed before, kept in the user's file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from zedbg.commands.framework.settings import Settings


class LineHistory(FileHistory):
    """The lines of a file, as many and as long as the settings say."""

    def __init__(self, path: Path, settings: Settings) -> None:
        super().__init__(str(path))
        self._settings = settings

    def load_history_strings(self) -> Iterable[str]:
        """The newest lines of the file, the newest first."""
        return islice(super().load_history_strings(), self._settings.number("history size") or None)

    def store_string(self, string: str) -> None:
        """Adds a line to the file, unless that is switched off."""
        if self._settings.is_on("history save"):
            super().store_string(string)


def line_history(settings: Settings) -> History:
    """That of the user's file; of this session alone where it cannot be written."""
    named = settings.text("history filename")
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "zedbg"
    path = Path(named) if named else folder / "history"
    try:
        path = path.expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return LineHistory(path, settings)
