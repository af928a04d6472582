"""Commands that choose what others look at: thread, lane, work-item; and list them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.describe.thread_groups import thread_groups, workgroup_rows
from zedbg.commands.framework.command_errors import UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Nothing, Row, Text
from zedbg.commands.rows.session_rows import FocusRow, FrameRow, LaneRow, SourceRow, ThreadRow
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.coordinates import lanes_of, parse_lanes, parse_threads


def focus_row(context: CommandContext) -> FocusRow:
    """The focus as a row."""
    focus = context.focus
    thread = focus.thread
    global_ids, local_ids = thread.global_ids(), thread.local_ids()
    return FocusRow(
        id=thread.id,
        name=thread.name,
        lane=focus.lane,
        kernel=thread.kernel_name,
        workgroup=thread.workgroup,
        global_id=global_ids if isinstance(global_ids, Missing) else global_ids[focus.lane],
        local_id=local_ids if isinstance(local_ids, Missing) else local_ids[focus.lane],
    )


def _where(context: CommandContext) -> list[Row]:
    """The focus and the place that it is at, as after a switch."""
    context.frame_level = 0
    thread = context.thread
    frame: FrameRow = places.frame_row(context, thread, thread.location)
    source: SourceRow | None = places.source_row(context, thread, thread.location)
    return [focus_row(context), frame, *([source] if source else [])]


def _thread_in_python(_context: CommandContext, invocation: Invocation) -> str:
    text = invocation.optional(0) or ""
    match = re.fullmatch(r"(?:(\d+)\.)?(\d+)", text)
    return f'thread = session.thread("{match[1] or 1}.{match[2]}")' if match else ""


def _workitem_in_python(_context: CommandContext, invocation: Invocation) -> str:
    match = re.fullmatch(r"\(?(\d+)((?:[,\s]+\d+)*)\)?", (invocation.optional(0) or "").strip())
    if match is None:
        return ""
    numbers = ", ".join(re.findall(r"\d+", match[0]))
    return f"thread, lane = session.work_item({numbers})"


@builtin.command(
    "thread",
    Category.FOCUS,
    "Show or change the focused thread",
    aliases=("t",),
    arguments=(
        Argument(
            "id", Kind.THREAD, "DEVICE.THREAD or DEVICE.THREAD:LANE", optional=True, rest=True
        ),
    ),
    requires=Requirement.PROCESS,
    example="thread 1.17:3",
    python=_thread_in_python,
)
def thread_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        context.require_stopped_thread()
        return [focus_row(context)]
    patterns = parse_threads(text)
    if len(patterns) != 1 or not patterns[0].is_single:
        raise UsageError(f'"{text}" is not one thread, as in: thread 1.17 or thread 1.17:3')
    pattern, focus = patterns[0], context.session.selected
    if focus is None or not (pattern.device and pattern.thread):
        context.require_stopped_thread()
        focus = context.focus
    device = pattern.device.first if pattern.device else focus.thread.device.number
    number = pattern.thread.first if pattern.thread else focus.thread.number
    lane = lanes_of(pattern.lanes)[0] if pattern.lanes else None
    thread = context.session.thread(device, number)
    if lane is None and thread is focus.thread:
        lane = focus.lane
    context.session.select(thread, lane)
    return _where(context)


@builtin.command(
    "lane",
    Category.FOCUS,
    "Show or change the focused lane",
    arguments=(Argument("lane", Kind.LANE, "lane number", optional=True),),
    requires=Requirement.STOPPED_THREAD,
    example="lane 5",
)
def lane_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        return [focus_row(context)]
    lanes = lanes_of(parse_lanes(text))
    if len(lanes) != 1:
        raise UsageError(f'"{text}" is not one lane.')
    context.session.select(context.thread, lanes[0])
    return _where(context)


@builtin.command(
    "workitem",
    Category.FOCUS,
    "Show the focused work-item, or switch to the one with a global id",
    arguments=(Argument("id", Kind.WORK_ITEM, "global id X[,Y[,Z]]", optional=True, rest=True),),
    requires=Requirement.PROCESS,
    example="workitem 37,0,0",
    python=_workitem_in_python,
)
def workitem_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None or not context.session.non_stop:
        context.require_stopped_thread()
    if text is None:
        return [focus_row(context)]
    parts = re.split(r"[\s,]+", text.strip("() "))
    if len(parts) > 3 or not all(part.isdecimal() for part in parts):
        raise UsageError(f'"{text}" is not a global id, as in: workitem 37,0,0')
    x, y, z = (int(part) for part in (*parts, "0", "0")[:3])
    item = context.session.find_work_item((x, y, z))
    context.session.select(item.thread, item.lane)
    return _where(context)


def _matching(context: CommandContext, text: str | None) -> list[HardwareThread]:
    session = context.session
    threads = session.stopped_threads()
    if session.non_stop:
        threads = sorted(
            {*threads, *session.running_threads()}, key=lambda one: (one.device.number, one.number)
        )
    if text is None:
        return threads
    patterns = parse_threads(text)
    focus = session.focus
    place = (focus.thread.device.number, focus.thread.number) if focus else None
    return [
        thread
        for thread in threads
        if any(each.matches(thread.device.number, thread.number, place) for each in patterns)
    ]


def thread_row(context: CommandContext, thread: HardwareThread) -> ThreadRow:
    """A thread as a row; of one that runs, no more is known."""
    focus = context.session.selected
    focused = focus is not None and focus.thread is thread
    title = context.thread_names.get(thread.order)
    if not thread.is_at_rest:
        runs = Missing("the thread runs, or has ended")
        return ThreadRow(
            id=thread.id,
            name=thread.name,
            state="running",
            kernel=None,
            workgroup=runs,
            lanes=(),
            pc=runs,
            function=None,
            file=None,
            line=None,
            focused=focused,
            focused_lane=None,
            title=title,
        )
    location = thread.location
    return ThreadRow(
        id=thread.id,
        name=thread.name,
        state=thread.state.value,
        kernel=thread.kernel_name,
        workgroup=thread.workgroup,
        lanes=tuple(lanes_of(thread.active_lanes)),
        pc=location.pc,
        function=location.function,
        file=places.short_file(location.file),
        line=location.line,
        focused=focused,
        focused_lane=focus.lane if focus and focused else None,
        title=title,
    )


@builtin.command(
    "info threads",
    Category.STATUS,
    "List the threads that are stopped, with their lanes, work-groups and places",
    arguments=(Argument("ids", Kind.THREAD, "thread list, as in 1.1-8", optional=True, rest=True),),
    requires=Requirement.PROCESS,
    flags="ga",
    example="info threads 1.1-8",
    description="/g folds the threads of one place into one line; so does the shell where there "
    "are more of them than `set threads limit` says. /a lists all, one by one.\n"
    "The program-debug API does not report which threads run and which are idle. "
    "Neither are listed, except threads that were resumed in non-stop mode.",
    python="session.threads",
)
def info_threads_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    threads = _matching(context, invocation.optional(0))
    if not threads:
        return [Nothing("No stopped threads.")]
    limit = context.settings.number("threads limit")
    too_many = bool(limit) and context.interactive and len(threads) > limit
    if "g" in invocation.flags or (too_many and "a" not in invocation.flags):
        hint = "(info threads IDS lists threads of them, info threads/a all)"
        return [*thread_groups(context, threads), *([Text(hint)] if too_many else [])]
    rows: list[Row] = []
    for thread in threads:
        try:
            rows.append(thread_row(context, thread))
        except NoThreadError:
            continue  # it went on by itself meanwhile
    return rows


@builtin.command(
    "info lanes",
    Category.STATUS,
    "List the lanes of the focused thread, with their work-items and where they execute",
    requires=Requirement.STOPPED_THREAD,
    description="Inactive lanes wait where their paths meet again; no register says where that is.",
    python="list({thread}.lanes)",
)
def info_lanes_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    focus = context.focus
    location = focus.thread.location
    file = places.short_file(location.file)
    where = f"{file}:{location.line}" if file else f"in {location.function or location.kernel}"
    rows = []
    for lane in focus.thread.lanes:
        item = lane.work_item
        rows.append(
            LaneRow(
                lane=lane.index,
                active=lane.active,
                dispatched=lane.dispatched,
                global_id=item if isinstance(item, Missing) else item.global_id,
                local_id=item if isinstance(item, Missing) else item.local_id,
                pc=location.pc if lane.active else None,
                place=where if lane.active else None,
                focused=lane.index == focus.lane,
            )
        )
    return rows


@builtin.command(
    "info workgroups",
    Category.STATUS,
    "List the work-groups of the stopped threads, and where their threads are",
    requires=Requirement.PROCESS,
    description="Threads of a work-group that are at different places wait for each other at the "
    "next barrier.",
)
def info_workgroups_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    threads = [each for each in context.session.stopped_threads() if each.is_at_rest]
    return workgroup_rows(context, threads) or [Nothing("No stopped threads.")]
