"""The rows of ``origin`` and ``history``: where values came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zedbg.commands.rows.row import JsonValue, Row


@dataclass(frozen=True)
class InstantRow(Row):
    """An instruction that a value went through. ``work_item``: a global id, None of what a thread
    did as a whole; ``does``: ``computed`` or ``copied``."""

    time: int
    does: str
    work_item: tuple[int, int, int] | None
    lane: int | None
    thread: str
    work_group: tuple[int, int, int]
    file: str | None
    line: int | None
    function: str | None
    source: str | None
    address: int
    instruction: str


@dataclass(frozen=True)
class OriginRow(Row):
    """A value, and where it came from.

    ``number`` counts from 1, ``parent`` is that of the value which was made from it (``role``:
    ``value``), which it says the place of (``address``), or whether it was made (``condition``).
    ``instants``: what it went through, the latest first; ``beginning``: what it was at first, where
    no instruction made it. ``same_as``: the number of the row which says the rest. ``followed``:
    whether its origin was looked for. ``part_of``: the number that was computed, of which the value
    is some of the bits.
    """

    number: int
    parent: int | None
    level: int
    role: str
    name: str
    place: str
    value: JsonValue
    text: str
    instants: tuple[InstantRow, ...]
    beginning: str | None
    beginning_kind: str | None
    followed: bool
    same_as: int | None = None
    doubtful: str | None = None
    part_of: JsonValue = None


@dataclass(frozen=True)
class HistoryRow(Row):
    """A write to a value, which left ``value`` there."""

    value: JsonValue
    text: str
    written_by: InstantRow


@dataclass(frozen=True)
class HistoryPlot(Row):
    """The numbers of a history as a picture, for people only."""

    lines: tuple[str, ...]

    def json_rows(self) -> Iterable[dict[str, JsonValue]]:
        return ()
