"""Whether a counter of the machine code begins with what the SPIR-V says, for a lane of a thread.

The code alone proves that where it sets the counter to a constant, or on the line where the SPIR-V
makes the number. Where a compiler made that elsewhere, it has often copied the counter from other
registers, and may need these again: those that have the number still prove it, too. So does what
the kernel was passed in the counter's register, and what the device has recorded there.
"""

from __future__ import annotations

from zedbg.dwarf.trust.counter_history import Origin
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.spirv.analysis.inductions import Stepping
from zedbg.values.counters.lane_numbers import RegisterCounter
from zedbg.values.counters.proved_counters import (
    LoopPlace,
    ProvedCounter,
    begin_of_next,
    begins_as,
    counts_other_loop,
    function_start,
    steps_before_loop,
    unproved_origins,
)
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.threads.recorded_write import WrittenPlace
from zedbg.xe.registers import RegisterKind


def begin_of(
    frame: SourceFrame,
    place: LoopPlace,
    stepping: Stepping,
    counter: LoopCounter,
    lane: int,
    first: int | None,
) -> int | None:
    """What ``counter`` had for ``lane`` where iterations begin to be counted, if ``first`` is the
    value of ``stepping`` in the first one; None where nothing shows that it began with that."""
    if first is None or counts_other_loop(frame.info, frame.model, place, counter):
        return None
    known = frame.info, frame.model, place, stepping, counter
    if steps_before_loop(*known):
        return None
    begin = ProvedCounter(counter, stepping, False).begin(first)
    if begin is not None and begins_as(*known):
        return begin
    following = None if place.is_condition(frame.model) else begin_of_next(*known, first)
    if following is not None:
        return following
    start = (first - stepping.step) & (1 << stepping.bits) - 1
    are_known = begin is not None and all(
        _is_copied(frame, place, each, lane, counter.size, start)
        or _is_passed(frame, place, each, lane, counter.size, start)
        for each in unproved_origins(*known)
    )
    # Of a loop that makes several iterations in each pass, other code says which one it is.
    is_recorded = counter.step == stepping.step and is_recorded_as(
        frame, place, counter, lane, start
    )
    return start if are_known or is_recorded else None


def is_recorded_as(
    frame: SourceFrame, there: LoopPlace, counter: RegisterCounter, lane: int, start: int
) -> bool:
    """Whether what set ``counter`` of the loop that is ``there``, whenever it was executed for the
    lane, gave it ``start``."""
    low = function_start(frame.info, there)
    origins = [each for each in counter.origins if lane in each.lanes]
    places = [
        WrittenPlace(
            instruction=low + each.written_at,
            kind=RegisterKind.GRF,
            first=each.made.first,
            size=each.made.stride * each.made.lanes or counter.size,
        )
        for each in origins
    ]
    recorded = frame.context.recorded_writes(tuple(places))
    if isinstance(recorded, Missing):
        return False
    found = set[bytes]()
    for origin, written in zip(origins, places, strict=True):
        place = origin.made.place(lane)
        if place is None:
            return False
        at = place - written.first
        writes = (each for each in recorded[written] if each.lanes >> lane & 1)
        found.update(each.data[at : at + counter.size] for each in writes)
    return found == {start.to_bytes(counter.size, "little")}


def _is_passed(
    frame: SourceFrame, there: LoopPlace, origin: Origin, lane: int, size: int, start: int
) -> bool:
    """Whether ``origin`` set a counter of the loop that is ``there`` to ``start``, a number that
    the kernel was passed: compilers count down from an argument in the register that it comes
    in."""
    place = origin.made.place(lane)
    if place is None:
        return False
    at = function_start(frame.info, there) + origin.offset
    passed = frame.context.loaded_payload(at, place, size)
    return isinstance(passed, bytes) and int.from_bytes(passed, "little") == start


def _is_copied(
    frame: SourceFrame, there: LoopPlace, origin: Origin, lane: int, size: int, start: int
) -> bool:
    """Whether ``origin`` set a counter of the loop that is ``there`` to ``start``: the registers
    that it was copied from have that, and nothing writes to them between that and the code of
    ``frame``."""
    place = None if origin.copied is None else origin.copied.place(lane)
    if place is None or held_number(frame, place, size) != start:
        return False
    copied_at, now = function_start(frame.info, there) + origin.copied_at, frame.address
    if copied_at >= there.address:
        return False  # for the next time that lanes come to the loop
    since, until = min(copied_at, now), max(copied_at, now)
    return frame.info.code.registers_are_kept(place, place + size, since, until)


def held_number(frame: SourceFrame, place: int, size: int) -> int | None:
    """What ``size`` bytes of the general registers at ``place`` have; None if they cannot be
    read."""
    try:
        data = frame.context.read_registers(RegisterKind.GRF)[place : place + size]
    except LevelZeroError:
        return None
    return int.from_bytes(data, "little") if len(data) == size else None
