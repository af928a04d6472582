"""Which visit of a block a lane is in, from its variables in memory: of unoptimised code.

Such code keeps variables in memory, where they are what the program has set. Each visit of a block
by a work-item left certain values there. Where those of one visit only are what memory has now,
that is the visit which the lane is in.
"""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.spirv.analysis.private_memory import Iterations, all_known
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.source.frame_context import visible_variables
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import states_of
from zedbg.values.typed.homes import InterleavedHome, MemoryHome

_MOST_VISITS = 256
_MOST_BYTES = 64  # of a variable that is compared


class RememberedVisits:
    """Those of the lanes of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame

    def iterations(
        self, evaluation: Evaluation, activation: Activation, block: int, lane: int
    ) -> Iterations | None:
        """Those of the loops around ``block`` that ``lane`` is in; None where memory is not as one
        visit left it, or is as several did."""
        try:
            visits = evaluation.visits_of(activation, block, _MOST_VISITS)
        except UnknownValue:
            return None
        for pointer, index, data in self._held(block, lane):
            matching = []
            for visit in visits:
                try:
                    left = all_known(
                        evaluation.bytes_in_memory(activation, pointer, len(data), visit, index)
                    )
                except UnknownValue:
                    break
                if all(a in (None, b) for a, b in zip(left, data, strict=True)):
                    matching.append(visit)
            else:
                visits = matching
        return visits[0].iterations if len(visits) == 1 else None

    def _held(self, block: int, lane: int) -> Iterator[tuple[int, int, bytes]]:
        """The variables that lie in memory: the SPIR-V's pointer to each, the number of the item
        of ``block`` that is next, and what memory has."""
        model, position = self._frame.model, self._frame.position
        for _, variable in visible_variables(self._frame.context):
            if not 0 < variable.type.size <= _MOST_BYTES:
                continue
            for point, parts in states_of(model, position, variable) or ():
                given = {each for part in parts for each in part}
                if point.block != block or len(given) != 1:
                    continue
                (only,) = given
                if only.value is None or not only.in_memory or self._changes(only.value):
                    continue
                held = self._frame.held(variable, [lane], MemoryHome, InterleavedHome)
                if lane in held:
                    yield only.value, point.index, held[lane]

    def _changes(self, pointer: int) -> bool:
        """Whether the line writes to a variable: then it may have done that already."""
        position = self._frame.position
        writers = self._frame.model.writers(position.function, pointer).values()
        lines = {item.line.line for items in writers for _, item in items if item.line is not None}
        return position.line in lines
