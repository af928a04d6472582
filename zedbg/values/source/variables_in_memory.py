"""What a lane's variables have that the SPIR-V keeps in memory, in front of an item of a block.

Where the iteration of a loop is not known that a lane is in, those bytes are known which are the
same in all that it may be in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from zedbg.spirv.analysis.private_memory import Byte, Bytes, Iterations, NotReached, Visit
from zedbg.spirv.module.variables import Point
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation, NeedsIteration, TooMuch

_MOST_COMPARED = 1 << 14  # bytes, in all iterations that a lane may be in


class Memory(Protocol):
    """That of a work-item; see
    :meth:`zedbg.spirv.work_item.evaluation.Evaluation.bytes_in_memory`."""

    def bytes_in_memory(
        self, call: Activation, variable: int, size: int, visit: Visit, index: int
    ) -> Bytes:
        """The bytes of a variable. Raises UnknownValue where none of them is known."""


class Calls(Protocol):
    """What is known of the calls of lanes; see
    :class:`zedbg.values.recomputed.lane_calls.LaneCalls`."""

    def innermost(self, lane: int, in_iteration: bool) -> tuple[Memory, Activation]:
        """The call that a lane is in."""

    def iterations(self, lane: int, block: int, in_iteration: bool) -> Iterations:
        """The iterations that it is in of the loops around ``block``."""

    def possible(self, lane: int, block: int) -> Sequence[Iterations]:
        """All that it may be in; none where that is not known."""


def bytes_in_memory(calls: Calls, lane: int, point: Point, pointer: int, size: int) -> Bytes:
    """The bytes of the variable that ``pointer`` of the SPIR-V leads to. Raises UnknownValue where
    none of them is known."""
    try:
        iterations = calls.iterations(lane, point.block, False)
        return _bytes_in(calls, lane, point, iterations, pointer, size, in_iteration=False)
    except NeedsIteration:
        iterations = calls.iterations(lane, point.block, True)
    try:
        return _bytes_in(calls, lane, point, iterations, pointer, size, in_iteration=True)
    except NeedsIteration as error:
        return _same_in_all(calls, lane, point, pointer, size, error)


def _bytes_in(
    calls: Calls,
    lane: int,
    point: Point,
    iterations: Iterations,
    pointer: int,
    size: int,
    *,
    in_iteration: bool,
) -> Bytes:
    memory, call = calls.innermost(lane, in_iteration)
    visit = Visit(point.block, iterations)
    found = memory.bytes_in_memory(call, pointer, size, visit, point.index)
    for each in found:
        if isinstance(each, NeedsIteration | NotReached | TooMuch):
            raise each
    return found


def _same_in_all(
    calls: Calls, lane: int, point: Point, pointer: int, size: int, error: NeedsIteration
) -> Bytes:
    """As :func:`bytes_in_memory`, of all iterations that the lane may be in; raises ``error`` where
    these are not known, or have nothing in common."""
    same: list[Byte] | None = None
    possible = calls.possible(lane, point.block)
    if size * len(possible) > _MOST_COMPARED:
        raise error
    for iterations in possible:
        try:
            found = _bytes_in(calls, lane, point, iterations, pointer, size, in_iteration=True)
        except NotReached:
            raise error from None
        if same is None:
            same = list(found)
        else:
            same = [a if a == b else error for a, b in zip(same, found, strict=True)]
        if all(isinstance(each, UnknownValue) for each in same):
            raise error
    if same is None:
        raise error
    return same
