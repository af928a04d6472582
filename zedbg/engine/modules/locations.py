"""A place in a kernel's code, as users see it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CodeLocation:
    """Where an instruction lies; what is not known is None.

    ``kernel`` is the kernel whose code section holds the address, ``function`` the innermost
    function with a symbol or debug information, ``file`` the path that the compiler recorded.
    """

    pc: int
    kernel: str | None = None
    function: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = self.function or self.kernel or "??"
        if self.file is not None and self.line is not None:
            return f"{where} at {self.file}:{self.line}"
        return f"{where} at {self.pc:#x}"
