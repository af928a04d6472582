"""Data breakpoints: stops where memory changes, is read, or any of both."""

from __future__ import annotations

import re

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.watch import WatchAccess
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.frame_contexts import thread_context
from zedbg.frontends.dap.protocol.arguments import (
    DataBreakpoint,
    DataBreakpointInfoArguments,
    SetDataBreakpointsArguments,
)
from zedbg.frontends.dap.protocol.bodies import BreakpointsBody, DataBreakpointInfoBody
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.breakpoint_lists import parsed_hits
from zedbg.frontends.dap.session.containers import Container
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.memory_references import parse_reference
from zedbg.frontends.dap.session.registry import Answer, Needs, request
from zedbg.frontends.dap.session.shown_breakpoints import shown_breakpoint
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import MemoryHome

# Device, thread, lane, frame, and what is watched there.
_DATA = re.compile(r"(\d+)\.(\d+):(\d+) #(\d+) (.+)", re.DOTALL)
_WORD = 4
_ACCESS = {
    "write": WatchAccess.WRITE,
    "read": WatchAccess.READ,
    "readWrite": WatchAccess.ACCESS,
}


@request("dataBreakpointInfo", supports_data_breakpoints=True, supports_data_breakpoint_bytes=True)
def data_breakpoint_info(adapter: Adapter, arguments: DataBreakpointInfoArguments) -> Answer:
    """Whether a value can be watched: one in memory can, in the lane that it is seen in."""
    try:
        frame, expression = _watched(adapter, arguments)
        value = frame.evaluate(expression)
    except (EvaluationError, RequestError) as error:
        return DataBreakpointInfoBody(data_id=None, description=error.line)
    if isinstance(value, Missing):
        return DataBreakpointInfoBody(data_id=None, description=value.reason)
    if not isinstance(value.home, MemoryHome):
        return DataBreakpointInfoBody(
            data_id=None, description=f"{expression} is in registers: use watch in the console"
        )
    thread, lane = frame.thread, frame.lane
    return DataBreakpointInfoBody(
        data_id=f"{thread.id}:{lane} #{frame.frame.level} {expression}",
        description=f"{expression} in lane {lane} of thread {thread.id}",
        access_types=["write"] if thread.device.debug.watches is None else list(_ACCESS),
        can_persist=False,
    )


def _watched(
    adapter: Adapter, arguments: DataBreakpointInfoArguments
) -> tuple[FrameReference, str]:
    if arguments.as_address:
        frame = adapter.frame_or_focus(arguments.frame_id)
        place = parse_reference(adapter.session, arguments.name)
        size = arguments.bytes or _WORD
        return frame, f"*(unsigned char (*)[{size}]){place.address:#x}"
    if not arguments.variables_reference:
        return adapter.frame_or_focus(arguments.frame_id), arguments.name
    container = adapter.references.get(arguments.variables_reference, Container)  # type: ignore[type-abstract]
    expression = container.expression(arguments.name)
    if expression is None:
        raise RequestError(f"{arguments.name} cannot be watched.")
    return container.frame, expression


@request("setDataBreakpoints", Needs.SESSION)
def set_data_breakpoints(adapter: Adapter, arguments: SetDataBreakpointsArguments) -> Answer:
    """Watches values of stopped threads. A thread's end ends the watch where the driver
    cannot watch memory."""
    with adapter.session.condition:
        found: list[Breakpoint | UserError] = []
        known = adapter.watched
        adapter.watched = {}
        for asked in arguments.breakpoints:
            key = asked.data_id, asked.access_type, asked.condition, asked.hit_condition
            try:
                same = known.get(key)
                is_there = any(each is same for each in adapter.session.breakpoints)
                one = same if same is not None and is_there else _watch(adapter, asked)
            except UserError as error:
                found.append(error)
            else:
                adapter.watched[key] = one
                found.append(one)
        adapter.breakpoints.adopt("data", found)
        return BreakpointsBody(breakpoints=[shown_breakpoint(adapter, each) for each in found])


def _watch(adapter: Adapter, asked: DataBreakpoint) -> Breakpoint:
    access = _ACCESS.get(asked.access_type or "write")
    if access is None:
        raise RequestError(f'"{asked.access_type}" is no access: write, read or readWrite.')
    match = _DATA.fullmatch(asked.data_id)
    if match is None:
        raise RequestError(f'"{asked.data_id}" is no data id: ask dataBreakpointInfo for one.')
    adapter.require_stopped()
    hits = parsed_hits(asked.hit_condition)
    thread = adapter.session.thread(int(match[1]), int(match[2]))
    breakpoint_ = adapter.session.breakpoints.watch(
        match[5],
        Focus(thread, int(match[3])),
        location=True,
        access=access,
        condition=asked.condition or None,
        within=thread_context(thread, int(match[4])),
    )
    breakpoint_.hit_condition = hits
    return breakpoint_
