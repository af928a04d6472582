"""What a watchpoint looks at, and what it sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zedbg.engine.threads.thread import HardwareThread


@dataclass(frozen=True)
class Change:
    """What a watched value was in a lane, and what it is now, as text."""

    lane: int
    old: str
    new: str


Sample = Callable[[HardwareThread], Mapping[int, str]]
"""Takes a stopped thread, gives what is watched as text, by lane; lanes where it cannot be told
just now are left out."""


@dataclass
class Watch:
    """What a watchpoint looks at in ``thread``. ``known``: what each lane had when it could be
    told last."""

    thread: HardwareThread
    sample: Sample
    known: dict[int, str] = field(default_factory=dict)

    def changes(self) -> list[Change]:
        """The lanes whose value is another one than when it was known last."""
        now = self.sample(self.thread)
        found = [
            Change(lane, self.known[lane], text)
            for lane, text in now.items()
            if self.known.get(lane, text) != text
        ]
        self.known.update(now)
        return found
