"""Call stacks of all threads as text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows.stack_rows import LaneVariablesRow, StackFrameRow, StackGroupRow
from zedbg.frontends.text.rendering import renders, triple
from zedbg.sycl.kernel_names import demangled


@renders(StackGroupRow, one_by_one=True)
def _group(rows: list[StackGroupRow]) -> Iterator[str]:
    for row in rows:
        yield f"{_count(len(row.threads), 'thread')}, {_count(row.lanes, 'lane')}{_where(row)}:"
        for frame in row.frames:
            yield f"  #{frame.level}  {_frame(frame)}"
        if row.incomplete is not None:
            yield f"  (more is not known: {row.incomplete})"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _where(row: StackGroupRow) -> str:
    groups = row.workgroups
    if not groups:
        return ""
    if len(groups) == 1:
        return f", work-group {triple(groups[0])}"
    return f", {len(groups)} work-groups {triple(min(groups))}-{triple(max(groups))}"


def _frame(frame: StackFrameRow) -> str:
    function = demangled(frame.function or "??")
    if frame.file is None or frame.line is None:
        return f"{function} at {frame.pc:#x}"
    return f"{function} at {frame.file}:{frame.line}"


@renders(LaneVariablesRow, one_by_one=True)
def _variables(rows: list[LaneVariablesRow]) -> Iterator[str]:
    for row in rows:
        if row.variables:
            yield f"Variables of thread {row.thread}, lane {row.lane}, {triple(row.global_id)}:"
        for name, value in row.variables.items():
            yield f"  {name} = {value}"
