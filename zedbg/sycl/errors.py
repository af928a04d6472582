"""The one error of reading device code and its properties out of host programs."""

from __future__ import annotations


class SyclError(ValueError):
    """A file whose device images cannot be read; the message is one line for the user."""

    def __init__(self, source: str, problem: str, offset: int | None = None) -> None:
        """``offset`` is the byte of the file at which the problem lies, if it lies at one."""
        where = "" if offset is None else f" at byte {offset:#x}"
        super().__init__(f"{source}: {problem}{where}")
        self.source = source
        self.problem = problem
        self.offset = offset
