"""A stop as it is reported to the client."""

from __future__ import annotations

from zedbg.commands.rows.exception_rows import exception_row
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.frontends.dap.protocol.events import StoppedEvent
from zedbg.frontends.dap.session.breakpoint_lists import BreakpointLists
from zedbg.frontends.dap.session.thread_numbers import PROGRAM, number_of
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.xe.coordinates import format_lanes

#: The exceptions of threads: those for which clients ask for more.
EXCEPTIONS = (
    StopReason.PAGE_FAULT,
    StopReason.ILLEGAL_INSTRUCTION,
    StopReason.SOFTWARE_EXCEPTION,
)
_REASONS = {
    StopReason.STEP: "step",
    StopReason.THREAD_ENDED: "step",
    StopReason.INTERRUPT: "pause",
    StopReason.TRAVEL: "goto",
    StopReason.NO_HISTORY: "pause",
    StopReason.PROGRAM_BREAKPOINT: "breakpoint",
    StopReason.WATCHPOINT: "data breakpoint",
    StopReason.WATCHPOINT_SCOPE: "step",
    StopReason.LAUNCH: "launch",
    StopReason.MODULE_LOAD: "module load",
    StopReason.MODULE_UNLOAD: "module unload",
} | dict.fromkeys(EXCEPTIONS, "exception")
_KINDS = {"function": "function breakpoint", "instruction": "instruction breakpoint"}


def stopped_event(
    stop: Stop, lists: BreakpointLists, entry: Breakpoint | None = None
) -> StoppedEvent:
    """One event for all of ``stop``; ``entry`` is the breakpoint that the client did not ask for,
    at the beginning of the program."""
    hit = stop.breakpoint
    reason = _REASONS.get(stop.reason, "breakpoint")
    if hit is not None and hit is entry:
        reason = "entry"
    elif stop.reason is StopReason.BREAKPOINT and hit is not None:
        kind = lists.kind_of(hit)
        reason = _KINDS.get(kind, "breakpoint") if isinstance(kind, str) else "breakpoint"
    hits = [each.number for each in stop.breakpoints if each is not entry]
    return StoppedEvent(
        reason=reason,
        description=_description(stop, reason),
        thread_id=PROGRAM if stop.focus is None else number_of(stop.focus.thread),
        text=_text(stop) or None,
        all_threads_stopped=True,
        hit_breakpoint_ids=hits or None,
    )


def _description(stop: Stop, reason: str) -> str:
    """The line over a list of threads: why, which lanes, and how many threads in all."""
    if stop.focus is None:
        return stop.detail or "Paused; no thread of a device is stopped"
    what = reason.capitalize()
    if stop.reason in EXCEPTIONS:
        what = stop.reason.value.replace("-", " ").capitalize()
    elif stop.reason is StopReason.LAUNCH and stop.group is not None:
        what = f"Launched {demangled(stop.group.kernel or '??')}"
    elif stop.breakpoint is not None and reason != "entry":
        what = f"{what} {stop.breakpoint.number}"
    parts = [what]
    if stop.focus.lanes:
        lanes = format_lanes(stop.focus.lanes).strip("[]")
        parts.append(f"lane{'s' if stop.focus.lanes & stop.focus.lanes - 1 else ''} {lanes}")
    count = len(stop.threads)
    if count > 1:
        groups = {group.workgroup for group in stop.groups}
        known = [each for each in groups if not isinstance(each, Missing)]
        several = f" in {len(known)} work-groups" if len(known) > 1 else ""
        parts.append(f"{count} threads{several}")
    return ", ".join(parts)


def _text(stop: Stop) -> str:
    """What an exception was, what a watchpoint saw, or one line more."""
    if stop.reason in EXCEPTIONS:
        row = exception_row(stop)
        return "" if row is None else row.text
    if stop.group is not None and stop.group.changes:
        first = stop.group.changes[0]
        values = [first.new] if first.old == first.new else [first.old, first.new]
        return f"lane {first.lane}: {' -> '.join(values)}"
    return stop.detail
