"""Breakpoints as rows."""

from __future__ import annotations

from zedbg.commands.describe import places
from zedbg.commands.rows.session_rows import BreakpointLocationRow, BreakpointRow
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.lane_logs import DynamicPrintf, Logpoint
from zedbg.engine.breakpoints.watch import Watch, WatchAccess


def breakpoint_row(breakpoint_: Breakpoint, why_pending: str | None = None) -> BreakpointRow:
    """A breakpoint as a row; a logging one hits in each thread, others once a stop."""
    return BreakpointRow(
        number=breakpoint_.number,
        type=_type(breakpoint_),
        disposition=breakpoint_.disposition.value,
        enabled=breakpoint_.enabled,
        spec=breakpoint_.text,
        condition=breakpoint_.condition.text if breakpoint_.condition is not None else None,
        hits=breakpoint_.times,
        threads=breakpoint_.hits,
        why_pending=why_pending,
        ignore=breakpoint_.ignore_count,
        pending=breakpoint_.pending,
        locations=tuple(
            BreakpointLocationRow(
                place.address,
                place.code.kernel,
                place.code.function,
                places.short_file(place.code.file),
                place.code.line,
                place not in breakpoint_.disabled,
            )
            for place in breakpoint_.locations
        ),
        note=breakpoint_.note or None,
        log=breakpoint_.log.text if isinstance(breakpoint_.log, Logpoint) else None,
        restriction=_restriction(breakpoint_),
        stops_left=breakpoint_.stops_left,
        commands=tuple(breakpoint_.commands),
        printf=breakpoint_.log.text if isinstance(breakpoint_.log, DynamicPrintf) else None,
    )


def _type(breakpoint_: Breakpoint) -> str:
    if breakpoint_.is_catchpoint:
        return "catchpoint"
    if breakpoint_.watch is not None:
        return watchpoint_type(breakpoint_.watch)
    return "dprintf" if breakpoint_.log is not None else "breakpoint"


def watchpoint_type(watch: Watch) -> str:
    """What GDB calls it: ``watchpoint`` where the thread is stepped."""
    match watch.access:
        case WatchAccess.READ:
            return "read watchpoint"
        case WatchAccess.ACCESS:
            return "acc watchpoint"
        case WatchAccess.WRITE:
            return "hw watchpoint" if watch.by_driver else "watchpoint"


def _restriction(breakpoint_: Breakpoint) -> str | None:
    """``thread 1.2, work-item (37,0,0)``; None for a breakpoint that is for all."""
    parts = []
    if breakpoint_.thread is not None:
        parts.append("thread {}.{}".format(*breakpoint_.thread))
    if breakpoint_.lane is not None:
        parts.append(f"lane {breakpoint_.lane}")
    if breakpoint_.work_item is not None:
        parts.append("work-item ({},{},{})".format(*breakpoint_.work_item))
    if breakpoint_.workgroup is not None:
        parts.append("work-group ({},{},{})".format(*breakpoint_.workgroup))
    if breakpoint_.hit_condition is not None:
        parts.append(str(breakpoint_.hit_condition))
    return ", ".join(parts) or None


class BreakpointSet(BreakpointRow):
    """A breakpoint just made: shown as GDB's confirmation, not as a table."""

    @classmethod
    def of(cls, row: BreakpointRow) -> BreakpointSet:
        """The same row, as a confirmation."""
        return cls(**vars(row))
