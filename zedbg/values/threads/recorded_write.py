"""What instructions of a thread have written to registers, as a recording of the launch has it."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class WrittenPlace:
    """``size`` bytes of the registers of ``kind``, from byte ``first`` on, which the instruction at
    an address writes."""

    instruction: int
    kind: RegisterKind
    first: int
    size: int


@dataclass(frozen=True)
class RecordedWrite:
    """One execution of it, for ``lanes`` (a mask): the bytes of the registers after it; ``time``:
    instructions that the device had executed before."""

    lanes: int
    data: bytes
    time: int
