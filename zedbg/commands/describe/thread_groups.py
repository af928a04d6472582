"""Many threads in few rows: those at one place, those of one work-group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from zedbg.commands.describe import places
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.session_rows import ThreadGroupRow, WorkgroupRow, WorkgroupSpan
from zedbg.engine.threads.registers_together import read_headers, read_together
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.registers import RegisterKind

_READ = (RegisterKind.CR, RegisterKind.SBA, RegisterKind.SR, RegisterKind.CE)


def thread_groups(
    context: CommandContext, threads: Sequence[HardwareThread]
) -> list[ThreadGroupRow]:
    """``threads`` by kernel, place and state; the largest group first, the running ones last."""
    _read(threads)
    at_rest = [thread for thread in threads if thread.is_at_rest]
    groups: dict[tuple[object, ...], list[HardwareThread]] = {}
    for thread in at_rest:
        key = thread.device.number, thread.kernel_name, thread.pc, thread.state
        groups.setdefault(key, []).append(thread)
    rows = [_group(context, group) for group in groups.values()]
    rows.sort(key=lambda row: -row.count)
    running = [thread for thread in threads if not thread.is_at_rest]
    return [*rows, *([_running(context, running)] if running else [])]


def workgroup_rows(
    context: CommandContext, threads: Sequence[HardwareThread]
) -> list[WorkgroupRow]:
    """The work-groups of stopped ``threads``, by kernel and group id."""
    _read(threads)
    groups: dict[tuple[int, str, tuple[int, int, int]], list[HardwareThread]] = {}
    for thread in threads:
        key = thread.device.number, thread.kernel_name or "", thread.workgroup
        groups.setdefault(key, []).append(thread)
    focus = context.session.focus
    rows = []
    for (_, kernel, group), members in sorted(groups.items()):
        counted = Counter(_place(thread) for thread in members)
        rows.append(
            WorkgroupRow(
                workgroup=group,
                kernel=kernel or None,
                stopped=len(members),
                threads=members[0].header.threads_in_group or None,
                lanes=sum(thread.active_lanes.bit_count() for thread in members),
                ids=id_ranges(members),
                places=tuple(f"{place} ({count})" for place, count in counted.most_common()),
                focused=focus is not None and focus.thread in members,
            )
        )
    return rows


def id_ranges(threads: Iterable[HardwareThread]) -> tuple[str, ...]:
    """``1.1-8``, ``1.10``: the ids of threads, as thread lists are written."""
    ranges: list[tuple[int, int, int]] = []
    for device, number in sorted(thread.order for thread in threads):
        if ranges and ranges[-1][0] == device and ranges[-1][2] == number - 1:
            ranges[-1] = device, ranges[-1][1], number
        else:
            ranges.append((device, number, number))
    return tuple(
        f"{device}.{first}" if first == last else f"{device}.{first}-{last}"
        for device, first, last in ranges
    )


def _read(threads: Sequence[HardwareThread]) -> None:
    """What the rows need, with one call for all threads of a device."""
    for device in {thread.device: None for thread in threads}:
        of_device = [each for each in threads if each.device is device and each.is_at_rest]
        read_together(device, of_device, *_READ)
        read_headers(device, of_device)


def _group(context: CommandContext, threads: list[HardwareThread]) -> ThreadGroupRow:
    first, focus = threads[0], context.session.focus
    location = first.location
    return ThreadGroupRow(
        count=len(threads),
        ids=id_ranges(threads),
        state=first.state.value,
        kernel=first.kernel_name,
        lanes=sum(thread.active_lanes.bit_count() for thread in threads),
        workgroups=WorkgroupSpan.of({thread.workgroup for thread in threads}),
        pc=location.pc,
        function=location.function,
        file=places.short_file(location.file),
        line=location.line,
        focused=focus is not None and focus.thread in threads,
    )


def _running(context: CommandContext, threads: list[HardwareThread]) -> ThreadGroupRow:
    selected = context.session.selected
    return ThreadGroupRow(
        count=len(threads),
        ids=id_ranges(threads),
        state="running",
        kernel=None,
        lanes=None,
        workgroups=None,
        pc=Missing("the threads run, or have ended"),
        function=None,
        file=None,
        line=None,
        focused=selected is not None and selected.thread in threads,
    )


def _place(thread: HardwareThread) -> str:
    location = thread.location
    file = places.short_file(location.file)
    return f"{file}:{location.line}" if file else f"{location.pc:#x}"
