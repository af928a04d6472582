"""Rows about the names of a program."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row


@dataclass(frozen=True)
class NameRow(Row):
    """A function or variable (``info functions``, ``info variables``). ``declaration``, ``file``
    and ``line`` are None without debug information."""

    name: str
    declaration: str | None
    file: str | None
    line: int | None
    address: int | None
