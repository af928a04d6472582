"""Rows about recorded launches, and where in time a device is."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row


@dataclass(frozen=True, kw_only=True)
class TimeRow(Row):
    """Where ``device`` is: ``time`` of ``launch``, which can be visited from ``first`` to ``end``.

    Times count the instructions that all threads have executed since the launch began.
    ``in_past``: whether that is not the present.
    """

    device: int
    launch: int
    kernel: str
    time: int
    first: int
    end: int
    in_past: bool


@dataclass(frozen=True, kw_only=True)
class RecordingRow(Row):
    """What ``device`` records. ``state``: off, records, past, finished, gave-up or unrecordable;
    ``launches``: how many can be visited, ``oldest`` the first of them; ``bytes`` of ``budget``
    that they take.

    ``first``, ``end``, ``keyframes``, ``kernel``: of the launch that it shows; ``kernel`` says why
    it is not recorded where that was given up. ``host_writes``: the
    times between which the host was seen to write memory.
    """

    device: int
    state: str
    launch: int
    kernel: str
    first: int
    end: int
    keyframes: int
    launches: int
    oldest: int
    bytes: int
    budget: int
    host_writes: tuple[int, int] | None


@dataclass(frozen=True, kw_only=True)
class RecordedLaunchRow(Row):
    """A launch that can be visited; ``shown``: whether its device shows it."""

    launch: int
    kernel: str
    state: str
    first: int
    end: int
    shown: bool


@dataclass(frozen=True, kw_only=True)
class CheckpointRow(Row):
    """A checkpoint; ``place``: where the focused thread was. ``made``: it has just been made."""

    number: int
    device: int
    launch: int
    time: int
    place: str
    made: bool = False
