"""The places of a value, in the terms in which instructions write them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.typed.homes import (
    Home,
    InterleavedHome,
    MemoryHome,
    Part,
    PartsHome,
    RegisterHome,
)
from zedbg.xe.flow.places import MemoryPlace, RegisterPlace, Space

StoredPlace = RegisterPlace | MemoryPlace


def places_of_home(home: Home | None, size: int, thread: HardwareThread) -> list[StoredPlace]:
    """Where the ``size`` bytes of a value lie, the first bytes first; none of what lies nowhere."""
    match home:
        case MemoryHome(space, address):
            kind = Space.LOCAL if space is MemorySpace.SLM else Space.GLOBAL
            return [MemoryPlace(kind, address, size)]
        case InterleavedHome():
            return [
                place
                for part, bytes_there in home.parts(size)
                for place in places_of_home(part, bytes_there, thread)
            ]
        case RegisterHome(register, bit_offset):
            registers = thread.register_layout.get(register.kind)
            if registers is None:
                return []
            first = 8 * registers.byte_size * register.index + bit_offset
            return [RegisterPlace(register.kind, first, 8 * size)]
        case PartsHome(parts, skip):
            return _places_of_parts(parts, skip, size, thread)
        case _:
            return []


def _places_of_parts(
    parts: tuple[Part, ...], skip: int, size: int, thread: HardwareThread
) -> list[StoredPlace]:
    found: list[StoredPlace] = []
    begin, end, position = 8 * skip, 8 * (skip + size), 0
    for part in parts:
        first = max(position, begin)
        last = min(position + part.bit_size, end)
        position += part.bit_size
        if first >= last or part.home is None:
            continue
        inside = part.bit_offset + first - (position - part.bit_size)
        whole = places_of_home(part.home, (inside + last - first + 7) // 8, thread)
        found += (sub_place(place, inside, last - first) for place in whole)
    return found


def bits_of(place: StoredPlace) -> int:
    """How many bits it has."""
    return place.bits if isinstance(place, RegisterPlace) else 8 * place.size


def sub_place(place: StoredPlace, first_bit: int, bits: int) -> StoredPlace:
    """``bits`` bits of ``place`` from its bit ``first_bit`` on; of memory in whole bytes."""
    if isinstance(place, RegisterPlace):
        return replace(place, first_bit=place.first_bit + first_bit, bits=bits)
    size = (first_bit % 8 + bits + 7) // 8
    return MemoryPlace(place.space, place.address + first_bit // 8, size)


@dataclass(frozen=True)
class Overlap:
    """The bits that ``place`` has in common with another: from its bit ``first_bit`` on."""

    first_bit: int
    bits: int


def overlap(place: StoredPlace, other: StoredPlace) -> Overlap | None:
    """What of ``place`` lies in ``other`` too."""
    if not place.meets(other):
        return None
    own, theirs = _first_bit(place), _first_bit(other)
    first = max(own, theirs)
    end = min(own + bits_of(place), theirs + bits_of(other))
    return Overlap(first - own, end - first)


def _first_bit(place: StoredPlace) -> int:
    return place.first_bit if isinstance(place, RegisterPlace) else 8 * place.address


def read_place(thread: HardwareThread, place: StoredPlace) -> int:
    """The content of ``place`` as ``thread`` has it now, as a number. Raises LevelZeroError."""
    if isinstance(place, RegisterPlace):
        return place.value(thread.read_registers(place.kind))
    space = MemorySpace.SLM if place.space is Space.LOCAL else MemorySpace.GLOBAL
    return int.from_bytes(thread.read_memory(space, place.address, place.size), "little")
