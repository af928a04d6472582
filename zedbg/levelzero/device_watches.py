"""Watching memory: what a driver may offer beyond the Level Zero API.

The functions are those of ``XESIM_extension_debug_time`` 1.1, in
native/driver/xesim_debug_extension.h: a thread stops after an instruction that accessed memory that
is watched, and the driver says what it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import (
    ANY_THREAD,
    HitKind,
    SearchRange,
    TimeHit,
    hit_of,
    ranges_of,
)
from zedbg.levelzero.driver_extensions import SessionExtension
from zedbg.levelzero.loader import CData, ffi

_ANY = 0xFFFFFFFF


@dataclass(frozen=True)
class WatchRequest:
    """What is watched: accesses of ``kinds`` to memory in ``ranges``.

    ``lanes``: only what one of these does; 0: any. ``changes_only``: writes that leave the bytes as
    they were do not count. ``group``: the work-group that must act; None: any.
    """

    kinds: HitKind
    ranges: tuple[SearchRange, ...]
    thread: ThreadFields = ANY_THREAD
    lanes: int = 0
    changes_only: bool = False
    group: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class WatchHit:
    """One access of one lane to what watch ``number`` watches; ``hit.lanes``: all that acted."""

    number: int
    hit: TimeHit


class DeviceWatches(Protocol):
    """The calls on one debug session. All raise LevelZeroError when the driver refuses."""

    def set(self, watch: WatchRequest) -> int:
        """Begins to watch; the watch's number."""

    def clear(self, number: int) -> None:
        """Ends watch ``number``."""

    def hits(self, thread: ThreadFields) -> list[WatchHit]:
        """What stopped ``thread`` did with its last instruction, by watch, then by lane; nothing
        when it stopped for another reason."""


class DriverWatches(SessionExtension):
    """:class:`DeviceWatches` by the functions of a driver."""

    functions = ("SetWatch", "ClearWatch", "GetWatchHits")

    def set(self, watch: WatchRequest) -> int:
        raw: CData = ffi.new("xesim_debug_watch_t *")
        raw.kinds, raw.rangeCount, raw.thread = watch.kinds, len(watch.ranges), watch.thread
        raw.lanes, raw.changesOnly = watch.lanes, int(watch.changes_only)
        raw.group = watch.group or (_ANY, _ANY, _ANY)
        number: CData = ffi.new("uint64_t *")
        self._call("SetWatch", "watch memory", raw, ranges_of(watch.ranges), number)
        return int(number[0])

    def clear(self, number: int) -> None:
        self._call("ClearWatch", f"end watch {number}", number)

    def hits(self, thread: ThreadFields) -> list[WatchHit]:
        count: CData = ffi.new("uint32_t *")
        fields: CData = ffi.new("ze_device_thread_t *", thread)
        self._call("GetWatchHits", "ask what a watch saw", fields[0], count, ffi.NULL)
        if not count[0]:
            return []
        raw: CData = ffi.new("xesim_debug_watch_hit_t[]", count[0])
        self._call("GetWatchHits", "ask what a watch saw", fields[0], count, raw)
        return [WatchHit(each.number, hit_of(each.hit)) for each in raw[0 : count[0]]]
