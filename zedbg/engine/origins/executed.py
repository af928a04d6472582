"""What threads of a recorded launch executed: searched for once, for many questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import HitKind, RangeSpace, Search, TimeHit

KINDS = HitKind.EXECUTES | HitKind.BEGINS
_TOGETHER = 2048
# A thread that executes more of all instructions than one of so many has too many to keep.
_SHARE = 64


class _Trace:
    """All that a thread did from ``low`` up to ``high``, the latest first."""

    def __init__(self, end: int) -> None:
        self.low = self.high = end
        self.hits: list[TimeHit] = []


class ExecutedInstructions:
    """Of the threads of ``launch``, as far back as was asked for; ``find`` makes one search."""

    def __init__(self, launch: int, find: Callable[[Search], tuple[list[TimeHit], int]]) -> None:
        self._launch = launch
        self._find = find
        self._traces: dict[ThreadFields, _Trace | None] = {}

    def search(self, search: Search) -> list[TimeHit] | None:
        """What the driver finds backward for ``search``, of one thread's instructions in ranges of
        code and of its begins; None where that has to be searched for by itself."""
        is_of_code = all(each.space is RangeSpace.CODE for each in search.ranges)
        if search.kinds & ~KINDS or not is_of_code or not search.backward:
            return None
        trace = self._traces.get(search.thread, _Trace(search.end))
        if trace is not None and search.end > trace.high:
            trace = _Trace(search.end)
        trace = trace and self._extended(trace, search)
        self._traces[search.thread] = trace
        if trace is None:
            return None
        return list(_matching(trace.hits, search))[: search.limit]

    def _extended(self, trace: _Trace, search: Search) -> _Trace | None:
        """``trace`` with what was done from the beginning of ``search`` on."""
        while trace.low > search.first:
            before = trace.low
            wanted = Search(
                *(self._launch, search.first, before, KINDS),
                backward=True,
                thread=search.thread,
                limit=_TOGETHER,
            )
            hits, trace.low = self._find(wanted)
            trace.hits += hits
            if len(trace.hits) * _SHARE > trace.high - trace.low + _TOGETHER * _SHARE:
                return None
            if trace.low == before:
                break
        return trace


def _matching(hits: Sequence[TimeHit], search: Search) -> Iterator[TimeHit]:
    """Those of ``hits`` that ``search`` finds."""
    for hit in hits:
        if not search.first <= hit.time < search.end:
            continue
        is_meant = not search.ranges or any(
            each.begin <= hit.instruction < each.end for each in search.ranges
        )
        kind = hit.kind & search.kinds & (KINDS if is_meant else ~HitKind.EXECUTES)
        if kind:
            yield replace(hit, kind=kind)
