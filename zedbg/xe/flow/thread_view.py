"""What has to be known of a thread to say what an instruction does in it."""

from __future__ import annotations

import struct
from typing import NamedTuple, Protocol

from zedbg.xe.data_message import DataMessage
from zedbg.xe.flow.places import RegisterPlace
from zedbg.xe.instruction import Decoded
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind


class Extent(NamedTuple):
    """Global memory from ``base`` on; what is ``size`` bytes or more from there is outside."""

    base: int
    size: int


class ThreadView(Protocol):
    """A thread in front of an instruction."""

    @property
    def platform(self) -> Platform:
        """Its instruction set."""

    @property
    def enabled_lanes(self) -> int:
        """The channel enables: a mask of lanes."""

    def read_registers(self, kind: RegisterKind) -> bytes:
        """All registers of a set, packed."""

    def extent_of(self, message: DataMessage) -> Extent | None:
        """The global memory that the offsets of ``message`` are in; None where that is not
        known."""


def address_dword(view: ThreadView, number: int) -> int:
    """a0 as dwords: the one of that number."""
    dword: int = struct.unpack_from("<I", view.read_registers(RegisterKind.ADDR), 4 * number)[0]
    return dword


_GROUPS = {  # lanes that share a decision, and whether it is that all of them agree
    Predicate.ANY_2H: (2, False),
    Predicate.ALL_2H: (2, True),
    Predicate.ANY_4H: (4, False),
    Predicate.ALL_4H: (4, True),
    Predicate.ANY_8H: (8, False),
    Predicate.ALL_8H: (8, True),
    Predicate.ANY_16H: (16, False),
    Predicate.ALL_16H: (16, True),
    Predicate.ANY_32H: (32, False),
    Predicate.ALL_32H: (32, True),
}
_FLAG_BITS = 32
_VERTICAL = (Predicate.ANY_V, Predicate.ALL_V)


def flag_place(decoded: Decoded, lane: int) -> RegisterPlace:
    """The flag bit of ``lane`` that the instruction reads or writes."""
    first = _FLAG_BITS * decoded.flag_register + 16 * decoded.flag_subregister
    return RegisterPlace(RegisterKind.FLAG, first + lane, 1)


def predicate_places(decoded: Decoded, lane: int) -> tuple[RegisterPlace, ...]:
    """The flag bits that decide for ``lane``."""
    if decoded.predicate is Predicate.NONE:
        return ()
    bit = 16 * decoded.flag_subregister + lane
    if decoded.predicate in _VERTICAL:
        return tuple(
            RegisterPlace(RegisterKind.FLAG, _FLAG_BITS * each + bit, 1) for each in (0, 1)
        )
    group = _group(decoded)[0]
    first = bit // group * group
    start = _FLAG_BITS * decoded.flag_register + first
    return (RegisterPlace(RegisterKind.FLAG, start, group),)


def predicate_holds(decoded: Decoded, lane: int, flags: bytes) -> bool:
    """Whether the predicate is true for ``lane``. ``flags``: the bytes of all flag registers."""
    if decoded.predicate is Predicate.NONE:
        return True
    places = predicate_places(decoded, lane)
    values = [place.value(flags) for place in places]
    if decoded.predicate in _VERTICAL:
        holds = any(values) if decoded.predicate is Predicate.ANY_V else all(values)
    else:
        every = _group(decoded)[1]
        holds = values[0] == (1 << places[0].bits) - 1 if every else values[0] != 0
    return holds is not decoded.predicate_inverted


def _group(decoded: Decoded) -> tuple[int, bool]:
    if decoded.predicate in (Predicate.ANY, Predicate.ALL):
        return decoded.execution_size, decoded.predicate is Predicate.ALL
    return _GROUPS.get(decoded.predicate, (1, False))


def lanes_of_instruction(decoded: Decoded, view: ThreadView) -> list[int]:
    """The lanes that the instruction is executed for, whatever its predicate says."""
    lanes = range(decoded.channel_offset, decoded.channel_offset + decoded.execution_size)
    if decoded.no_mask:
        return list(lanes)
    enabled = view.enabled_lanes
    return [lane for lane in lanes if enabled >> lane & 1]


def acting_lanes(decoded: Decoded, view: ThreadView) -> list[int]:
    """The lanes for which the instruction does something."""
    lanes = lanes_of_instruction(decoded, view)
    if decoded.predicate is Predicate.NONE:
        return lanes
    flags = view.read_registers(RegisterKind.FLAG)
    return [lane for lane in lanes if predicate_holds(decoded, lane, flags)]
