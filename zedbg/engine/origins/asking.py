"""Which place is asked about: an expression in a stopped thread, or in a launch that has ended."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zedbg.dwarf.types.program_types import BaseType, EnumType, PointerType, Type
from zedbg.engine.engine_errors import TimeTravelError
from zedbg.engine.memory.stored_places import StoredPlace, bits_of, places_of_home
from zedbg.engine.modules.place_specs import KernelSpec
from zedbg.engine.origins.beginnings import KnownMemory
from zedbg.engine.origins.last_writes import Owner
from zedbg.engine.origins.moments import Moments
from zedbg.engine.origins.origin import Origin, Origins
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import HitKind, RangeSpace, SearchRange
from zedbg.missing import Missing
from zedbg.values.expressions.api import evaluate
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.flow.places import MemoryPlace, Role
from zedbg.xe.isa.names import DataType


@dataclass(frozen=True)
class Question:
    """``value`` is that of ``text`` at time ``before``; ``places`` hold it, its first bytes first.
    ``memory``: what the kernel was given, None where its arguments are not there any more."""

    text: str
    moments: Moments
    value: Value
    places: tuple[StoredPlace, ...]
    before: int
    owner: Owner
    memory: KnownMemory | None

    def origin(self, depth: int) -> Origin:
        """Where the value came from, ``depth`` computations back. Inside ``moments.travelling()``.
        Raises LevelZeroError."""
        origins = Origins(self.moments, self.memory)
        whole = int.from_bytes(self.value.data, "little")
        found, position = [], 0
        for place in self.places:
            bits = bits_of(place)
            part = whole >> position & ((1 << bits) - 1)
            kind = data_type(self.value.type) if len(self.places) == 1 else None
            found.append(origins.of(place, part, self.before, self.owner, depth, kind))
            position += bits
        if len(found) == 1:
            return found[0]
        size = 8 * len(self.value.data)
        return Origin(
            *(self.places[0], Role.VALUE, whole, size, None, self.owner, self.before),
            is_followed=True,
            parts=found,
        )


def data_type(kind: Type) -> DataType | None:
    """The type of elements that a scalar of the program's is to instructions."""
    stripped = kind.stripped()
    if isinstance(stripped, PointerType | EnumType):
        return {4: DataType.UD, 8: DataType.UQ}.get(stripped.size)
    if not isinstance(stripped, BaseType):
        return None
    sized = {
        False: {1: DataType.UB, 2: DataType.UW, 4: DataType.UD, 8: DataType.UQ},
        True: {1: DataType.B, 2: DataType.W, 4: DataType.D, 8: DataType.Q},
    }
    if stripped.is_integer:
        return sized[stripped.is_signed].get(stripped.size)
    return {2: DataType.HF, 4: DataType.F, 8: DataType.DF}.get(stripped.size)


def ask_here(
    text: str,
    thread: HardwareThread,
    within: ThreadContext,
    device: Device,
    shown: Moment | None,
) -> Question:
    """``text`` in the frame ``within`` of ``thread``, in its focused lane, as ``device`` shows it:
    in the present, or at the moment ``shown`` of the past.

    Raises EvaluationError, TimeTravelError.
    """
    moments = Moments(device, shown)
    value = evaluate(text, within).first
    owner = Owner(thread.place.fields, thread.workgroup)
    return _question(text, moments, value, moments.shown_time, owner, thread)


@contextlib.contextmanager
def asking_launch(
    text: str, device: Device, shown: Moment | None, launch: int
) -> Iterator[Question]:
    """``text`` as the first work-item of ``launch`` has it when its body begins, but what that
    place holds at the launch's end; 0 is the last launch.

    Raises EvaluationError, TimeTravelError.
    """
    moments = Moments(device, shown, launch)
    with moments.travelling():
        thread, lane = _first_in_body(moments)
        value = evaluate(text, thread, [lane]).first
        owner = Owner(thread.place.fields, thread.workgroup)
        end = moments.recording.end
        asked = _question(text, moments, value, end, owner, thread)
        if not all(isinstance(each, MemoryPlace) for each in asked.places):
            raise TimeTravelError(
                f"{text} is in a register of a thread that has ended: ask for something in memory, "
                "or visit the launch and stop in one of its threads."
            )
        last = moments.thread(end, owner.thread)
        data = b"".join(
            last.device.read_memory(each.address, each.size)
            for each in asked.places
            if isinstance(each, MemoryPlace)
        )
        at_end = Value(asked.value.type, data, asked.value.home)
        yield replace(asked, value=at_end)


def _first_in_body(moments: Moments) -> tuple[HardwareThread, int]:
    """The first thread that comes to the body of the launch's kernel, there, and its first lane."""
    recording, device = moments.recording, moments.device
    for module in reversed(device.known_modules()):
        for place in module.resolve(KernelSpec(recording.text)):
            ranges = (SearchRange(RangeSpace.CODE, place.pc, place.pc + 1),)
            hits = moments.find(
                HitKind.EXECUTES, recording.first, recording.end, ranges, backward=False
            )
            if hits:
                thread = moments.thread(hits[0].time, hits[0].thread)
                return thread, next(iter(lanes_of(thread.active_lanes)), 0)
    raise TimeTravelError(
        f"No thread of launch {recording.launch} came to the body of {recording.text}."
    )


def _question(
    text: str,
    moments: Moments,
    value: Value | Missing,
    before: int,
    owner: Owner,
    thread: HardwareThread,
) -> Question:
    if isinstance(value, Missing):
        raise TimeTravelError(f"{text} has no value: {value.reason}.")
    places = places_of_home(value.home, len(value.data), thread)
    if not places:
        raise TimeTravelError(
            f"{text} is nowhere: it is a constant, or the result of an expression. Ask for one of "
            "its operands."
        )
    memory = KnownMemory.of(thread)
    return Question(
        *(text, moments, value, tuple(places), before, owner),
        memory if memory.is_complete else None,
    )
