"""Rows about the program on the processor: its threads, files, calls and frames."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row


@dataclass(frozen=True, kw_only=True)
class HostFrameRow(Row):
    """A frame of a host thread (``host-backtrace``). ``library``: the file that has the code;
    ``inlined``: the function is part of the one in the next row."""

    level: int
    pc: int
    function: str | None
    offset: int
    file: str | None
    line: int | None
    library: str | None
    inlined: bool = False


@dataclass(frozen=True, kw_only=True)
class PythonFrameRow(Row):
    """A frame of Python code of a host thread (``host-backtrace``)."""

    level: int
    function: str
    file: str
    line: int


@dataclass(frozen=True, kw_only=True)
class HostThreadRow(Row):
    """A thread of the program (``info host-threads``). ``launches``: how many of the noted launches
    it made, None where none are noted."""

    thread: int
    name: str
    state: str
    launches: int | None


@dataclass(frozen=True, kw_only=True)
class UsmAllocationRow(Row):
    """Memory that the program allocated (``info allocations``). ``usm`` is ``device``, ``host`` or
    ``shared``; ``thread`` and the place are those of the call."""

    number: int
    usm: str
    address: int
    size: int
    freed: bool
    thread: int
    function: str | None
    file: str | None
    line: int | None
    library: str | None


@dataclass(frozen=True, kw_only=True)
class LaunchRow(Row):
    """A launch that the program made (``info launches``); ``groups`` is None where the device reads
    them, ``arguments`` those that were set (``n=64``), ``thread`` and the place those of the call.
    ``current``: the newest one that fits the focused thread."""

    number: int
    kernel: str
    groups: tuple[int, int, int] | None
    thread: int
    function: str | None
    file: str | None
    line: int | None
    library: str | None
    current: bool
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SharedLibraryRow(Row):
    """A file of the program with code (``info sharedlibrary``); ``start`` and ``end`` are those of
    its section ``.text``."""

    start: int
    end: int
    symbols: bool
    debug_info: bool
    path: str


@dataclass(frozen=True, kw_only=True)
class ProcessRow(Row):
    """The program as a process (``info proc``)."""

    pid: int
    command: str
    folder: str
    program: str
    parent: int
    threads: int
    state: str
    memory: int
    devices: tuple[int, ...]
