"""Zedbg's own requests: lanes, work-items, and all of the threads. docs/editors.md has them."""

from __future__ import annotations

from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import (
    FocusArguments,
    LanesArguments,
    ThreadsPageArguments,
)
from zedbg.frontends.dap.protocol.bodies import (
    FocusBody,
    LaneBody,
    LanesBody,
    ThreadGroupBody,
    ThreadPlaceBody,
    ThreadsPageBody,
)
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.registry import Answer, request
from zedbg.frontends.dap.session.stopped_threads import threads_in_order
from zedbg.frontends.dap.session.thread_numbers import number_of
from zedbg.missing import Missing
from zedbg.values.expressions import api
from zedbg.values.formats.formatting import format_value, type_name
from zedbg.xe.coordinates import lanes_of, parse_threads

_AXES = 3


@request("zedbg/focus")
def focus(adapter: Adapter, arguments: FocusArguments) -> Answer:
    """Shows another lane: frames and variables that are asked for from now on are its. Without
    arguments, what the focus is. RequestError for a lane or thread that there is not."""
    session = adapter.session
    before = session.focus
    if arguments.work_item is not None:
        item = session.find_work_item(_triple(arguments.work_item))
        named: tuple[HardwareThread, int | None] = item.thread, item.lane
    else:
        named = _named(adapter, arguments)
    thread, lane = named
    if lane is not None and not 0 <= lane < thread.simd_width:
        raise RequestError(f"Thread {thread.id} has lanes 0 to {thread.simd_width - 1}.")
    if lane is not None or before is None or thread is not before.thread:
        session.select(thread, lane)
    if session.focus != before:
        adapter.focus_changed()
    return _shown(adapter)


def _triple(parts: list[int]) -> tuple[int, int, int]:
    if not 1 <= len(parts) <= _AXES:
        raise RequestError("A work-item has one to three global ids.")
    x, y, z = (*parts, 0, 0)[:_AXES]
    return x, y, z


def _named(adapter: Adapter, arguments: FocusArguments) -> tuple[HardwareThread, int | None]:
    lane = arguments.lane
    if arguments.thread_id is not None:
        return adapter.thread(arguments.thread_id), lane
    if arguments.thread is None:
        return adapter.session.require_focus().thread, lane
    patterns = parse_threads(arguments.thread)
    if len(patterns) != 1 or not patterns[0].is_single:
        raise RequestError(f'"{arguments.thread}" is not one thread, as in 1.17 or 1.17:3.')
    pattern = patterns[0]
    if pattern.device is None or pattern.thread is None:
        raise RequestError(f'"{arguments.thread}" names no device and thread, as in 1.17.')
    if pattern.lanes:
        lane = lanes_of(pattern.lanes)[0]
    return adapter.session.thread(pattern.device.first, pattern.thread.first), lane


def _shown(adapter: Adapter) -> FocusBody:
    now = adapter.session.require_focus()
    thread = now.thread
    global_ids, local_ids = thread.global_ids(), thread.local_ids()
    return FocusBody(
        thread_id=number_of(thread),
        thread=thread.id,
        name=thread.name,
        lane=now.lane,
        kernel=thread.kernel_name,
        workgroup=list(thread.workgroup),
        global_id=None if isinstance(global_ids, Missing) else list(global_ids[now.lane]),
        local_id=None if isinstance(local_ids, Missing) else list(local_ids[now.lane]),
    )


@request("zedbg/lanes")
def lanes(adapter: Adapter, arguments: LanesArguments) -> Answer:
    """The lanes of a frame's thread, and the value of an expression in each of them."""
    frame = adapter.frame(arguments.frame_id)
    context = frame.context
    active, there = context.active_lanes, lanes_of(context.dispatch_lanes)
    global_ids, local_ids = context.global_ids(), context.local_ids()
    values = None
    if arguments.expression is not None and there:
        values = api.evaluate(arguments.expression, context, there)
    found = []
    for lane in range(context.simd_width):
        is_there = lane in there
        value = values.of(lane) if values is not None and is_there else None
        found.append(
            LaneBody(
                lane=lane,
                active=bool(active >> lane & 1),
                focused=lane == frame.lane,
                global_id=_ids(global_ids, lane) if is_there else None,
                local_id=_ids(local_ids, lane) if is_there else None,
                value=None if value is None or isinstance(value, Missing) else format_value(value),
                missing=value.reason if isinstance(value, Missing) else None,
            )
        )
    kind = None if values is None else type_name(values.type)
    return LanesBody(simd_width=context.simd_width, lanes=found, type=kind)


def _ids(every: list[tuple[int, int, int]] | Missing, lane: int) -> list[int] | None:
    return None if isinstance(every, Missing) else list(every[lane])


@request("zedbg/threads")
def threads(adapter: Adapter, arguments: ThreadsPageArguments) -> Answer:
    """All stopped threads, page by page, and the groups of the stop; RequestError for a group that
    it has not."""
    session = adapter.session
    stop = session.stop
    groups = [] if stop is None else list(stop.groups)
    if arguments.group is None:
        every = threads_in_order(session)
    elif 0 <= arguments.group < len(groups):
        every = [each.thread for each in groups[arguments.group].threads]
    else:
        raise RequestError(f"The stop has {len(groups)} groups.")
    start = max(arguments.start, 0)
    page = every[start : start + max(arguments.count, 0)]
    return ThreadsPageBody(
        groups=[
            ThreadGroupBody(
                reason=group.reason.value,
                workgroup=None if isinstance(group.workgroup, Missing) else list(group.workgroup),
                threads=len(group.threads),
                kernel=group.kernel,
                file=group.location.file,
                line=group.location.line,
                address=f"{group.location.pc:#x}",
                breakpoint_id=group.breakpoint.number if group.breakpoint is not None else None,
            )
            for group in (groups if start == 0 else [])
        ],
        threads=[_place(each) for each in page],
        total_threads=len(every),
    )


def _place(thread: HardwareThread) -> ThreadPlaceBody:
    location = thread.location
    return ThreadPlaceBody(
        id=number_of(thread),
        thread=thread.id,
        name=thread.name,
        lanes=lanes_of(thread.active_lanes),
        workgroup=list(thread.workgroup),
        address=f"{location.pc:#x}",
        kernel=thread.kernel_name,
        file=location.file,
        line=location.line,
    )
