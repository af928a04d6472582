"""The exit statuses of ``zedbg --batch``."""

from __future__ import annotations

from enum import IntEnum


class BatchStatus(IntEnum):
    """An exit status, and what it means."""

    SUCCESS = 0
    COMMAND_FAILED = 1
    PROGRAM_FAILED = 3  # 2 is a command line that is wrong
    FAULTED = 4
    NEVER_HIT = 5
    TIMEOUT = 124  # as the command timeout has it

    @property
    def meaning(self) -> str:
        """In a few words."""
        return _MEANINGS[self]


_MEANINGS = {
    BatchStatus.SUCCESS: "success",
    BatchStatus.COMMAND_FAILED: "a command failed",
    BatchStatus.PROGRAM_FAILED: "the program failed",
    BatchStatus.FAULTED: "a kernel faulted",
    BatchStatus.NEVER_HIT: "a breakpoint was never hit",
    BatchStatus.TIMEOUT: "time is over",
}
