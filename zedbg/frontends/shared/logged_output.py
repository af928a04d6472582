"""What ``set logging`` asks for: everything that is shown, in a file as well."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.settings import Settings


class Log:
    """The file of ``set logging file``, opened while ``set logging enabled`` is on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._file: IO[Any] | None = None

    def follow(self) -> None:
        """Begins or ends the log as the settings say now. Raises CommandError."""
        wanted = self._settings.is_on("logging enabled")
        if wanted and self._file is None:
            path = Path(self._settings.text("logging file"))
            mode = "w" if self._settings.is_on("logging overwrite") else "a"
            try:
                self._file = path.open(mode, encoding="utf-8", errors="replace")
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                raise CommandError(f"{path}: {reason}.") from None
        elif not wanted and self._file is not None:
            self._file.close()
            self._file = None

    def takes(self, line: str) -> bool:
        """Writes ``line``; whether it is for the file only. Raises OSError."""
        if self._file is None:
            return False
        self._file.write(line + "\n")
        self._file.flush()
        return self._settings.is_on("logging redirect")
