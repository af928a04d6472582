"""Which value an OpPhi has where ways meet, by the conditions of the jumps on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op

_MOST_BLOCKS = 64  # between the jump that parts the ways and where they meet


class NotChosen(Exception):
    """It takes more than conditions of jumps."""


@dataclass(frozen=True, eq=False)
class Choice:
    """``yes`` if the result ``condition`` is not zero, else ``no``."""

    condition: int
    yes: Chosen
    no: Chosen


#: A result; a choice between others; None: no work-item comes here.
Chosen: TypeAlias = int | Choice | None


def chosen(flow: Flow, phi: Instruction, label: int) -> Chosen:
    """The value of ``phi`` of block ``label``, which begins no loop: as
    :meth:`zedbg.spirv.work_item.ways.Ways.came_from` finds it for one work-item. Raises
    NotChosen."""
    ways = dict(zip(phi.operands[1::2], phi.operands[0::2], strict=True))
    if len(ways) == 1:
        return next(iter(ways.values()))
    if not flow.is_structured:
        raise NotChosen
    around = set(flow.loops_around(label))
    start = flow.dominator[label]
    while not around.issuperset(flow.loops_around(start)):
        start = flow.dominator[start]
    return _Region(flow, label, start, ways).after(start)


class _Region:
    """The blocks between ``start`` and ``label``."""

    def __init__(self, flow: Flow, label: int, start: int, ways: dict[int, int]) -> None:
        self._flow = flow
        self._label = label
        self._around = flow.loops_around(start)
        self._ways = ways
        self._known: dict[int, Chosen] = {}

    def after(self, block: int) -> Chosen:
        """What it is for a work-item that is in ``block``. Raises NotChosen."""
        if block not in self._known:
            if len(self._known) > _MOST_BLOCKS:
                raise NotChosen
            self._known[block] = None
            self._known[block] = self._jumped(block)
        return self._known[block]

    def _jumped(self, block: int) -> Chosen:
        jump = self._flow.function.blocks[block].terminator
        if jump is None or not self._flow.after[block]:
            return None
        if jump.opcode == Op.BRANCH:
            return self._to(block, jump.operands[0])
        if jump.opcode != Op.BRANCH_CONDITIONAL:
            raise NotChosen
        condition, yes, no = jump.operands[:3]
        if yes == no:
            return self._to(block, yes)
        return Choice(condition, self._to(block, yes), self._to(block, no))

    def _to(self, block: int, following: int) -> Chosen:
        if following == self._label:
            return self._ways[block]
        if following in self._around:
            return None  # the next iteration
        around = self._flow.loops_around(following)
        if len(around) < len(self._around):
            return None  # out of the loop that both are in
        if around != self._around:
            raise NotChosen  # another loop
        return self.after(following)
