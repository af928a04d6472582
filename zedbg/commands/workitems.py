"""Values in every stopped work-item of a kernel: what ``print/w`` shows and writes to files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.context import CommandContext
from zedbg.commands.errors import CommandError, UsageError
from zedbg.commands.evaluation import thread_context
from zedbg.commands.rows import Row, Text, WorkItemRow, WorkItemSummaryRow, to_json
from zedbg.dwarf.types import Type
from zedbg.engine.thread import HardwareThread
from zedbg.levelzero.errors import LevelZeroError
from zedbg.values import api
from zedbg.values.context import Missing
from zedbg.values.errors import EvaluationError
from zedbg.values.export import ExportedItem, csv_text, npy_bytes
from zedbg.values.formatting import FormatOptions, format_value
from zedbg.values.summary import Place, heat_strip, summarize
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

_OPTION = re.compile(r"(?:^|\s)--(csv|npy)\s+(\S+)")


def print_work_items(context: CommandContext, text: str, options: FormatOptions) -> Sequence[Row]:
    """``print/w``: ``text`` in every work-item of the stopped threads of the focused kernel.

    ``--csv FILE`` and ``--npy FILE`` before or behind the expression write files.
    """
    files = dict(_OPTION.findall(text))
    text = _OPTION.sub("", text).strip()
    if not text:
        raise UsageError("print/w needs an expression.")
    items, value_type = _items(context, text, options)
    items.sort(key=_order)
    if value_type is None:
        value = items[0].value
        raise CommandError(value.reason if isinstance(value, Missing) else "No value.")
    written = [_write(kind, name, items, value_type) for kind, name in files.items()]
    limit = context.settings.number("print work-items")
    rows: list[Row] = [
        WorkItemRow(
            item.thread,
            item.lane,
            item.workgroup,
            item.global_id,
            item.local_id,
            to_json(item.value) if isinstance(item.value, Missing) else item.value.plain(),
            item.text,
            not limit or position < limit,
        )
        for position, item in enumerate(items)
    ]
    return [*rows, _summary(context, items), *written]


def _items(
    context: CommandContext, text: str, options: FormatOptions
) -> tuple[list[ExportedItem], Type | None]:
    """The work-items, and the type of the expression, None when it has none in any thread."""
    focused = context.thread
    kernel = focused.location.kernel
    found: list[ExportedItem] = []
    value_type: Type | None = None
    parsed: dict[int, api.Expression] = {}
    for thread in context.session.stopped_threads():
        if thread.location.kernel != kernel:
            continue
        lanes = lanes_of(thread.dispatch_lanes)
        values: Sequence[Value | Missing]
        try:
            within = thread_context(thread, context.frame_level)
            module = id(thread.module)
            if module not in parsed:
                parsed[module] = api.Expression(text, within)
                if parsed[module].assigns:
                    raise UsageError("print/w does not assign.")
            evaluated = parsed[module].evaluate(within, lanes)
            values, value_type = evaluated.values, value_type or evaluated.type
        except (EvaluationError, LevelZeroError) as error:
            values = (Missing(str(error).removesuffix(".")),) * len(lanes)
        found += _of_thread(thread, lanes, values, options)
    if not found:
        raise CommandError("No stopped work-item executes this kernel.")
    return found, value_type


def _of_thread(
    thread: HardwareThread,
    lanes: Sequence[int],
    values: Sequence[Value | Missing],
    options: FormatOptions,
) -> list[ExportedItem]:
    everywhere, local, group = thread.global_ids(), thread.local_ids(), thread.workgroup
    return [
        ExportedItem(
            thread.id,
            lane,
            group,
            None if isinstance(everywhere, Missing) else everywhere[lane],
            None if isinstance(local, Missing) else local[lane],
            value,
            format_value(value, options),
        )
        for lane, value in zip(lanes, values, strict=True)
    ]


def _order(item: ExportedItem) -> tuple[object, ...]:
    """By global id, X fastest; where that is not known by work-group."""
    device, _, number = item.thread.partition(".")
    place = item.global_id or item.workgroup or (0, 0, 0)
    return item.global_id is None, place[::-1], int(device), int(number), item.lane


def _summary(context: CommandContext, items: list[ExportedItem]) -> WorkItemSummaryRow:
    summary = summarize([item.value for item in items])
    group = context.thread.workgroup
    values = {
        item.local_id: item.value
        for item in items
        if item.workgroup == group and item.local_id is not None
    }
    return WorkItemSummaryRow(
        summary.items,
        summary.missing,
        summary.minimum,
        summary.maximum,
        summary.mean,
        summary.nan,
        summary.distinct,
        tuple(heat_strip(values, _shape(context.thread, values))),
        group,
    )


def _shape(thread: HardwareThread, values: dict[Place, Value | Missing]) -> Place:
    """The size of the work-group; where it is not known, what its stopped work-items span."""
    size = thread.work.group_size
    if not isinstance(size, Missing):
        return size
    x, y, z = (max((place[axis] for place in values), default=0) + 1 for axis in range(3))
    return x, y, z


def _write(kind: str, name: str, items: list[ExportedItem], value_type: Type) -> Row:
    path = Path(name).expanduser()
    if kind == "csv":
        path.write_text(csv_text(items))
    else:
        path.write_bytes(npy_bytes(items, value_type))
    return Text(f"Wrote {len(items)} work-items to {path}.")
