"""Rows about core files."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row


@dataclass(frozen=True, kw_only=True)
class CoreRow(Row):
    """A core file that was ``saved`` or ``opened`` (``action``).

    ``threads``: how many; ``memory``: bytes of device memory in it, ``left_out``: bytes for which
    it has no room; ``size``: bytes of the file. ``made``: when (ISO 8601).
    """

    path: str
    action: str
    pid: int
    made: str
    threads: int
    memory: int
    left_out: int
    size: int
