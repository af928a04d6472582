"""Where the source has the jumps that end an iteration of a loop."""

from __future__ import annotations

from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Line


def ending_lines(function: Function, loop: Loop) -> list[Line]:
    """The lines and columns of the jumps that end an iteration of ``loop``, or the loop."""
    jumps = [function.blocks[each].terminator for each in (*loop.latches, loop.header)]
    return list(dict.fromkeys(each.line for each in jumps if each and each.line))


def ending_places(function: Function, loop: Loop) -> set[tuple[int, int]]:
    """The same, as line and column."""
    return {(each.line, each.column) for each in ending_lines(function, loop)}
