"""How far some lanes have come in a location expression: their stack, and what they named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zedbg.dwarf.expressions.places import LaneNumber, Piece, RegisterBits
from zedbg.dwarf.expressions.typed_numbers import NumberType


@dataclass(frozen=True)
class Entry:
    """A number on the stack, and the register bits that it was read from, if it is just that.

    ``kind`` None is the generic type.
    """

    number: LaneNumber | None  # None: the bits of ``source``, not read yet
    source: RegisterBits | None = None
    kind: NumberType | None = None


@dataclass
class Path:
    """One group of lanes on its way through an expression."""

    lanes: tuple[int, ...]
    position: int = 0
    stack: list[Entry] = field(default_factory=list)
    register: LaneNumber | None = None  # named by regx, waiting for what uses it
    implicit: bytes | None = None
    is_value: bool = False
    pieces: list[Piece] = field(default_factory=list)

    def split(self, chosen: Sequence[bool], position: int) -> Path:
        """The lanes for which ``chosen`` holds, going on at ``position``."""
        keep = [index for index, wanted in enumerate(chosen) if wanted]

        def pick(number: LaneNumber) -> LaneNumber:
            return number if isinstance(number, int) else tuple(number[i] for i in keep)

        return replace(
            self,
            lanes=tuple(self.lanes[index] for index in keep),
            position=position,
            stack=[
                Entry(pick(entry.number), kind=entry.kind)
                for entry in self.stack
                if entry.number is not None
            ],
            register=None if self.register is None else pick(self.register),
            pieces=list(self.pieces),
        )
