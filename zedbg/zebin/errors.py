"""The one error of reading a native module."""

from __future__ import annotations


class ZebinError(ValueError):
    """A native module that cannot be read; the message is one line for the user."""

    def __init__(self, module: str, problem: str, offset: int | None = None) -> None:
        """``offset`` is the byte of the file at which the problem lies, if it lies at one."""
        where = "" if offset is None else f" at byte {offset:#x}"
        super().__init__(f"{module}: {problem}{where}")
        self.module = module
        self.problem = problem
        self.offset = offset
