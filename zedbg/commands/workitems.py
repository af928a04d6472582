"""Values in every stopped work-item of a kernel: what ``print/w`` shows and writes to files."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.scopes import thread_context
from zedbg.commands.rows.row import JsonValue, Row, Text, to_json
from zedbg.commands.rows.value_rows import WorkItemRow, WorkItemSummaryRow
from zedbg.dwarf.types.program_types import Type
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values import api
from zedbg.values.bulk import keeping_all
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.export import csv_text, npy_bytes
from zedbg.values.formatting import FormatOptions
from zedbg.values.item_table import ItemTable, Place, ThreadItems
from zedbg.values.scalars import Number
from zedbg.values.summary import heat_strip, summarize
from zedbg.xe.coordinates import lanes_of

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
    with contextlib.ExitStack() as reading:
        reading.enter_context(keeping_all())
        for device in context.session.devices:
            reading.enter_context(device.reading_ahead())
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
            )

    def json_rows(self) -> Iterator[dict[str, JsonValue]]:
        return (row.to_json() for row in self.rows(len(self)))


def _items(context: CommandContext, text: str, options: FormatOptions) -> ItemTable:
    focused = context.thread
    kernel = focused.kernel_name
    found: list[ThreadItems] = []
    parsed: dict[int, api.Expression] = {}
    threads = [
        thread for thread in context.session.stopped_threads() if thread.kernel_name == kernel
    ]
    for device in context.session.devices:
        read_general_registers(device, (each for each in threads if each.device is device))
    for thread in threads:
        lanes = lanes_of(thread.dispatch_lanes)
        value_type: Type | None = None
        data: Sequence[bytes | Missing]
        try:
            within = thread_context(thread, context.frame_level)
            module = id(thread.module)
            if module not in parsed:
                parsed[module] = api.Expression(text, within.debug_info)
                if parsed[module].assigns:
                    raise UsageError("The expression of print/w cannot assign.")
            evaluated = parsed[module].evaluate(within, lanes)
            data, value_type = evaluated.data, evaluated.type
        except (EvaluationError, LevelZeroError) as error:
            data = (Missing(str(error).removesuffix(".")),) * len(lanes)
        everywhere, local = thread.global_ids(), thread.local_ids()
        found.append(
            ThreadItems(
                thread=thread.id,
                workgroup=thread.workgroup,
                lanes=lanes,
                global_ids=_of_lanes(everywhere, lanes),
                local_ids=_of_lanes(local, lanes),
                type=value_type,
                data=data,
            )
        )
    if not found:
        raise CommandError("No stopped work-item executes this kernel.")
    return ItemTable(found, options)


def _of_lanes(ids: Sequence[Place] | Missing, lanes: Sequence[int]) -> Sequence[Place] | None:
    """Those of ``lanes``; None where ids are not known."""
    if isinstance(ids, Missing):
        return None
    return ids if len(ids) == len(lanes) else [ids[lane] for lane in lanes]


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
    path = Path(name).expanduser()
    if kind == "csv":
        path.write_text(csv_text(items))
    else:
        path.write_bytes(npy_bytes(items))
    return Text(f"Wrote {len(items)} work-items to {path}.")
