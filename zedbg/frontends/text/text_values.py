"""Rows of values as text: what functions returned, work-items, displays, types."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows import row as row_types
from zedbg.commands.rows import session_rows, value_rows
from zedbg.commands.workitems import WorkItemTable
from zedbg.frontends.text.rendering import render, renders, source_place, table, triple
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.xe.coordinates import format_lanes, mask_of


@renders(value_rows.ReturnedRow)
def _returned(rows: list[value_rows.ReturnedRow]) -> Iterator[str]:
    for row in rows:
        number = f"${row.history} = " if row.history is not None else ""
        yield f"Value returned is {number}{row.text}"


@renders(session_rows.FrameInfoRow)
def _frame_info(rows: list[session_rows.FrameInfoRow]) -> Iterator[str]:
    for row in rows:
        yield f"Stack level {row.level}, frame at {_address(row.address)}:"
        where = source_place(row.file, row.line)
        yield f" pc = {row.pc:#x} in {row.function or '??'}" + (f" ({where})" if where else "")
        if row.inlined:
            yield f" inlined into frame {row.level + 1}"
        elif row.caller is not None:
            yield f" called by {row.caller}, returns to {_address(row.caller_pc)}"
        else:
            yield f" outermost: {_address(row.caller_pc)}"
        kernel = demangled(row.kernel or "??")
        yield f" kernel {kernel}, executed by lanes {format_lanes(mask_of(row.lanes))}"
        if row.saved:
            yield f" saved registers: {', '.join(row.saved)}"


def _address(address: int | Missing) -> str:
    return str(address) if isinstance(address, Missing) else f"{address:#x}"


@renders(WorkItemTable)
def _work_items(tables: list[WorkItemTable]) -> Iterator[str]:
    for each in tables:
        yield from table(
            ("Work-item", "Lane", "Value"),
            (
                (_work_item(row), f"{row.thread}:{row.lane}", row.text)
                for row in each.rows(each.shown)
            ),
        )
        if each.shown < len(each):
            yield f"... and {len(each) - each.shown} more (set print work-items 0 lists all)"


def _work_item(row: value_rows.WorkItemRow) -> str:
    return triple(row.global_id) if row.global_id is not None else "?"


@renders(value_rows.WorkItemSummaryRow)
def _work_item_summary(rows: list[value_rows.WorkItemSummaryRow]) -> Iterator[str]:
    for row in rows:
        parts = [f"{row.items} work-items"]
        if row.min is not None and row.mean is not None:
            parts += [f"min {row.min:.9g}", f"max {row.max:.9g}", f"mean {row.mean:.9g}"]
        if row.nan:
            parts.append(f"{row.nan} NaN")
        parts.append(f"{row.distinct} distinct")
        if row.missing:
            parts.append(f"{row.missing} without a value")
        if row.doubtful:
            parts.append(f"{row.doubtful} doubtful")
        yield ", ".join(parts)
        if row.strip:
            yield f"work-group {triple(row.workgroup)}:"
            yield from (f"  |{line}|" for line in row.strip)


@renders(value_rows.DisplayRow)
def _displays(rows: list[value_rows.DisplayRow]) -> Iterator[str]:
    for row in rows:
        flags = f"/{row.format} " if row.format else ""
        lines = render(row.rows)
        if not lines:
            off = "" if row.enabled else "  (disabled)"
            yield f"{row.number}:  {flags}{row.expression}{off}"
        elif len(row.rows) == 1 and isinstance(row.rows[0], value_rows.ValueRow | row_types.Text):
            yield f"{row.number}: {flags}{row.expression} = {lines[0]}"
        else:
            yield f"{row.number}: {flags}{row.expression}"
            yield from lines


@renders(value_rows.TypeRow)
def _types(rows: list[value_rows.TypeRow]) -> Iterator[str]:
    for row in rows:
        yield from row.lines


@renders(value_rows.ExplanationRow)
def _explanations(rows: list[value_rows.ExplanationRow]) -> Iterator[str]:
    for row in rows:
        where = source_place(row.file, row.line)
        yield f"{row.name}: {row.kind} of type {row.type}" + (
            f", declared at {where}" if where else ""
        )
        for place in row.places:
            mark = "=>" if place["live"] else "  "
            code = f"{place['low']:#x}-{place['high']:#x}{_lines(place['lines'])}"
            yield f"{mark} {code}: {place['where']}"
        if not row.places:
            yield "   the compiler stores it nowhere"
        yield f"now, in lane {row.lane}: {row.text}"
        if row.evidence:
            yield f"   {row.evidence}"


def _lines(lines: list[int]) -> str:
    if not lines:
        return ""
    first, last = min(lines), max(lines)
    return f" (line {first})" if first == last else f" (lines {first}-{last})"


@renders(value_rows.ScopeRow)
def _scopes(rows: list[value_rows.ScopeRow]) -> Iterator[str]:
    for row in rows:
        kind = "parameter" if row.parameter else "variable"
        yield f"{row.name}: {kind} of type {row.type}, {row.size} bytes, in {row.function or '??'}"


@renders(session_rows.LineRow)
def _code_of_lines(rows: list[session_rows.LineRow]) -> Iterator[str]:
    for row in rows:
        if row.start == row.end:
            place = f"is at address {row.start:#x} but contains no code"
            yield f'Line {row.line} of "{row.file}" {place}.'
            continue
        code = f"starts at {row.start:#x} and ends at {row.end:#x}"
        yield f'Line {row.line} of "{row.file}" {code}, in {row.function or "??"}.'


@renders(session_rows.SourceFileRow)
def _source_files(rows: list[session_rows.SourceFileRow]) -> Iterator[str]:
    for row in rows:
        yield f"Current source file is {row.file}"
        if row.directory:
            yield f"Compilation directory is {row.directory}"
        yield f"Located in {row.found}, {row.lines} lines" if row.found else "Its text is not found"
        yield f"Functions: {', '.join(row.functions)}"
