"""Registers that hold what a load gave, proved by the machine code.

A message that returns an element for each lane leaves it in its destination until something else is
written there. What lies between the message and the code asked for, and the rest of loops that only
the latter is in, is looked at in the order of addresses, whichever way lanes go: nothing there may
write to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.dwarf.trust.lane_places import LanePlaces, LaneWriter
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Step
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.registers import RegisterKind

_SIZE = 4  # bytes of a lane's element in a response; of others, messages differ in the order


def load_results(flow: RegisterFlow, at: int, loads: Callable[[int], bool]) -> list[LanePlaces]:
    """What the messages at offsets for which ``loads`` is true returned to lanes that are at offset
    ``at`` now. Empty where it cannot be said which of several messages gave it."""
    messages = [step for step in flow.steps if step.decoded.send is not None and loads(step.offset)]
    return held_results(flow, at, messages)


def message_writers(flow: RegisterFlow) -> dict[int, LaneWriter | None]:
    """By its offset, what each message returns; None where that is not a number of each lane."""
    found: dict[int, LaneWriter | None] = {}
    for step in flow.steps:
        if step.decoded.send is not None:
            places = _returned(step)
            found[step.offset] = (
                None
                if places is None
                else LaneWriter(step.offset, RegisterKind.GRF, places, is_uniform=False)
            )
    return found


def held_results(flow: RegisterFlow, at: int, steps: Sequence[Step]) -> list[LanePlaces]:
    """What each of ``steps`` gave some lanes that are at offset ``at`` now. Empty where it cannot
    be said which of several gave it."""
    found = [_result(flow, at, step) for step in steps]
    known = [each for each in found if each is not None]
    if len(known) != len(steps):
        return []
    taken: set[int] = set()
    for each in known:
        lanes = set(range(each.first_lane, each.first_lane + each.lanes))
        if taken & lanes:
            return []  # in several places of the code: an unrolled loop, or a copied block
        taken |= lanes
    return known


def _result(flow: RegisterFlow, at: int, step: Step) -> LanePlaces | None:
    found, writes = _returned(step), step.writes
    if found is None or writes is None or step.offset >= at:
        return None
    around = flow.loops_around(step.offset)
    if not around <= flow.loops_around(at) or flow.avoids(at, step.offset):
        return None
    return found if flow.keeps(writes, step.end, at) else None


def _returned(step: Step) -> LanePlaces | None:
    """Where ``step`` puts an element of each lane; None where it puts something else there."""
    decoded, writes = step.decoded, step.writes
    target = decoded.destination
    if writes is None or target is None or target.file is not RegisterFile.GRF:
        return None
    if decoded.execution_size < 8 or decoded.no_mask or decoded.predicate is not Predicate.NONE:
        return None
    size, rest = divmod(writes.end - writes.first, decoded.execution_size)
    if rest or size != _SIZE:
        return None
    return LanePlaces(writes.first, size, decoded.channel_offset, decoded.execution_size)
