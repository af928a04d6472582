"""Rows as text, in GDB's shapes: one renderer for each row type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from zedbg.commands.rows import applied_rows, name_rows, session_rows, value_rows
from zedbg.commands.rows import row as row_types
from zedbg.frontends.text import appearance
from zedbg.frontends.text.appearance import Style, short_name, styled
from zedbg.frontends.text.rendering import (
    address_text,
    plain,
    render,
    renders,
    source_place,
    table,
    triple,
)
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.values.typed.homes import MemoryHome
from zedbg.xe.coordinates import format_lanes, mask_of

# Characters of lists of threads.
_MOST_IDS = 24


@renders(row_types.Text)
def _text(rows: list[row_types.Text]) -> Iterator[str]:
    for row in rows:
        yield row.text


@renders(row_types.Nothing)
def _nothing(rows: list[row_types.Nothing]) -> Iterator[str]:
    for row in rows:
        yield row.text


@renders(session_rows.CommandHelp)
def _command_help(rows: list[session_rows.CommandHelp]) -> Iterator[str]:
    for category, members in groupby(rows, key=lambda row: row.category):
        yield f"{category}:"
        for row in members:
            yield f"  {', '.join((row.name, *row.aliases))} -- {row.summary}"


@renders(session_rows.ThreadRow)
def _threads(rows: list[session_rows.ThreadRow]) -> Iterator[str]:
    yield from table(
        ("  Id", "Target Id", "Work-group", "Frame"),
        (
            (("* " if row.focused else "  ") + row.id, _titled(row), "", "(running)")
            if isinstance(row.pc, Missing)
            else (
                ("* " if row.focused else "  ") + row.id + ":" + lanes_with_focus(row),
                _titled(row),
                triple(row.workgroup),
                place(row.pc, row.function or row.kernel, row.file, row.line)
                + ("" if row.state == "stopped" else f" ({row.state})"),
            )
            for row in rows
        ),
    )


def _titled(row: session_rows.ThreadRow) -> str:
    """The thread's place in the hardware, with the name that the user gave it."""
    return row.name if row.title is None else f'{row.name} "{row.title}"'


def lanes_with_focus(row: session_rows.ThreadRow) -> str:
    """The active lanes with a star at the focused one: ``[0-1 *2 3-7]``."""
    return format_lanes(mask_of(row.lanes), row.focused_lane)


def place(pc: int, function: str | None, file: str | None, line: int | None) -> str:
    """``blur () at blur.cl:13``, or with the address where no line is known."""
    where = source_place(file, line)
    if where:
        return f"{short_name(demangled(function or '??'))} at {where}"
    return f"{address_text(pc)} in {short_name(demangled(function or '??'))} ()"


@renders(session_rows.LaneRow)
def _lanes(rows: list[session_rows.LaneRow]) -> Iterator[str]:
    dispatched = mask_of(row.lane for row in rows if row.dispatched)
    active = mask_of(row.lane for row in rows if row.active)
    yield (
        f"dispatched {dispatched:#x} {format_lanes(dispatched)}, "
        f"active {active:#x} {format_lanes(active)}".rstrip()
    )
    yield from table(
        ("  Lane", "State", "Global Id", "Local Id", "Frame"),
        (
            (
                ("* " if row.focused else "  ") + str(row.lane),
                "active" if row.active else "inactive" if row.dispatched else "no work-item",
                triple(row.global_id) if row.dispatched else "",
                triple(row.local_id) if row.dispatched else "",
                "" if row.pc is None else f"{address_text(row.pc)} {row.place}",
            )
            for row in rows
        ),
    )


@renders(session_rows.ThreadGroupRow)
def _thread_groups(rows: list[session_rows.ThreadGroupRow]) -> Iterator[str]:
    yield from table(
        ("  Threads", "Ids", "Lanes", "Work-groups", "Frame"),
        (
            (
                ("* " if row.focused else "  ") + str(row.count),
                _first_ids(row.ids),
                str(row.lanes) if row.lanes is not None else "",
                span(row.workgroups),
                "(running)"
                if isinstance(row.pc, Missing)
                else place(row.pc, row.function or row.kernel, row.file, row.line)
                + ("" if row.state == "stopped" else f" ({row.state})"),
            )
            for row in rows
        ),
    )


def _first_ids(ids: tuple[str, ...]) -> str:
    """Ranges of threads, as many as fit beside the rest."""
    shown = ""
    for position, each in enumerate(ids):
        longer = f"{shown},{each}" if shown else each
        if shown and len(longer) > _MOST_IDS:
            return f"{shown},... ({len(ids) - position} more ranges)"
        shown = longer
    return shown


def span(workgroups: session_rows.WorkgroupSpan | None) -> str:
    """``1024, (0,0,0)-(31,31,0)``: how many work-groups, the first and the last."""
    if workgroups is None:
        return ""
    if workgroups.count == 1:
        return triple(workgroups.first)
    return f"{workgroups.count}, {triple(workgroups.first)}-{triple(workgroups.last)}"


@renders(session_rows.WorkgroupRow)
def _workgroups(rows: list[session_rows.WorkgroupRow]) -> Iterator[str]:
    yield from table(
        ("  Work-group", "Kernel", "Threads", "Lanes", "Ids", "Where"),
        (
            (
                ("* " if row.focused else "  ") + triple(row.workgroup),
                short_name(demangled(row.kernel or "??")),
                f"{row.stopped} of {row.threads}" if row.threads else str(row.stopped),
                str(row.lanes),
                _first_ids(row.ids),
                ", ".join(row.places),
            )
            for row in rows
        ),
    )


@renders(value_rows.RegisterRow)
def _registers(rows: list[value_rows.RegisterRow]) -> Iterator[str]:
    for row in rows:
        if isinstance(row.value, int):
            shown = f"{row.value:#x}".ljust(19) + str(row.value)
        elif isinstance(row.value, float):
            shown = f"{row.value:.9g}"
        elif isinstance(row.value, tuple):
            shown = "{" + ", ".join(map(_element, row.value)) + "}"
        else:
            shown = plain(row.value)
        mark = "*" if row.changed and appearance.current.columns else " "
        shown = styled(Style.CHANGED, shown) if row.changed else shown
        yield f"{row.register:<13}{mark} {shown}" + (f"  [ {row.note} ]" if row.note else "")
        if row.fields:
            meaning = ", ".join(f"{name} {plain(value)}" for name, value in row.fields.items())
            yield f"{'':<14} ({meaning})"


def _element(value: int | float) -> str:
    return f"{value:#x}" if isinstance(value, int) else f"{value:.9g}"


@renders(value_rows.VariableRow)
def _variables(rows: list[value_rows.VariableRow]) -> Iterator[str]:
    for row in rows:
        text = styled(Style.CHANGED, row.text) if row.changed else row.text
        yield f"{styled(Style.VARIABLE, row.name)} = {text}"


@renders(value_rows.ArgumentRow)
def _arguments(rows: list[value_rows.ArgumentRow]) -> Iterator[str]:
    for row in rows:
        name = row.name or f"arg{row.index}"
        is_address = row.kind != "value" and isinstance(row.value, int)
        value = f"{row.value:#x}" if is_address else plain(row.value)
        details = [row.type or row.kind, f"{row.size} bytes"]
        if row.source_index is not None and row.source_index != row.index:
            details.append(f"argument {row.source_index} of the source")
        yield f"{name} = {value} ({', '.join(details)})"


@renders(value_rows.ValueRow)
def _values(rows: list[value_rows.ValueRow]) -> Iterator[str]:
    for row in rows:
        yield f"${row.history} = {row.text}" if row.history is not None else row.text


@renders(value_rows.LaneValueRow)
def _lane_values(rows: list[value_rows.LaneValueRow]) -> Iterator[str]:
    yield from table(
        ("Lane", "Global Id", "Value"),
        ((str(row.lane), triple(row.global_id), row.text) for row in rows),
    )


@renders(value_rows.MemoryRow)
def _memory(rows: list[value_rows.MemoryRow]) -> Iterator[str]:
    for row in rows:
        symbol = f" {row.symbol}" if row.symbol else ""
        yield f"{MemoryHome(row.space, row.address).text}{symbol}:\t{row.text}"


@renders(session_rows.FrameRow)
def _frames(rows: list[session_rows.FrameRow]) -> Iterator[str]:
    for row in rows:
        yield f"#{row.level:<2} {frame_text(row)}"


def frame_text(row: session_rows.FrameRow) -> str:
    """``blur (n=64) at blur.cl:13``; with the address first where it is not a line's start."""
    name = short_name(demangled(row.function or row.kernel or "??"))
    where = source_place(row.file, row.line)
    if where:
        return f"{name} ({row.arguments}) at {where}"
    return f"{address_text(row.pc)} in {name} ({row.arguments})"


@renders(session_rows.SourceRow)
def _source(rows: list[session_rows.SourceRow]) -> Iterator[str]:
    for row in rows:
        text = f"{row.line}\t{row.text}"
        yield styled(Style.CURRENT, text) if row.current else text


def marked_source(row: session_rows.SourceRow) -> str:
    """A line of source among others, with a mark at the current one."""
    text = f"{'=>' if row.current else '  '} {row.line}\t{row.text}"
    return styled(Style.CURRENT, text) if row.current else text


@renders(session_rows.FocusRow)
def _focus(rows: list[session_rows.FocusRow]) -> Iterator[str]:
    for row in rows:
        lane = "" if row.lane is None else f" lane {row.lane}"
        short = row.id if row.lane is None else f"{row.id}:{row.lane}"
        parts = [f"[Current thread is {short} ({row.name}{lane})"]
        if row.kernel:
            parts.append(f"kernel {short_name(demangled(row.kernel))}")
        if not isinstance(row.workgroup, Missing):
            parts.append(f"work-group {triple(row.workgroup)}")
        if row.global_id is not None and not isinstance(row.global_id, Missing):
            parts.append(f"work-item {triple(row.global_id)}")
        yield ", ".join(parts) + "]"


@renders(session_rows.ExceptionKindRow)
def _exception_kinds(rows: list[session_rows.ExceptionKindRow]) -> Iterator[str]:
    answers = {True: "Yes", False: "No"}
    yield from table(
        ("Exception", "Stop", "Pass to program", "Description"),
        ((row.name, answers[row.stops], answers[row.passed], row.summary) for row in rows),
    )


@renders(session_rows.SettingRow)
def _settings(rows: list[session_rows.SettingRow]) -> Iterator[str]:
    for row in rows:
        yield f"{row.name} is {row.value}.  ({row.summary})"


@renders(session_rows.PluginRow)
def _plugins(rows: list[session_rows.PluginRow]) -> Iterator[str]:
    for row in rows:
        yield f"{row.name}: {row.state}, {row.origin}"
        if row.adds:
            yield f"  {', '.join(row.adds)}"
        if row.fault:
            yield f"  {row.fault}"


@renders(applied_rows.AppliedThread, one_by_one=True)
def _applied_threads(rows: list[applied_rows.AppliedThread]) -> Iterator[str]:
    for row in rows:
        title = f' "{row.title}"' if row.title else ""
        yield ""
        yield f"Thread {row.id} ({row.name}{title}):"
        yield from render(row.rows)


@renders(applied_rows.AppliedFrame, one_by_one=True)
def _applied_frames(rows: list[applied_rows.AppliedFrame]) -> Iterator[str]:
    for row in rows:
        yield from render([row.frame])
        yield from render(row.rows)


@renders(applied_rows.FullFrame, one_by_one=True)
def _full_frames(rows: list[applied_rows.FullFrame]) -> Iterator[str]:
    for row in rows:
        yield from render([row.frame])
        yield from (f"        {line}" for line in render(row.variables) or ["No locals."])


@renders(name_rows.NameRow)
def _names(rows: list[name_rows.NameRow]) -> Iterator[str]:
    for file, members in groupby(rows, key=lambda row: row.file):
        yield f"File {file}:" if file else "Without debug information:"
        for row in members:
            address = "" if row.address is None else f"{row.address:#018x}  "
            yield f"{row.line}:\t{row.declaration}" if row.declaration else f"{address}{row.name}"
