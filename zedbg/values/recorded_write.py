"""What an instruction of a thread has written to registers, as a recording of the launch has it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RecordedWrite:
    """One execution of it, for ``lanes`` (a mask): the bytes of the registers after it."""

    lanes: int
    data: bytes
