"""Functions and files that a step does not stop in (``skip``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from zedbg.engine.engine_errors import BreakpointError
from zedbg.values.expressions.regular_expressions import compiled


@dataclass
class Skip:
    """``file`` is a name, the end of a path or (``file_is_glob``) a glob, ``function`` a name or
    (``function_is_pattern``) a regular expression; None fits all. Both have to fit."""

    number: int
    file: str | None = None
    file_is_glob: bool = False
    function: str | None = None
    function_is_pattern: bool = False
    enabled: bool = True

    def fits(self, function: str | None, file: str | None) -> bool:
        """Whether code of ``function`` in ``file`` (a path) is meant."""
        if not self.enabled:
            return False
        return self._fits_file(file or "") and self._fits_function(function or "")

    def _fits_file(self, path: str) -> bool:
        if self.file is None:
            return True
        if self.file_is_glob:
            return fnmatchcase(path, self.file) or fnmatchcase(path.rpartition("/")[2], self.file)
        return path == self.file or path.endswith("/" + self.file)

    def _fits_function(self, name: str) -> bool:
        if self.function is None:
            return True
        if self.function_is_pattern:
            return re.search(self.function, name) is not None
        return name == self.function


class SkipTable:
    """The skips of a session, numbered from 1."""

    def __init__(self) -> None:
        self._skips: dict[int, Skip] = {}
        self._next_number = 1

    def __iter__(self) -> Iterator[Skip]:
        return iter(list(self._skips.values()))

    def add(
        self,
        file: str | None,
        function: str | None,
        *,
        file_is_glob: bool = False,
        function_is_pattern: bool = False,
    ) -> Skip:
        """A new skip; BreakpointError for a regular expression that is none."""
        if function is not None and function_is_pattern:
            try:
                compiled(function)
            except re.error as error:
                raise BreakpointError(f'"{function}" is no regular expression: {error}') from error
        skip = Skip(self._next_number, file, file_is_glob, function, function_is_pattern)
        self._next_number += 1
        self._skips[skip.number] = skip
        return skip

    def get(self, number: int) -> Skip:
        """Skip ``number``; BreakpointError when there is none."""
        if number not in self._skips:
            raise BreakpointError(f"No skiplist entry {number}.")
        return self._skips[number]

    def delete(self, skip: Skip) -> None:
        """Forgets it, if it is still there."""
        self._skips.pop(skip.number, None)

    def fits(self, function: str | None, file: str | None) -> bool:
        """Whether any of them means code of ``function`` in ``file``."""
        return any(skip.fits(function, file) for skip in self._skips.values())
