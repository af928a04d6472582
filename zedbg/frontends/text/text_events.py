"""Events as text, in the shape of GDB's stop and notification lines."""

from __future__ import annotations

from zedbg.commands.rows.events import (
    BreakpointEvent,
    DisplayEvent,
    Event,
    ExitEvent,
    LayoutEvent,
    LogEvent,
    MessageEvent,
    ModuleEvent,
    OutputEvent,
    ProcessEvent,
    StopEvent,
    StopGroupRow,
)
from zedbg.commands.rows.stopped_threads import StoppedThreadRow, StoppedThreadRows
from zedbg.frontends.text.appearance import short_name
from zedbg.frontends.text.rendering import render, source_place, triple
from zedbg.frontends.text.row_text import frame_text, marked_source
from zedbg.frontends.text.text_breakpoints import WATCHPOINT_NAMES
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.xe.coordinates import format_lanes, mask_of

# Of these the place, and maybe a line more, says enough.
_PLACE_ONLY = ("travel", "no-history", "watchpoint-scope")


def render_event(event: Event) -> list[str]:
    """The lines that show ``event``; none where people need not see it."""
    match event:
        case StopEvent(silent=True):
            return []
        case StopEvent():
            return _stop(event)
        case ExitEvent():
            return [_exit(event)]
        case ModuleEvent():
            return []
        case ProcessEvent(action="attached"):
            return [f"[Attached to process {event.pid}: {', '.join(event.devices)}]"]
        case ProcessEvent(action="core"):
            return [f"[Core of process {event.pid}: {', '.join(event.devices)}]"]
        case ProcessEvent():
            return [f"[{event.action.capitalize()} process {event.pid}]"]
        case BreakpointEvent():
            return [event.text] if event.text else []
        case LayoutEvent():
            return render([event.row])
        case DisplayEvent():
            return render([event.row])
        case LogEvent():
            lanes = format_lanes(mask_of(event.lanes))
            where = f"{event.thread}:{lanes.strip('[]')}" if lanes else event.thread
            item = f" {triple(event.global_id)}" if event.global_id is not None else ""
            return [f"[{where}{item}] {event.text}"]
        case OutputEvent():
            return [event.text.removesuffix("\n")]
        case MessageEvent():
            return [f"warning: {event.text}" if event.warning else event.text]
    return [str(event.to_json())]


def _stop(event: StopEvent) -> list[str]:
    lines = []
    if event.reason == "step":
        # As GDB: a step inside a function shows the source line alone.
        if event.moved and event.frame:
            lines.append(frame_text(event.frame))
    elif event.reason in _PLACE_ONLY and event.frame:
        lines += [event.detail] if event.detail else []
        lines.append(frame_text(event.frame))
    else:
        if threads := event.threads:
            place = f", {frame_text(event.frame)}" if event.frame else ""
            if event.reason == "watchpoint":
                lines += _changes(event, threads.first)
                place = place.removeprefix(", ")
                lines.append(place)
            else:
                lines.append(_headline(event, threads.first) + place + _crowd(threads))
            if event.exception is not None:
                lines.append(f"{event.exception.kind}: {event.exception.text}")
        else:
            if event.breakpoint is not None:
                lines.append(f"Catchpoint {event.breakpoint} ({event.detail})")
            elif event.detail:
                lines.append(f"[{event.detail}]")
            if event.frame:
                lines.append(frame_text(event.frame))
        lines += [_group(group) for group in event.others]
    if event.around and event.source:
        lines += [marked_source(each) for each in event.around]
    elif event.source:
        inside = f"{event.pc:#018x}\t" if event.inside_line and event.reason == "step" else ""
        lines.append(f"{inside}{event.source.line}\t{event.source.text}")
    elif event.frame and event.reason == "step":
        lines = [frame_text(event.frame)]
    return lines


def _changes(event: StopEvent, thread: StoppedThreadRow) -> list[str]:
    """What a watchpoint saw, as GDB says it; lanes that differ have a line each."""
    lines = [
        "",
        _watched(event, thread),
        "",
    ]
    if len({(each.old, each.new) for each in event.changes}) == 1:
        first = event.changes[0]
        if first.old == first.new:
            return [*lines, f"Value = {first.new}"]
        return [*lines, f"Old value = {first.old}", f"New value = {first.new}"]
    return lines + [
        f"lane {each.lane}: old value = {each.old}, new value = {each.new}"
        for each in event.changes
    ]


def _watched(event: StopEvent | StopGroupRow, thread: StoppedThreadRow) -> str:
    kind = WATCHPOINT_NAMES[event.watchpoint or "watchpoint"]
    return f"Thread {thread.id} hit {kind} {event.breakpoint}: {event.expression}, {_with(thread)}"


def _headline(event: StopEvent | StopGroupRow, thread: StoppedThreadRow) -> str:
    name = f"Thread {thread.id}"
    match event.reason:
        case "breakpoint":
            return f"{name} hit Breakpoint {event.breakpoint}, {_with(thread)}"
        case "temporary breakpoint":
            return f"{name} hit Temporary breakpoint {event.breakpoint}, {_with(thread)}"
        case "launch":
            kernel = short_name(demangled(event.kernel or "??"))
            return f"{name} hit Catchpoint {event.breakpoint} (launched {kernel}), {_with(thread)}"
        case "interrupt":
            return f"{name} ({thread.name}) interrupted, {_with(thread)}"
        case _:
            what = f"{event.reason}: {event.detail}" if event.detail else event.reason
            if event.breakpoint is not None:
                return f"{name} hit Catchpoint {event.breakpoint} ({what}), {_with(thread)}"
            return f"{name} received {what}, {_with(thread)}"


def _with(thread: StoppedThreadRow) -> str:
    if not thread.lanes:
        return "with no active lane"
    if len(thread.lanes) == 1:
        return f"with lane {thread.lanes[0]}"
    return f"with lanes {format_lanes(mask_of(thread.lanes))}"


def _crowd(threads: StoppedThreadRows) -> str:
    """How many threads took part: ``  [64 threads, 8 work-groups (0,0,0)-(7,0,0)]``."""
    if len(threads) == 1:
        return ""
    groups = threads.workgroups
    where = ""
    if len(groups) == 1:
        where = f", work-group {triple(min(groups))}"
    elif groups:
        where = f", {len(groups)} work-groups {triple(min(groups))}-{triple(max(groups))}"
    return f"  [{len(threads)} threads{where}]"


def _group(group: StopGroupRow) -> str:
    place = source_place(group.file, group.line) or f"{group.pc:#x}"
    kernel = short_name(demangled(group.kernel or "??"))
    thread = group.threads.first
    if group.reason != "watchpoint":
        return f"{_headline(group, thread)}, {kernel} at {place}{_crowd(group.threads)}"
    values = [
        f"value = {each.new}"
        if each.old == each.new
        else f"old value = {each.old}, new value = {each.new}"
        for each in group.changes
    ]
    return f"{_watched(group, thread)}, {kernel} at {place}: {'; '.join(dict.fromkeys(values))}"


def _exit(event: ExitEvent) -> str:
    if event.signal:
        return f"[Process terminated with signal {event.signal}]"
    if isinstance(event.code, Missing):
        return "[Process exited]"
    if event.code == 0:
        return "[Process exited normally]"
    return f"[Process exited with code {event.code}]"
