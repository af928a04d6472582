"""What is known of a lane's iterations of the loops around code, and which copies that may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation

_MOST = 96  # combinations of iterations

#: For each loop around, the outermost first: how many iterations after the first that it may be.
Copy = tuple[int, ...]
#: The same, None for each loop of which that is not known.
Found = tuple[int | None, ...]


@dataclass(frozen=True)
class Level:
    """What is known of a lane's iteration of one loop: it is ``first`` or one of the ``copies`` - 1
    after it. ``is_counted``: by a register, in a loop of the machine code; ``is_left``: of those
    that are left over by code which makes ``copies`` + 1 at once."""

    first: int
    copies: int
    is_counted: bool = False
    is_left: bool = False


@dataclass(frozen=True)
class LaneLevels:
    """A lane, and what is known of its iterations of the loops around it. ``possible``: those that
    it has; ``is_counted``: registers count all loops of the machine code around it, of which so
    many are ``outside`` the call."""

    lane: int
    evaluation: Evaluation
    activation: Activation
    levels: tuple[Level, ...]
    possible: frozenset[Iterations]
    is_counted: bool
    outside: int = 0

    def iterations(self, copy: Found) -> Iterations:
        """The iterations that the lane is in if the code is ``copy``."""
        return tuple(
            None if number is None else level.first + number
            for level, number in zip(self.levels, copy, strict=True)
        )


def copies_of(levels: Sequence[Level]) -> list[Copy]:
    """All combinations, in the order of their execution; none where they are too many."""
    found: list[Copy] = [()]
    for level in levels:
        found = [(*each, number) for each in found for number in range(level.copies)]
        if len(found) > _MOST:
            return []
    return found


def alike(copies: Iterable[Copy]) -> Found:
    """Of each loop the number that all ``copies`` have."""
    return tuple(
        each.pop() if len(each) == 1 else None
        for each in [set(numbers) for numbers in zip(*copies, strict=True)]
    )
