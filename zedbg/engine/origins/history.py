"""All that a place has had: each write to it, with the value that it left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from zedbg.engine.memory.stored_places import (
    StoredPlace,
    bits_of,
    overlap,
    read_place,
    sub_place,
)
from zedbg.engine.origins.last_writes import LastWrites, Owner, Write
from zedbg.engine.origins.moments import Moments
from zedbg.engine.origins.origin import Instant, instant_of
from zedbg.xe.flow.places import MemoryPlace, OtherPlace, RegisterPlace


@dataclass(frozen=True)
class PastValue:
    """``value``: the number that the place had after the instruction ``written_by``."""

    written_by: Instant
    value: int


def history(
    moments: Moments, place: StoredPlace, before: int, owner: Owner, limit: int
) -> list[PastValue]:
    """The last ``limit`` writes to ``place`` up to time ``before``, the latest first; inside
    ``moments.travelling()``. Of a register: since the work of its thread began. Raises
    LevelZeroError."""
    return list(islice(_history(moments, place, before, owner), limit))


def _history(
    moments: Moments, place: StoredPlace, before: int, owner: Owner
) -> Iterator[PastValue]:
    for write in LastWrites(moments).all_of(place, before, owner):
        thread = moments.thread(write.time, write.owner.thread)
        instant = instant_of(write, thread)
        value = _copied_value(moments, place, write)
        if value is None:
            after = moments.thread(write.time + 1, write.owner.thread)
            value = read_place(after, place)
        yield PastValue(instant, value)


def _copied_value(moments: Moments, place: StoredPlace, write: Write) -> int | None:
    """What a copy left in all of ``place``: known before it was made. None of other writes."""
    target, values = write.assignment.target, list(write.assignment.values())
    if isinstance(target, OtherPlace) or not write.assignment.is_copy:
        return None
    source = values[0].place
    inside = overlap(target, place)
    whole = inside is not None and inside.bits == bits_of(place)
    if inside is None or not whole or not isinstance(source, RegisterPlace | MemoryPlace):
        return None
    thread = moments.thread(write.time, write.owner.thread)
    return read_place(thread, sub_place(source, inside.first_bit, inside.bits))
