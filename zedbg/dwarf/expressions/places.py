"""Where a variable is: what a location expression comes to for some lanes."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.missing import Missing

# A number that is the same for all lanes of a group, or one for each, in the group's order.
LaneNumber = int | tuple[int, ...]


@dataclass(frozen=True)
class RegisterBits:
    """Bits of registers: DWARF register numbers, first bits, and how many bits."""

    registers: LaneNumber
    bit_offsets: LaneNumber
    bit_size: int


@dataclass(frozen=True)
class MemoryPlace:
    """In memory at ``addresses``."""

    addresses: LaneNumber


@dataclass(frozen=True)
class RegisterPlace:
    """In registers from bit ``bits.bit_offsets`` on; ``bits.bit_size`` 0 means up to the end."""

    bits: RegisterBits


@dataclass(frozen=True)
class ValuePlace:
    """Nowhere, but its value is known. ``source`` names the register bits that it was read from;
    ``values`` is None where those have not been read yet."""

    values: LaneNumber | None
    source: RegisterBits | None = None


@dataclass(frozen=True)
class ImplicitPlace:
    """Nowhere, but its bytes are known."""

    data: bytes


@dataclass(frozen=True)
class Piece:
    """A part of a variable: ``bit_size`` bits from bit ``bit_offset`` of ``place`` (None: lost)."""

    place: MemoryPlace | RegisterPlace | ValuePlace | ImplicitPlace | None
    bit_size: int
    bit_offset: int = 0


@dataclass(frozen=True)
class PiecedPlace:
    """In several parts, the lowest bits first."""

    pieces: tuple[Piece, ...]


SimplePlace = MemoryPlace | RegisterPlace | ValuePlace | ImplicitPlace
Place = SimplePlace | PiecedPlace | Missing


@dataclass(frozen=True)
class LaneGroup:
    """Lanes that have the same kind of place."""

    lanes: tuple[int, ...]
    place: Place


def of_lane(number: LaneNumber, index: int) -> int:
    """The number of the lane that is ``index``-th of its group."""
    return number if isinstance(number, int) else number[index]
