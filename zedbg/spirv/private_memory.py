"""What a work-item wrote to the variables of one call that lie in memory.

A work-item's way from the beginning of the function is followed, block by block. Of the stores on
it, the last one to each byte counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from zedbg.spirv.arithmetic import UnknownValue
from zedbg.spirv.code import Function, Instruction
from zedbg.spirv.operations import Op

Iterations = tuple[int | None, ...]  # of the loops around a block; None: not known


@dataclass(frozen=True, slots=True)
class Visit:
    """A block that the work-item came to, with the iterations of the loops around."""

    block: int
    iterations: Iterations


@dataclass
class Way:
    """The blocks of one call in the order in which the work-item came to them, as far as that was
    asked for; ``rest`` has those after. ``places``: the number of the last visit of each."""

    rest: Iterator[Visit]
    visits: list[Visit] = field(default_factory=list)
    places: dict[Visit, int] = field(default_factory=dict)
    ended: UnknownValue | None = None  # why the way cannot be followed further

    def number(self, visit: Visit) -> int:
        """Which one of the visits it is. Raises UnknownValue when it is none."""
        while visit not in self.places:
            if self.ended is not None:
                raise self.ended
            try:
                following = next(self.rest, None)
            except UnknownValue as error:
                self.ended = error
                raise
            if following is None:
                raise UnknownValue("a work-item does not come here")
            self.places[following] = len(self.visits)
            self.visits.append(following)
        return self.places[visit]


#: Gives the bytes that an instruction of a visit writes to a variable, with where in it they begin;
#: None where it writes nothing there. Raises UnknownValue.
Written = Callable[[Instruction, Visit, int], tuple[int, bytes] | None]


def bytes_at(
    function: Function,
    way: Way,
    visit: Visit,
    index: int,
    written: Written,
    variable: int,
    size: int,
) -> list[int | None]:
    """The ``size`` bytes of ``variable`` in front of item ``index`` of a block, at one visit; None
    for those that nothing was written to. Raises UnknownValue."""
    found: list[int | None] = [None] * size
    missing = size
    end: int | None = index
    for number in range(way.number(visit), -1, -1):
        each = way.visits[number]
        items: Sequence[object] = function.blocks[each.block].items[:end]
        for item in reversed(items):
            if not isinstance(item, Instruction) or item.opcode not in _MAY_WRITE:
                continue
            change = written(item, each, variable)
            if change is None:
                continue
            start, data = change
            for position in range(max(start, 0), min(start + len(data), size)):
                if found[position] is None:
                    found[position] = data[position - start]
                    missing -= 1
            if not missing:
                return found
        end = None
    return found


_MAY_WRITE = frozenset(
    {Op.STORE, Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED, Op.FUNCTION_CALL, Op.EXT_INST}
)
