"""Where each lane's number of several lies in the general registers."""

from __future__ import annotations

from dataclasses import dataclass


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
