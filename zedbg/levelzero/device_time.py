"""Going back in a launch: what a driver may offer beyond the Level Zero API.

The functions are those of ``XESIM_extension_debug_time``, in native/driver/xesim_debug_extension.h:
a launch is recorded; the device can be put into its state of any time of it, and the stretch
between two times searched. A time is the number of instructions that all threads have executed
since the launch began: at time ``t``, the instruction numbered ``t`` (from 0) is the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Protocol

from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.driver_extensions import SessionExtension
from zedbg.levelzero.loader import CData, ffi, text

PRESENT = (1 << 64) - 1
"""The time that means: where the device is without any travel."""
ANY_THREAD: ThreadFields = (0xFFFFFFFF,) * 4


class RecordingState(IntEnum):
    """What becomes of a launch's recording."""

    OFF = 0
    RECORDS = 1  # it runs, or is stopped in the present
    IN_PAST = 2
    FINISHED = 3
    GAVE_UP = 4  # there is no memory left for it
    UNRECORDABLE = 5  # what it does cannot be recorded


class HitKind(IntFlag):
    """What is searched for."""

    EXECUTES = 1  # an instruction in one of the ranges; without ranges: any
    WRITES_MEMORY = 2
    READS_MEMORY = 4
    WRITES_REGISTERS = 8
    BEGINS = 16  # a thread
    ENDS = 32
    WRITES_SLM = 64
    READS_SLM = 128


class RangeSpace(IntEnum):
    """What the addresses of a range count."""

    CODE = 0  # GPU virtual addresses
    MEMORY = 1
    SLM = 2  # offsets in the work-group's
    GRF = 3  # bytes: the register's number times its size, and the byte
    ARF = 4


@dataclass(frozen=True)
class Recording:
    """What is known of launch ``launch`` (from 1 on each device).

    ``launches``: how many there have been; those from ``oldest`` on can be visited. ``first``,
    ``now``, ``end``: the times that can be reached first, where the device is, and the present.
    ``bytes``, ``budget``: of all recordings of the device. ``host_writes``: the times between
    which the host was seen to write memory, the end left out; None: none was seen. ``text``: the
    kernel's name, or why the launch is not recorded.
    """

    launch: int
    launches: int
    oldest: int
    state: RecordingState
    first: int
    now: int
    end: int
    bytes: int
    budget: int
    keyframes: int
    host_writes: tuple[int, int] | None
    text: str


@dataclass(frozen=True)
class SearchRange:
    """Addresses from ``begin`` up to ``end``, of ``space``."""

    space: RangeSpace
    begin: int
    end: int


@dataclass(frozen=True)
class Search:
    """What is searched for, in the instructions numbered from ``first`` up to ``end``.

    ``backward``: latest first. ``lanes``: only what one of these does; 0: any. ``changes_only``:
    writes that leave the bytes as they were do not count.
    """

    launch: int
    first: int
    end: int
    kinds: HitKind
    ranges: tuple[SearchRange, ...] = ()
    backward: bool = False
    thread: ThreadFields = ANY_THREAD
    lanes: int = 0
    limit: int = 1
    changes_only: bool = False


@dataclass(frozen=True)
class TimeHit:
    """An instruction that did what was searched for.

    ``time``: of the state before it; ``time + 1`` is after it. ``lanes``: those that acted.
    ``address``, ``size``, ``lane``: of the access, by the first lane that met a range; ``old`` and
    ``new`` are its bytes, at most 64.
    """

    time: int
    instruction: int
    thread: ThreadFields
    kind: HitKind
    lanes: int
    group: tuple[int, int, int]
    launch: int
    address: int
    size: int
    lane: int
    old: bytes
    new: bytes


class DeviceTime(Protocol):
    """The calls on one debug session. All raise LevelZeroError when the driver refuses."""

    def recording(self, launch: int = 0) -> Recording:
        """That of ``launch``; 0: the one that runs, or the last one."""

    def set_recording(self, enabled: bool, budget: int) -> None:
        """From the next launch on; switching it off drops what there is. ``budget`` in bytes."""

    def go_to(self, launch: int, time: int) -> None:
        """Puts the device into its state of ``time``. All resident threads are stopped then, and
        no event is sent. PRESENT gives the present back."""

    def threads(self) -> list[ThreadFields]:
        """The threads that are resident where the device is, and stopped."""

    def find(self, search: Search) -> tuple[list[TimeHit], int]:
        """The hits, at most ``search.limit`` of them, and how far was searched: up to this time
        (``backward``: down to it)."""


class DriverTime(SessionExtension):
    """:class:`DeviceTime` by the functions of a driver."""

    functions = ("GetRecording", "SetRecording", "GoTo", "GetThreads", "Find", "Cancel")

    def recording(self, launch: int = 0) -> Recording:
        raw: CData = ffi.new("xesim_debug_recording_t *")
        self._call("GetRecording", "ask for a recording", launch, raw)
        written = raw.hostWriteFirst, raw.hostWriteEnd
        return Recording(
            raw.launch,
            raw.launches,
            raw.oldest,
            RecordingState(raw.state),
            raw.first,
            raw.now,
            raw.end,
            raw.bytes,
            raw.budget,
            raw.keyframes,
            written if written[0] != written[1] else None,
            text(raw.text),
        )

    def set_recording(self, enabled: bool, budget: int) -> None:
        self._call("SetRecording", "switch recording", int(enabled), budget)

    def go_to(self, launch: int, time: int) -> None:
        where = "the present" if time == PRESENT else f"time {time} of launch {launch}"
        self._call("GoTo", f"go to {where}", launch, time)

    def threads(self) -> list[ThreadFields]:
        count: CData = ffi.new("uint32_t *")
        self._call("GetThreads", "list the threads", count, ffi.NULL)
        raw: CData = ffi.new("ze_device_thread_t[]", max(count[0], 1))
        self._call("GetThreads", "list the threads", count, raw)
        return [_fields(each) for each in raw[0 : count[0]]]

    def find(self, search: Search) -> tuple[list[TimeHit], int]:
        wanted = _search(search.kinds, search.ranges, search.thread, search.lanes)
        wanted.launch, wanted.backward = search.launch, int(search.backward)
        earliest, latest = search.first, search.end
        setattr(wanted, "from", latest if search.backward else earliest)
        wanted.to = earliest if search.backward else latest
        wanted.limit, wanted.changesOnly = search.limit, int(search.changes_only)
        count: CData = ffi.new("uint32_t *", search.limit)
        hits: CData = ffi.new("xesim_debug_hit_t[]", max(search.limit, 1))
        searched: CData = ffi.new("uint64_t *")
        ranges = ranges_of(search.ranges)
        self._call("Find", "search the recording", wanted, ranges, count, hits, searched)
        return [hit_of(each) for each in hits[0 : count[0]]], searched[0]


def _search(
    kinds: HitKind, ranges: Sequence[SearchRange], thread: ThreadFields, lanes: int
) -> CData:
    wanted: CData = ffi.new("xesim_debug_find_t *")
    wanted.thread = thread
    wanted.kinds, wanted.rangeCount, wanted.lanes = kinds, len(ranges), lanes
    return wanted


def ranges_of(ranges: Sequence[SearchRange]) -> CData:
    """``ranges`` as the driver takes them."""
    raw: CData = ffi.new("xesim_debug_range_t[]", max(len(ranges), 1))
    for entry, each in zip(raw, ranges, strict=False):
        entry.begin, entry.end, entry.space = each.begin, each.end, each.space
    return raw


def _fields(raw: CData) -> ThreadFields:
    return raw.slice, raw.subslice, raw.eu, raw.thread


def hit_of(raw: CData) -> TimeHit:
    """A hit that the driver gave."""
    size = min(raw.size, 64)
    return TimeHit(
        raw.time,
        raw.instruction,
        _fields(raw.thread),
        HitKind(raw.kinds),
        raw.lanes,
        (raw.group[0], raw.group[1], raw.group[2]),
        raw.launch,
        raw.address,
        raw.size,
        raw.lane,
        bytes(ffi.buffer(raw.oldValue, 64))[:size],
        bytes(ffi.buffer(raw.newValue, 64))[:size],
    )
