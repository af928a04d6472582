"""Rows of values as text: what functions returned, work-items, displays, types."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands import rows as row_types
from zedbg.frontends.rendering import renders, source_place
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
