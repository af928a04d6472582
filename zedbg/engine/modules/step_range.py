"""Code that a step by lines runs through in one go: from the pc to the places where it may end.

Any instruction can be followed up to the next ones that it can go on with, whichever lanes take
which way, since the targets of branches are in the code. So the instructions that belong to a step
are known before it, and so are those right after: a breakpoint at each of these, and the thread
needs no look at it in between.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Protocol

from zedbg.engine.modules.instruction_bits import InstructionBits

_MOST_INSTRUCTIONS = 4096
# Breakpoints of one range lie close together: they are written in one piece.
_MOST_BYTES_AWAY = 8192


@dataclass(frozen=True)
class StepRange:
    """``exits``: the addresses, ascending, one of which a thread gets to when it is resumed at the
    range's start, and at which zedbg has to look at it; ``instructions``: how many there are in
    between."""

    exits: tuple[int, ...]
    instructions: int

    @property
    def pays(self) -> bool:
        """Whether it is quicker to run through it than to step: a breakpoint costs as much as an
        instruction, and where there are several, they cost as much as two."""
        return self.instructions > 1 + min(len(self.exits), 2)


class Code(Protocol):
    """The code of a device (:class:`zedbg.engine.modules.code_memory.CodeMemory`)."""

    def instruction(self, address: int) -> InstructionBits | None: ...


def step_range(
    start: int,
    code: Code,
    ends_at: Callable[[int], bool],
    meeting_points: Container[int] | None = None,
) -> StepRange | None:
    """What a thread at ``start`` runs through up to the addresses for which ``ends_at`` is true,
    or whose instruction has to be executed singly: calls, returns, barriers, the thread's end.

    ``meeting_points``: it ends only after one of these. None when ``start`` itself is such an
    instruction. Jumps that lead far away are executed singly, too.
    """
    first = _ways(start, start, code)
    if first is None:
        return None
    may_end = meeting_points is None
    seen: set[tuple[int, bool]] = set()
    inside, exits = {start}, set()
    open_ends = [(each, may_end) for each in first]
    while open_ends:
        address, may_end = open_ends.pop()
        may_end = may_end or (meeting_points is not None and address in meeting_points)
        if (address, may_end) in seen:
            continue
        seen.add((address, may_end))
        is_end = (may_end and ends_at(address)) or len(inside) >= _MOST_INSTRUCTIONS
        ways = None if is_end else _ways(start, address, code)
        if ways is None:
            exits.add(address)
        else:
            inside.add(address)
            open_ends += [(each, may_end) for each in ways]
    known = all(code.instruction(each) is not None for each in exits)
    return StepRange(tuple(sorted(exits)), len(inside)) if exits and known else None


def _ways(start: int, address: int, code: Code) -> list[int] | None:
    """Where a thread can be after the instruction at ``address``; None when that is unknown, it is
    far from ``start``, or something else has to be done about it."""
    instruction = code.instruction(address)
    if instruction is None or instruction.ways is None:
        return None
    ways = [address + each for each in instruction.ways]
    is_near = all(abs(each - start) <= _MOST_BYTES_AWAY for each in ways)
    return ways if is_near else None
