"""Values in every stopped work-item of a kernel: what ``print/w`` shows and writes to files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.row import JsonValue, Row, Text, to_json
from zedbg.commands.rows.value_rows import WorkItemRow, WorkItemSummaryRow, doubt_of
from zedbg.commands.scripting.files import user_path
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.work_item_values import AssignmentError, read_work_items
from zedbg.missing import Missing
from zedbg.values.formats.formatting import FormatOptions
from zedbg.values.tables.export import csv_text, npy_bytes
from zedbg.values.tables.item_table import ItemTable, Place
from zedbg.values.tables.summary import heat_strip, summarize
from zedbg.values.typed.scalars import Number

_OPTION = re.compile(r"(?:^|\s)--(csv|npy)\s+(\S+)")


def print_work_items(context: CommandContext, text: str, options: FormatOptions) -> Sequence[Row]:
    """``print/w``: ``text`` in every work-item of the stopped threads of the focused kernel.

    ``--csv FILE`` and ``--npy FILE`` before or after the expression write files.
    Raises UsageError and CommandError.
    """
    files = dict(_OPTION.findall(text))
    text = _OPTION.sub("", text).strip()
    if not text:
        raise UsageError("print/w needs an expression.")
    items = _items(context, text, options)
    if not items.has_values:
        value = next(iter(items)).value
        raise CommandError(value.reason if isinstance(value, Missing) else "No value.")
    written = [_write(kind, name, items) for kind, name in files.items()]
    limit = context.settings.number("print work-items")
    table = WorkItemTable(items, min(limit, len(items)) if limit else len(items))
    return [table, _summary(context, items), *written]


class WorkItemTable(Row):
    """Every work-item with its value: as JSON a row for each, for people the first ``shown``."""

    def __init__(self, items: ItemTable, shown: int) -> None:
        self._items = items
        self.shown = shown

    def __len__(self) -> int:
        return len(self._items)

    def rows(self, count: int) -> Iterator[WorkItemRow]:
        """The first ``count`` work-items."""
        for item in self._items.first(count):
            plain = to_json(item.value) if isinstance(item.value, Missing) else item.value.plain()
            yield WorkItemRow(
                thread=item.thread,
                lane=item.lane,
                workgroup=item.workgroup,
                global_id=item.global_id,
                local_id=item.local_id,
                value=plain,
                text=item.text,
                doubtful=doubt_of(item.value),
            )

    def json_rows(self) -> Iterator[dict[str, JsonValue]]:
        return (row.to_json() for row in self.rows(len(self)))


def _items(context: CommandContext, text: str, options: FormatOptions) -> ItemTable:
    kernel = context.thread.kernel_name
    stopped = context.session.stopped_threads()
    threads = [thread for thread in stopped if thread.kernel_name == kernel]
    try:
        found = read_work_items(threads, text, context.frame_level)
    except AssignmentError:
        raise UsageError("The expression of print/w cannot assign.") from None
    if not found:
        raise CommandError("No stopped work-item executes this kernel.")
    return ItemTable(found, options)


def _summary(context: CommandContext, items: ItemTable) -> WorkItemSummaryRow:
    summary = summarize(items.data, items.numbers)
    group = context.thread.workgroup
    numbers: dict[Place, Number | Missing] = {}
    for thread in items.threads:
        if thread.workgroup == group and thread.local_ids is not None:
            numbers |= dict(zip(thread.local_ids, thread.numbers, strict=False))
    return WorkItemSummaryRow(
        items=summary.items,
        missing=summary.missing,
        doubtful=items.doubtful or None,
        min=summary.minimum,
        max=summary.maximum,
        mean=summary.mean,
        nan=summary.nan,
        distinct=summary.distinct,
        strip=tuple(heat_strip(numbers, _shape(context.thread, numbers))),
        workgroup=group,
    )


def _shape(thread: HardwareThread, values: Mapping[Place, object]) -> Place:
    """The size of the work-group; where it is not known, what its stopped work-items span."""
    size = thread.work.group_size
    if not isinstance(size, Missing):
        return size
    x, y, z = (max((place[axis] for place in values), default=0) + 1 for axis in range(3))
    return x, y, z


def _write(kind: str, name: str, items: ItemTable) -> Row:
    path = user_path(name)
    if kind == "csv":
        path.write_text(csv_text(items))
    else:
        path.write_bytes(npy_bytes(items))
    return Text(f"Wrote {len(items)} work-items to {path}.")
