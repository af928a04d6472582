"""Where each lane's number of several lies in the general registers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class LanePlaces:
    """``first``: the byte of the general registers, counted from r0, at which that of lane
    ``first_lane`` begins; ``stride``: bytes from one lane's to the next one's, 0: all have one;
    ``lanes``: how many have one."""

    first: int
    stride: int
    first_lane: int
    lanes: int

    def place(self, lane: int) -> int | None:
        """The byte at which that of ``lane`` begins; None where it has none."""
        index = lane - self.first_lane
        return self.first + index * self.stride if 0 <= index < self.lanes else None


@dataclass(frozen=True)
class LaneWriter:
    """The instruction at ``offset`` writes a number of each lane to ``places`` in the registers of
    ``kind``; ``is_uniform``: instead, what all lanes have, some numbers of which each may be
    meant."""

    offset: int
    kind: RegisterKind
    places: LanePlaces
    is_uniform: bool

    def moved(self, by: int) -> LaneWriter:
        """The same, at an offset that is more ``by`` so many bytes."""
        return replace(self, offset=self.offset + by)
