"""From the engine's notifications to the events that front ends show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from zedbg.commands.describe import places
from zedbg.commands.describe.breakpoint_rows import watchpoint_type
from zedbg.commands.describe.display_row import shown_displays
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.events import (
    BreakpointEvent,
    ChangeRow,
    DisplayEvent,
    Event,
    ExitEvent,
    LayoutEvent,
    LogEvent,
    MessageEvent,
    ModuleEvent,
    ProcessEvent,
    StopEvent,
    StopGroupRow,
)
from zedbg.commands.rows.exception_rows import exception_row
from zedbg.commands.rows.stopped_threads import StoppedThreadRow, StoppedThreadRows, Workgroup
from zedbg.engine.breakpoints.breakpoint import BreakpointChanged, BreakpointGone, BreakpointMade
from zedbg.engine.breakpoints.lane_logs import Logged
from zedbg.engine.events import notifications as engine
from zedbg.engine.events.stops import Stop, StopGroup, StoppedThread
from zedbg.engine.ground.notifier import Message, Notification, Severity
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.process.exited import Exited
from zedbg.engine.threads.frames import backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.xe.coordinates import lanes_of

_FAULTS = frozenset(
    {StopReason.PAGE_FAULT, StopReason.ILLEGAL_INSTRUCTION, StopReason.SOFTWARE_EXCEPTION}
)


def events_of(notification: Notification, context: CommandContext) -> Iterator[Event]:
    """The events that report a notification; none for those that front ends do not show."""
    match notification:
        case Message(text, severity):
            yield MessageEvent(text, severity is not Severity.INFORMATION)
        case Logged(number, thread, lanes, global_id, text):
            yield LogEvent(number, thread, lanes, global_id, text)
        case engine.Attached(pid, devices, in_core):
            action = "core" if in_core else "attached"
            yield ProcessEvent(action, pid, tuple(device.name for device in devices))
        case engine.ModuleLoaded(module):
            yield _module("loaded", module)
        case engine.ModuleUnloaded(module):
            yield _module("unloaded", module)
        case BreakpointChanged(breakpoint_, deleted):
            place = breakpoint_.locations[0].code if breakpoint_.locations else None
            note = breakpoint_.note if place is not None and not deleted else ""
            is_said = (breakpoint_.number, note) in context.notes_said
            context.notes_said.add((breakpoint_.number, note))
            yield BreakpointEvent(
                "deleted" if deleted else "changed",
                breakpoint_.number,
                place.file if place else None,
                place.line if place else None,
                "" if is_said else note,
            )
        case engine.Stopped(stop):
            silent, shown = is_silent(stop), stop.focus
            yield replace(stop_event(stop, context), silent=silent)
            focus = context.session.focus
            followed = focus is not None and focus.thread is shown.thread if shown else False
            if followed and not silent:
                yield from map(DisplayEvent, shown_displays(context))
                if context.layout is not None:
                    yield LayoutEvent(context.layout())
            yield from _core_of_fault(stop, context)
        case engine.FocusChanged(lane):
            yield MessageEvent(f"[Switching to SIMD lane {lane}]")
        case engine.ProgramExited(exited):
            yield exit_event(exited)
        case engine.Resumed() | BreakpointMade() | BreakpointGone():
            return


def _core_of_fault(stop: Stop, context: CommandContext) -> Iterator[Event]:
    """Saves a core file of a thread's fault, where the user wants one; says where it is."""
    folder = context.settings.text("core-on-fault")
    process = context.process
    if not folder or stop.reason not in _FAULTS or process is None or not process.can_run:
        return
    from zedbg.commands.describe.saving_cores import core_name, save_core

    path = Path(folder).expanduser() / core_name(context)
    try:
        row = save_core(context, path)
    except UserError as error:
        yield MessageEvent(f"No core file: {error.line}", warning=True)
    else:
        yield MessageEvent(f"Saved corefile {row.path}")


def is_silent(stop: Stop) -> bool:
    """Whether the commands of the breakpoint that was hit begin with ``silent``."""
    hit = stop.breakpoint
    return hit is not None and hit.commands[:1] == ["silent"]


def _module(action: str, module: LoadedModule) -> ModuleEvent:
    return ModuleEvent(
        action,
        module.number,
        module.load,
        tuple(module.kernel_names),
        module.debug_info is not None,
    )


def exit_event(exited: Exited) -> ExitEvent:
    """The end of the process."""
    if exited.signal is not None:
        import signal

        return ExitEvent(128 + exited.signal, signal.Signals(exited.signal).name)
    if exited.code is None:
        return ExitEvent(Missing("only its parent process learns the exit code"))
    return ExitEvent(exited.code)


def stop_event(stop: Stop, context: CommandContext) -> StopEvent:
    """A stop as an event: places that differ only in the work-group are one group."""
    merged = _merge(stop)
    if stop.focus is None or not merged:
        return _threadless_stop(stop, context)
    merged.sort(key=lambda groups: not any(stop.focus in each.threads for each in groups))
    first = merged[0][0]
    context.frame_level = 0
    # In an inlined call, the frame is the called function's, as in a backtrace.
    here = backtrace(stop.focus.thread, 1).frames[0].location
    frame = places.frame_row(context, stop.focus.thread, here)
    moved = context.moved_to(here.function, first.kernel)
    is_short = first.reason is StopReason.STEP and not moved  # as GDB: the line alone
    is_plain = not context.interactive or context.settings.is_on("plain")
    count = 0 if is_short or is_plain else context.settings.number("stop-lines")
    return StopEvent(
        reason=_reason(first),
        breakpoint=first.breakpoint.number if first.breakpoint else None,
        kernel=first.kernel,
        file=places.short_file(first.location.file),
        line=first.location.line,
        pc=first.location.pc,
        threads=_threads(merged[0], stop.focus),
        detail=stop.detail or None,
        others=tuple(_group(groups) for groups in merged[1:]),
        function=here.function,
        changes=_changes(first),
        expression=first.breakpoint.text if first.breakpoint else None,
        watchpoint=_watchpoint(first),
        exception=exception_row(stop),
        frame=frame,
        source=places.source_row(context, stop.focus.thread, first.location),
        around=places.source_around(context, first.location, count) if count else (),
        moved=moved,
        inside_line=first.reason is StopReason.STEP
        and _is_inside_line(stop.focus.thread, first.location),
    )


def _group(groups: list[StopGroup]) -> StopGroupRow:
    first = groups[0]
    return StopGroupRow(
        reason=_reason(first),
        breakpoint=first.breakpoint.number if first.breakpoint else None,
        kernel=first.kernel,
        file=places.short_file(first.location.file),
        line=first.location.line,
        pc=first.location.pc,
        threads=_threads(groups, None),
        changes=_changes(first),
        expression=first.breakpoint.text if first.breakpoint else None,
        watchpoint=_watchpoint(first),
    )


def _changes(group: StopGroup) -> tuple[ChangeRow, ...]:
    return tuple(ChangeRow(each.lane, each.old, each.new) for each in group.changes)


def _watchpoint(group: StopGroup) -> str | None:
    watch = None if group.breakpoint is None else group.breakpoint.watch
    return None if watch is None else watchpoint_type(watch)


def _is_inside_line(thread: HardwareThread, location: CodeLocation) -> bool:
    module = thread.module
    return module is not None and bool(location.line) and not module.starts_statement(location.pc)


def _threadless_stop(stop: Stop, context: CommandContext) -> StopEvent:
    """A stop in which no thread took part: a step to a thread's end, an interrupt of nothing.

    The place is that of the thread that has the focus now, if there is one.
    """
    if stop.focus is None:
        caught, detail = stop.catchpoint, stop.detail
        if caught is None:
            detail = f"{detail} No thread is stopped: nothing runs on a device.".strip()
        return StopEvent(
            reason=stop.reason.value,
            breakpoint=None if caught is None else caught.number,
            kernel=None,
            file=None,
            line=None,
            pc=Missing("no thread is stopped"),
            threads=(),
            detail=detail,
        )
    thread = stop.focus.thread
    location = thread.location
    context.frame_level = 0
    return StopEvent(
        reason=stop.reason.value,
        breakpoint=None,
        kernel=thread.kernel_name,
        file=places.short_file(location.file),
        line=location.line,
        pc=location.pc,
        threads=(),
        detail=f"{stop.detail} Switching to thread {thread.id} ({thread.name}).".strip(),
        others=(),
        function=location.function,
        frame=places.frame_row(context, thread, location),
        source=places.source_row(context, thread, location),
        moved=context.moved_to(location.function, thread.kernel_name),
    )


def _reason(group: StopGroup) -> str:
    if group.reason is StopReason.BREAKPOINT and group.breakpoint and group.breakpoint.temporary:
        return "temporary breakpoint"
    return group.reason.value


def _merge(stop: Stop) -> list[list[StopGroup]]:
    """The groups of each place, which differ in the work-group only."""
    merged: dict[tuple[object, ...], list[StopGroup]] = {}
    for group in stop.groups:
        number = group.breakpoint.number if group.breakpoint else None
        own = group.threads if group.changes else None  # values are each thread's own
        key = (group.reason, number, group.kernel, group.location.pc, own)
        merged.setdefault(key, []).append(group)
    return list(merged.values())


def _threads(groups: list[StopGroup], focus: StoppedThread | None) -> StoppedThreadRows:
    """The focused thread first, then by id."""

    def order(one: StoppedThread) -> tuple[bool, tuple[int, int]]:
        return one is not focus, one.thread.order

    def rows() -> tuple[StoppedThreadRow, ...]:
        every = [(one, group.workgroup) for group in groups for one in group.threads]
        every.sort(key=lambda pair: order(pair[0]))
        return tuple(_thread(*pair) for pair in every)

    # Most groups of a stop of thousands have one thread.
    heads = (
        (min(each.threads, key=order) if len(each.threads) > 1 else each.threads[0], each.workgroup)
        for each in groups
    )
    return StoppedThreadRows(
        sum(len(group.threads) for group in groups),
        _thread(*min(heads, key=lambda pair: order(pair[0]))),
        frozenset(each.workgroup for each in groups if not isinstance(each.workgroup, Missing)),
        rows,
    )


def _thread(one: StoppedThread, workgroup: Workgroup | Missing) -> StoppedThreadRow:
    return StoppedThreadRow(one.thread.id, one.thread.name, workgroup, tuple(lanes_of(one.lanes)))
