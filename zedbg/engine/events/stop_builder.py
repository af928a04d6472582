"""From threads that reported a stop to one Stop object."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import LaunchSpec
from zedbg.engine.breakpoints.breakpoint_table import BreakpointTable
from zedbg.engine.breakpoints.watch import Change, Watch
from zedbg.engine.events.stops import Stop, StopGroup, StoppedThread
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.threads.registers_together import read_headers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.levelzero.device_time import HitKind, TimeHit
from zedbg.levelzero.device_watches import WatchHit
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.registers import ExceptionReason, RegisterKind

_REASONS = {
    ExceptionReason.PAGE_FAULT: StopReason.PAGE_FAULT,
    ExceptionReason.ILLEGAL_OPCODE: StopReason.ILLEGAL_INSTRUCTION,
    ExceptionReason.SOFTWARE_EXCEPTION: StopReason.SOFTWARE_EXCEPTION,
}


# What every thread of a stop is asked for.
STOP_REGISTERS = (RegisterKind.CR, RegisterKind.SBA, RegisterKind.SR, RegisterKind.CE)

WorkGroup = tuple[int, int, int] | Missing

OUT_OF_SCOPE = "the program has left the block in which its expression is valid"


class Hit(NamedTuple):
    """A thread that stopped for a reason that the user wants to see."""

    thread: HardwareThread
    reason: StopReason
    lanes: int
    breakpoint: Breakpoint | None = None
    changes: tuple[Change, ...] = ()


def judge(thread: HardwareThread, breakpoints: BreakpointTable) -> list[Hit]:
    """Why ``thread`` stopped; nothing when it should go on as if nothing had been.

    That is so for a breakpoint whose condition is false, that is for another thread, or that was
    taken out meanwhile, and for a breakpoint exception without a breakpoint, which Xe-HPG and
    Xe-HPC raise now and then (erratum 18020355813).
    """
    reason = thread.control.reason
    if reason is ExceptionReason.BREAKPOINT:
        hits = place_hits(thread, breakpoints)
        if hits:
            return hits
        code = thread.device.code
        pc = thread.pc
        if not code.has_breakpoint(pc) and code.traps(pc):
            return [Hit(thread, StopReason.PROGRAM_BREAKPOINT, thread.active_lanes)]
    elif reason in _REASONS:
        return [_exception_hit(thread, _REASONS[reason], breakpoints)]
    if thread.interrupt_wanted:
        return [Hit(thread, StopReason.INTERRUPT, thread.active_lanes)]
    return []


def place_hits(thread: HardwareThread, breakpoints: BreakpointTable) -> list[Hit]:
    """What watchpoints make of the instruction before the thread's pc, or breakpoints of the pc. A
    thread that was stopped for a watch comes to a breakpoint there when it goes on."""
    found: list[Hit] = []
    seen = _seen_by_driver(thread, breakpoints)
    for watchpoint in breakpoints.armed(thread.device) if seen else ():
        watch = watchpoint.watch
        assert watch is not None
        hits = [each.hit for each in seen if each.number in watch.armed]
        hit = _watched(watchpoint, watch, thread, hits, breakpoints) if hits else None
        if hit is not None:
            found.append(hit)
    if found:
        thread.mark_stopped(ThreadState.HALTED)
        # That scopes have ended with it is said of each.
        return [each for each in found if each.changes] or found[:1]
    at_pc = breakpoint_hit(thread, breakpoints)
    return [] if at_pc is None else [at_pc]


def _watched(
    watchpoint: Breakpoint,
    watch: Watch,
    thread: HardwareThread,
    hits: Sequence[TimeHit],
    breakpoints: BreakpointTable,
) -> Hit | None:
    """What ``watchpoint`` makes of the last instruction of ``thread``, of which ``hits`` are."""
    changes = watch.seen(thread, hits)
    is_own = thread is watch.thread and not watch.sample.is_fixed
    hit = None
    if changes:
        hit = watchpoint_hit(watchpoint, thread, changes, None if is_own else hits[0].lanes)
    if is_own:
        is_over = any(each.kind & HitKind.ENDS for each in hits) or watch.sample.is_over(thread)
        if is_over:
            breakpoints.delete_watchpoint(watchpoint, OUT_OF_SCOPE)
            return hit or Hit(thread, StopReason.WATCHPOINT_SCOPE, thread.active_lanes)
        breakpoints.driver_watches.follow(watch)
    elif not changes and not watch.sample.is_fixed:
        breakpoints.driver_watches.look_soon(watch)
    return hit


def _seen_by_driver(thread: HardwareThread, breakpoints: BreakpointTable) -> list[WatchHit]:
    """What the driver says that ``thread`` did to what it watches."""
    if not breakpoints.armed(thread.device):
        return []
    calls = thread.device.debug.watches
    return [] if calls is None else calls.hits(thread.place.fields)


def watchpoint_hit(
    watchpoint: Breakpoint,
    thread: HardwareThread,
    changes: Sequence[Change],
    lanes: int | None = None,
) -> Hit | None:
    """What ``watchpoint`` makes of ``changes`` that ``thread`` made, and has just been stopped
    after; None when it lets them pass. Counts a hit. ``lanes``: those that made them together;
    None: each change is its lane's."""
    acting = sum(1 << change.lane for change in changes) if lanes is None else lanes
    if watchpoint.condition is not None:
        acting &= watchpoint.condition.lanes(thread, acting)
    if lanes is None:
        changes = [change for change in changes if acting >> change.lane & 1]
    if not acting or not changes:
        return None
    watchpoint.hits += 1
    if watchpoint.is_ignored():
        return None
    watchpoint.met = True
    return Hit(thread, StopReason.WATCHPOINT, acting, watchpoint, tuple(changes))


def breakpoint_hit(thread: HardwareThread, breakpoints: BreakpointTable) -> Hit | None:
    """The breakpoints at the thread's pc, asked each; the first one that is hit."""
    first: Hit | None = None
    for candidate in breakpoints.at(thread.device, thread.pc):
        lanes = breakpoints.hit_lanes(candidate, thread)
        if lanes and first is None:
            launch = isinstance(candidate.spec, LaunchSpec)
            reason = StopReason.LAUNCH if launch else StopReason.BREAKPOINT
            first = Hit(thread, reason, lanes, candidate)
    return first


def _exception_hit(thread: HardwareThread, reason: StopReason, breakpoints: BreakpointTable) -> Hit:
    """An exception always stops; the first catchpoint for it that is hit is named."""
    hit = [each for each in breakpoints.catching(reason) if breakpoints.hit_lanes(each, thread)]
    return Hit(thread, reason, thread.active_lanes, hit[0] if hit else None)


def build_stop(
    hits: list[Hit], focus: StoppedThread | None, fault_address: int | None = None
) -> Stop:
    """One stop out of ``hits``, grouped by reason, breakpoint, place and work-group.

    ``focus`` is what the user looked at before: kept if it is among the hits, with its lane if
    that hit too; otherwise the first thread's lowest lane.
    """
    for device in {hit.thread.device: None for hit in hits}:
        threads = [hit.thread for hit in hits if hit.thread.device is device]
        read_headers(device, threads)
    groups: dict[tuple[object, ...], tuple[WorkGroup, list[Hit]]] = {}
    # What watchpoints saw comes in the order of time, and is each thread's own.
    are_watched = all(hit.reason is StopReason.WATCHPOINT for hit in hits)
    for hit in hits if are_watched else sorted(hits, key=attrgetter("thread.order")):
        thread = hit.thread
        number = hit.breakpoint.number if hit.breakpoint else None
        own = thread if hit.changes else None
        workgroup = _workgroup(thread)
        key = hit.reason, number, thread.device.number, thread.pc, workgroup, own
        if key not in groups:
            groups[key] = workgroup, []
        groups[key][1].append(hit)
    made = tuple(_group(*each) for each in groups.values())
    if not made:
        return Stop(StopReason.INTERRUPT, fault_address=fault_address)
    chosen = made[0].threads[0]
    reason = made[0].reason
    for group in reversed(made):  # of several for one thread, the first
        for stopped in group.threads:
            if focus is not None and stopped.thread is focus.thread:
                chosen, reason = stopped, group.reason
    return Stop(reason, made, chosen, fault_address=fault_address)


def _group(workgroup: WorkGroup, hits: list[Hit]) -> StopGroup:
    first = hits[0]
    return StopGroup(
        reason=first.reason,
        breakpoint=first.breakpoint,
        kernel=_kernel_name(first.thread),
        location=first.thread.location,
        workgroup=workgroup,
        threads=tuple(StoppedThread(hit.thread, hit.lanes) for hit in hits),
        changes=first.changes,
    )


def _kernel_name(thread: HardwareThread) -> str | None:
    try:
        return thread.kernel_name
    except LevelZeroError:  # where a function was called cannot be read
        return None


def _workgroup(thread: HardwareThread) -> WorkGroup:
    try:
        return thread.workgroup
    except (LevelZeroError, ValueError) as error:
        return Missing(str(error))
