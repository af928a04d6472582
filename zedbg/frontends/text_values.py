"""Rows of values as text: what functions returned, work-items, displays, types."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands import rows as row_types
from zedbg.frontends.rendering import renders, source_place, table, triple
from zedbg.values.context import Missing
from zedbg.xe.coordinates import format_lanes, mask_of


@renders(row_types.ReturnedRow)
def _returned(rows: list[row_types.ReturnedRow]) -> Iterator[str]:
    for row in rows:
        number = f"${row.history} = " if row.history is not None else ""
        yield f"Value returned is {number}{row.text}"


@renders(row_types.FrameInfoRow)
def _frame_info(rows: list[row_types.FrameInfoRow]) -> Iterator[str]:
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
        yield f" kernel {row.kernel or '??'}, executed by lanes {format_lanes(mask_of(row.lanes))}"
        if row.saved:
            yield f" saved registers: {', '.join(row.saved)}"


def _address(address: int | Missing) -> str:
    return str(address) if isinstance(address, Missing) else f"{address:#x}"


@renders(row_types.WorkItemRow)
def _work_items(rows: list[row_types.WorkItemRow]) -> Iterator[str]:
    shown = [row for row in rows if row.shown]
    yield from table(
        ("Work-item", "Lane", "Value"),
        ((_work_item(row), f"{row.thread}:{row.lane}", row.text) for row in shown),
    )
    if len(shown) < len(rows):
        yield f"... and {len(rows) - len(shown)} more (set print work-items 0 lists all)"


def _work_item(row: row_types.WorkItemRow) -> str:
    return triple(row.global_id) if row.global_id is not None else "?"


@renders(row_types.WorkItemSummaryRow)
def _work_item_summary(rows: list[row_types.WorkItemSummaryRow]) -> Iterator[str]:
    for row in rows:
        parts = [f"{row.items} work-items"]
        if row.min is not None and row.mean is not None:
            parts += [f"min {row.min:.9g}", f"max {row.max:.9g}", f"mean {row.mean:.9g}"]
        if row.nan:
            parts.append(f"{row.nan} NaN")
        parts.append(f"{row.distinct} distinct")
        if row.missing:
            parts.append(f"{row.missing} without a value")
        yield ", ".join(parts)
        if row.strip:
            yield f"work-group {triple(row.workgroup)}:"
            yield from (f"  |{line}|" for line in row.strip)
