"""Where values came from, as text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows.origin_rows import HistoryPlot, HistoryRow, InstantRow, OriginRow
from zedbg.frontends.text.rendering import renders, source_place, table, triple


@renders(OriginRow)
def _origins(rows: list[OriginRow]) -> Iterator[str]:
    for row in rows:
        indent = "  " * row.level
        role = "" if row.parent is None or row.role == "value" else f"{row.role} "
        inside = f"{indent}#{row.number} {role}{row.name} = {row.text}"
        if row.same_as is not None:
            yield f"{inside}: see #{row.same_as}"
            continue
        if not row.instants and row.beginning is not None:
            yield f"{inside}: {row.beginning}" + _doubt(row)
            continue
        yield inside + _doubt(row)
        last: tuple[object, ...] | None = None
        for each in row.instants:
            here = each.does, each.file, each.line, each.work_item
            if here != last:
                yield f"{indent}   {_instant(each)}"
            last = here
            if each.does == "computed":
                part = "" if row.part_of is None else f"  (a part of {row.part_of})"
                yield f"{indent}     {each.instruction}{part}"
        if row.beginning is not None:
            yield f"{indent}   from {row.beginning}"


def _doubt(row: OriginRow) -> str:
    return f"  (doubtful: {row.doubtful})" if row.doubtful else ""


def _instant(row: InstantRow) -> str:
    who = f"work-item {triple(row.work_item)}" if row.work_item else f"thread {row.thread}"
    where = source_place(row.file, row.line) or f"{row.address:#x}"
    source = f"  {row.source}" if row.source else ""
    return f"{row.does} at time {row.time} by {who}, {where}:{source}".rstrip(":")


@renders(HistoryRow)
def _history(rows: list[HistoryRow]) -> Iterator[str]:
    yield from table(
        ("Time", "Work-item", "Line", "Value"),
        (
            (
                str(row.written_by.time),
                triple(row.written_by.work_item)
                if row.written_by.work_item
                else row.written_by.thread,
                source_place(row.written_by.file, row.written_by.line)
                or f"{row.written_by.address:#x}",
                row.text,
            )
            for row in rows
        ),
    )


@renders(HistoryPlot)
def _plot(rows: list[HistoryPlot]) -> Iterator[str]:
    for row in rows:
        yield from row.lines
