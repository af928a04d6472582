"""The end of the program under debug."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Exited:
    """The program is gone. ``code`` is its exit code, ``signal`` what killed it; both are None
    when it was no child of zedbg, or was detached from."""

    code: int | None = None
    signal: int | None = None
