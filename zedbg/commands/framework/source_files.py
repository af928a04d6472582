"""Finds the text of source files: compilers record where a file was, not where it is now."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


class SourceFiles:
    """The source text of a session, searched as GDB does: as recorded, then in the directories."""

    def __init__(self) -> None:
        self.directories: list[Path] = []
        self.substitutions: dict[str, Path] = {}  # by the directory that was recorded
        self._given: dict[str, list[str]] = {}

    def give(self, name: str, text: str) -> None:
        """Takes the text of a file that lies nowhere (a module compiled at run time)."""
        self._given[name] = text.splitlines()

    def lines(self, name: str, directory: str | None = None) -> list[str] | None:
        """The lines of a file, None when it is nowhere.

        Args:
            name: as the line table has it.
            directory: the compilation directory, if the debug information names one.
        """
        given = self._given.get(name) or self._given.get(Path(name).name)
        if given is not None:
            return given
        path = self.find(name, directory)
        return list(_read(path, path.stat().st_mtime_ns)) if path else None

    def find(self, name: str, directory: str | None = None) -> Path | None:
        """Where the file lies, None when nowhere."""
        recorded = Path(name)
        candidates = self._substituted(recorded)
        candidates += [recorded] if recorded.is_absolute() else []
        if directory and not recorded.is_absolute():
            candidates.append(Path(directory) / recorded)
        for place in (Path.cwd(), *self.directories):
            if not recorded.is_absolute():
                candidates.append(place / recorded)
            candidates.append(place / recorded.name)
        return next((each for each in candidates if each.is_file()), None)

    def substitute(self, recorded: str, now: Path) -> None:
        """What was compiled in the directory ``recorded`` lies in ``now``."""
        self.substitutions[recorded.rstrip("/") or "/"] = now

    def _substituted(self, recorded: Path) -> list[Path]:
        return [
            target / recorded.relative_to(name)
            for name, target in self.substitutions.items()
            if recorded.is_relative_to(name)
        ]


@lru_cache(maxsize=64)
def _read(path: Path, _modified: int) -> tuple[str, ...]:
    return tuple(path.read_text(errors="replace").splitlines())
