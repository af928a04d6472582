"""Loops of the machine code that are one loop of the source, in several iterations of loops around
it: a compiler that unrolls these copies it."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.values.source.source_frame import SourceFrame


def copies_of_loop(frame: SourceFrame, loop: tuple[int, int]) -> list[tuple[int, int]]:
    """``loop`` of the machine code and those which are it again, in other iterations of loops of
    the source around it: they jump back at the same place of the source."""
    info, jump = frame.info, place_of(frame, loop[1])
    calls = info.inlined_calls_at(loop[1])
    return [
        each
        for each in info.code.loops(loop[0])
        if each == loop
        or (jump and place_of(frame, each[1]) == jump and info.inlined_calls_at(each[1]) == calls)
    ]


def is_in_one(loops: Sequence[tuple[int, int]], address: int) -> bool:
    """Whether one of ``loops`` of the machine code has the instruction at ``address``."""
    return any(low <= address <= high for low, high in loops)


def place_of(frame: SourceFrame, address: int) -> tuple[int, int] | None:
    """The line and column of the instruction at ``address``; None where the compiler says none."""
    row = frame.info.lines.row_at(address)
    return (row.line, row.column) if row is not None and row.line else None
