"""The memory of a process as the system lists it (proc(5), /proc/PID/maps), and its bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Protocol, TextIO

_COLUMNS = 5  # of a line, before the name
_DELETED = " (deleted)"


class Memory(Protocol):
    """Memory that may be read."""

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``, fewer or none where memory ends."""


@dataclass(frozen=True)
class Mapping:
    """Memory from ``begin`` up to ``end``; ``name`` is that of the file, or what the system calls
    it (``[stack]``), empty without one. ``offset``: into the file."""

    begin: int
    end: int
    permissions: str
    offset: int
    name: str

    @property
    def is_file(self) -> bool:
        """Whether a file that still has its name is mapped."""
        return self.name.startswith("/") and not self.name.endswith(_DELETED)

    @property
    def is_code(self) -> bool:
        """Whether it may be executed."""
        return "x" in self.permissions


def read_mappings(text: str) -> list[Mapping]:
    """The mappings in the text of a ``maps`` file, by address; lines of another form are left
    out."""
    return sorted(_mappings(text), key=lambda each: each.begin)


def _mappings(text: str) -> Iterator[Mapping]:
    for line in text.split("\n"):
        columns = line.split(maxsplit=_COLUMNS)
        if len(columns) < _COLUMNS:
            continue
        begin, dash, end = columns[0].partition("-")
        try:
            mapping = Mapping(
                int(begin, 16),
                int(end, 16),
                columns[1],
                int(columns[2], 16),
                columns[_COLUMNS] if len(columns) > _COLUMNS else "",
            )
        except ValueError:
            continue
        if dash and 0 <= mapping.begin < mapping.end:
            yield mapping


class ProcessMemory:
    """The memory of process ``pid`` as it is now; nothing can be read when that is not allowed."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    @cached_property
    def mappings(self) -> Sequence[Mapping]:
        """What is mapped, when it was first asked for."""
        return read_mappings(self._listing)

    def mappings_named(self, begin: str) -> Iterator[Mapping]:
        """Those whose names begin so, as they are now: of many, this is quicker than all, most of
        all where only the first one is asked for."""
        with suppress(OSError), self._opened() as lines:
            for line in lines:
                if begin in line:
                    yield from (each for each in read_mappings(line) if each.name.startswith(begin))

    @cached_property
    def _listing(self) -> str:
        try:
            with self._opened() as lines:
                return lines.read()
        except OSError:
            return ""

    def _opened(self) -> TextIO:
        return Path(f"/proc/{self.pid}/maps").open(errors="surrogateescape")

    def mapping_at(self, address: int) -> Mapping | None:
        """The mapping that ``address`` lies in."""
        return next((each for each in self.mappings if each.begin <= address < each.end), None)

    def file_of(self, mapping: Mapping) -> Path | None:
        """Where the file of ``mapping`` can be read: the process may have a root of its own."""
        if not mapping.is_file:
            return None
        inside = Path(f"/proc/{self.pid}/root{mapping.name}")
        return inside if inside.exists() else Path(mapping.name)

    def read(self, address: int, size: int) -> bytes:
        """Implements :class:`Memory`."""
        try:
            return b"" if self._file is None else os.pread(self._file.fileno(), size, address)
        except (OSError, OverflowError, ValueError):
            return b""

    @cached_property
    def _file(self) -> BinaryIO | None:
        """The memory, open for reading; None when that is not allowed."""
        try:
            return Path(f"/proc/{self.pid}/mem").open("rb", buffering=0)
        except OSError:
            return None
