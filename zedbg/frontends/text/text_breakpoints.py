"""Breakpoints, watchpoints and skips as text, in GDB's shapes."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.describe.breakpoint_rows import BreakpointSet
from zedbg.commands.rows import session_rows
from zedbg.frontends.text.rendering import renders, source_place

# What GDB calls watchpoints where they are set and hit, by their type.
WATCHPOINT_NAMES = {
    "watchpoint": "Watchpoint",
    "hw watchpoint": "Hardware watchpoint",
    "read watchpoint": "Hardware read watchpoint",
    "acc watchpoint": "Hardware access (read/write) watchpoint",
}


@renders(session_rows.BreakpointRow)
def _breakpoints(rows: list[session_rows.BreakpointRow]) -> Iterator[str]:
    yield f"{'Num':<7} {'Type':<14} {'Disp':<4} {'Enb':<3} {'Address':<18} What"
    for row in rows:
        enabled = "y" if row.enabled else "n"
        head = f"{row.number:<7} {row.type:<14} {row.disposition:<4} {enabled:<3}"
        if row.type == "catchpoint" or row.type in WATCHPOINT_NAMES:
            yield f"{head} {'':<18} {row.spec}"
        elif not row.locations:
            yield f"{head} {'<PENDING>':<18} {row.spec}"
        elif len(row.locations) == 1:
            yield f"{head} {row.locations[0].address:#018x} {_what(row.locations[0])}"
        else:
            yield f"{head} {'<MULTIPLE>':<18}"
        if row.restriction:
            yield f"\tstop only in {row.restriction}"
        if row.condition:
            yield f"\tstop only if {row.condition}"
        if row.log is not None:
            yield f'\tlog "{row.log}"'
        if row.printf is not None:
            yield f"\tprintf {row.printf}"
        if row.note:
            yield f"\t{row.note}"
        if row.why_pending:
            yield f"\tpending: {row.why_pending}"
        if row.hits or row.threads:
            yield f"\t{_kind(row)} already hit {_times(row)}"
        if row.ignore:
            yield f"\tignore next {row.ignore} hits"
        if row.disposition == "dis" and row.stops_left:
            yield f"\tdisable after {row.stops_left} more stop{'s' if row.stops_left > 1 else ''}"
        yield from _commands(row.commands)
        if len(row.locations) > 1:
            for number, location in enumerate(row.locations, start=1):
                name = f"{row.number}.{number}"
                enabled = "y" if location.enabled else "n"
                yield f"{name:<27} {enabled:<3} {location.address:#018x} {_what(location)}"


def _times(row: session_rows.BreakpointRow) -> str:
    times = f"{row.hits} time{'' if row.hits == 1 else 's'}"
    if row.threads in (0, row.hits):
        return times
    return f"{times}, by {row.threads} thread{'' if row.threads == 1 else 's'}"


def _kind(row: session_rows.BreakpointRow) -> str:
    if row.type in WATCHPOINT_NAMES:
        return "watchpoint"
    return row.type if row.type == "catchpoint" else "breakpoint"


def _commands(lines: tuple[str, ...]) -> Iterator[str]:
    depth = 8
    for line in lines:
        if line == "end":
            depth -= 2
        yield " " * depth + line
        if line.split()[0] == "commands":
            depth += 2


@renders(BreakpointSet)
def _breakpoint_set(rows: list[BreakpointSet]) -> Iterator[str]:
    for row in rows:
        kind = _kind(row)
        if row.type in WATCHPOINT_NAMES:
            kind = WATCHPOINT_NAMES[row.type]
        kind = f"Temporary {kind}" if row.disposition == "del" else kind.capitalize()
        if row.type == "catchpoint":
            yield f"{kind} {row.number} ({row.spec})"
        elif row.type in WATCHPOINT_NAMES:
            yield f"{kind} {row.number}: {row.spec}"
        elif not row.locations:
            why = row.why_pending or "no module has it yet."
            yield f"{kind} {row.number} ({row.spec}) pending: {why}"
        elif len(row.locations) == 1:
            place = row.locations[0]
            where = f": file {place.file}, line {place.line}." if place.line else ""
            yield f"{kind} {row.number} at {place.address:#x}{where}"
        else:
            first = row.locations[0]
            where = f"{first.address:#x}: {row.spec}. ({len(row.locations)} locations)"
            yield f"{kind} {row.number} at {where}"
        if row.note:
            yield row.note


def _what(location: session_rows.BreakpointLocationRow) -> str:
    where = source_place(location.file, location.line)
    function = location.function or location.kernel
    return f"in {function} at {where}" if where else f"<{function}>"


@renders(session_rows.SkipRow)
def _skips(rows: list[session_rows.SkipRow]) -> Iterator[str]:
    yield f"{'Num':<5} {'Enb':<3} {'Glob':>4} {'File':>20} {'RE':>2} Function"
    for row in rows:
        glob, pattern = ("y" if each else "n" for each in (row.glob, row.pattern))
        file, function = row.file or "<none>", row.function or "<none>"
        enabled = "y" if row.enabled else "n"
        yield f"{row.number:<5} {enabled:<3} {glob:>4} {file:>20} {pattern:>2} {function}"
