"""The breakpoints of a session: numbered, resolved in every module, inserted while enabled."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Unpack

from zedbg.dwarf import DebugInfoError
from zedbg.engine.breakpoints.breakpoint import (
    Breakpoint,
    BreakpointChanged,
    BreakpointGone,
    BreakpointLocation,
    BreakpointMade,
    BreakpointOptions,
    Disposition,
)
from zedbg.engine.breakpoints.breakpoint_specs import (
    BreakpointSpec,
    CodeSpec,
    ExceptionSpec,
    LaunchSpec,
    ModuleChange,
    ModuleSpec,
    WatchSpec,
)
from zedbg.engine.breakpoints.conditions import Condition
from zedbg.engine.breakpoints.driver_watches import DriverWatches
from zedbg.engine.breakpoints.expression_sample import ExpressionSample
from zedbg.engine.breakpoints.lane_logs import DynamicPrintf, LaneLog, Logpoint
from zedbg.engine.breakpoints.never_hit import RunHistory
from zedbg.engine.breakpoints.watch import Actor, LocationSample, Sample, Watch, WatchAccess
from zedbg.engine.engine_errors import BreakpointError, ConditionError
from zedbg.engine.ground.notifier import Message, Notifier, Severity
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.ground.variables import Variables
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import (
    AddressSpec,
    EntrySpec,
    FunctionSpec,
    KernelSpec,
    LineSpec,
    parse_spec,
)
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.threads.context import ThreadContext


class BreakpointTable:
    """All calls are made with the session's lock held."""

    def __init__(self, debuggee: Debuggee, notifier: Notifier, variables: Variables) -> None:
        self._debuggee = debuggee
        self._notifier = notifier
        self._variables = variables
        self._breakpoints: dict[int, Breakpoint] = {}
        self._next_number = 1
        self._found: dict[tuple[DeviceContents, int], list[Breakpoint]] | None = None
        self.history = RunHistory()
        #: What drivers watch for watchpoints.
        self.driver_watches = DriverWatches(debuggee, self._warn)

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(list(self._breakpoints.values()))

    def __len__(self) -> int:
        return len(self._breakpoints)

    def get(self, number: int) -> Breakpoint:
        """Breakpoint ``number``; BreakpointError when there is none."""
        found = self._breakpoints.get(number)
        if found is None:
            raise BreakpointError(f"No breakpoint number {number}.")
        return found

    def add(
        self, text: str, *, temporary: bool = False, **options: Unpack[BreakpointOptions]
    ) -> Breakpoint:
        """A new breakpoint, resolved in what is loaded; BreakpointError when ``text`` is none."""
        return self.catch(text, parse_spec(text), temporary=temporary, **options)

    def catch(
        self,
        text: str,
        spec: BreakpointSpec,
        *,
        temporary: bool = False,
        **options: Unpack[BreakpointOptions],
    ) -> Breakpoint:
        """A new breakpoint for ``spec``; ``text`` says what it waits for.

        ConditionError when its condition is no expression, EvaluationError for a printf that is
        none.
        """
        breakpoint_ = Breakpoint(self._next_number, text, spec)
        for name in ("thread", "lane", "work_item", "workgroup"):
            setattr(breakpoint_, name, options.get(name))
        breakpoint_.condition = self._condition(options.get("condition"))
        breakpoint_.log = _log(options)
        self._check(breakpoint_)
        if temporary:
            self.limit(breakpoint_, 1, Disposition.DELETE)
        self._next_number += 1
        self._variables.set("bpnum", breakpoint_.number)
        self._breakpoints[breakpoint_.number] = breakpoint_
        for device in self._debuggee.devices:
            for module in device.modules:
                self._resolve(breakpoint_, device, module)
        self._notifier.notify(BreakpointMade(breakpoint_))
        return breakpoint_

    def set_condition(self, breakpoint_: Breakpoint, text: str | None) -> None:
        """Gives it the condition ``text``, or (None) none; ConditionError when it is no
        expression."""
        before, breakpoint_.condition = breakpoint_.condition, self._condition(text)
        try:
            self._check(breakpoint_)
        except ConditionError:
            breakpoint_.condition = before
            raise

    def _condition(self, text: str | None) -> Condition | None:
        return None if text is None else Condition(text, self._warn)

    def _check(self, breakpoint_: Breakpoint) -> None:
        """ConditionError when its condition is no expression in a module that has its place, or
        cannot become one anywhere; BreakpointError for a thread that no device has."""
        if breakpoint_.thread is not None:
            self._check_thread(*breakpoint_.thread)
        if breakpoint_.condition is None:
            return
        breakpoint_.condition.check_syntax()
        for device in self._debuggee.devices:
            for module in device.modules:
                with contextlib.suppress(DebugInfoError):
                    found = _places_in(module, breakpoint_.spec)
                    if found:
                        breakpoint_.condition.check(module, [place.pc for place in found])

    def _check_thread(self, device: int, number: int) -> None:
        devices = {each.number: each for each in self._debuggee.devices}
        known = not devices or (
            device in devices and number <= devices[device].topology.thread_count
        )
        if not known or not device or not number:
            raise BreakpointError(f"Unknown thread {device}.{number}.")

    def why_pending(self, breakpoint_: Breakpoint) -> str | None:
        """Why no loaded module has its place, in a line; None when one has."""
        spec = breakpoint_.spec
        if not breakpoint_.pending or isinstance(spec, ModuleSpec | ExceptionSpec | WatchSpec):
            return None
        return self.why_no_place(spec)

    def why_no_place(self, spec: CodeSpec) -> str:
        """Why no loaded module has a place for ``spec``, in a line."""
        history, wanted = RunHistory(), Breakpoint(0, "", spec)
        for device in self._debuggee.devices:
            for module in device.modules:
                history.add(module, [wanted])
        return history.why_unresolved(spec) if history.modules else "no module is loaded yet."

    def watch(
        self,
        expression: str,
        focus: Focus,
        *,
        location: bool = False,
        access: WatchAccess = WatchAccess.WRITE,
        condition: str | None = None,
        within: ThreadContext | None = None,
        lane: int | None = None,
        alone: bool = False,
    ) -> Breakpoint:
        """A new watchpoint on the value of ``expression`` in the thread of ``focus``, or with
        ``location`` on the memory that it names in the lane of ``focus`` now, whichever thread
        accesses it where the driver can watch memory. Reads can be watched of memory only.

        ``within``: the frame that it is evaluated in, the innermost one without. ``lane``: only
        this one counts, and with ``alone`` only the work-item of ``focus``. Raises EvaluationError
        when it has no value there, BreakpointError when it cannot be watched, LevelZeroError when
        the driver refuses.
        """
        thread = focus.thread
        sample: Sample
        actor = Actor(lanes=0 if lane is None else 1 << lane)
        if alone:
            lane = focus.lane
            actor = Actor(thread.place.fields, 1 << lane, thread.workgroup)
        if location or access is not WatchAccess.WRITE:
            evaluated = focus.lane if lane is None else lane
            sample = LocationSample(expression, evaluated, thread, within or thread, access, actor)
        else:
            sample = ExpressionSample(expression, thread, within or thread, lane)
        text = f"-location {expression}" if location else expression
        watch = Watch(thread, sample, access)
        shown = focus.lane if lane is None and location else lane
        made = self.add_watch(text, watch, condition=condition, lane=shown)
        if watch.by_driver and sample.is_fixed:
            made.lane = lane
            if not alone:
                made.thread = None  # it is for all
        return made

    def add_watch(
        self,
        expression: str,
        watch: Watch,
        *,
        condition: str | None = None,
        lane: int | None = None,
    ) -> Breakpoint:
        """A new watchpoint; it lasts as long as the thread that it watches in, or, where the driver
        watches, as the program. ``expression`` says what it watches."""
        watchpoint = Breakpoint(
            self._next_number,
            expression,
            WatchSpec(expression),
            condition=self._condition(condition),
            thread=(watch.thread.device.number, watch.thread.number),
            lane=lane,
            watch=watch,
        )
        module = watch.thread.module
        if watchpoint.condition is not None and module is not None:
            watchpoint.condition.check(module, [watch.thread.pc])
        watch.changes()  # what there is now is what changes are counted from
        self.driver_watches.arm(watch)
        self._next_number += 1
        self._breakpoints[watchpoint.number] = watchpoint
        self._notifier.notify(BreakpointMade(watchpoint))
        return watchpoint

    def delete_watchpoint(self, watchpoint: Breakpoint, why: str) -> None:
        """Deletes ``watchpoint``, whose expression means nothing any more, and says ``why``."""
        self.delete(watchpoint)
        self._notifier.notify(BreakpointChanged(watchpoint, deleted=True))
        self._notifier.notify(Message(f"Watchpoint {watchpoint.number} deleted because {why}."))

    def armed(self, device: object) -> list[Breakpoint]:
        """The watchpoints that the driver of ``device`` watches, by number."""
        return [
            each
            for each in self._breakpoints.values()
            if each.watch is not None and each.watch.armed and each.watch.thread.device is device
        ]

    def watched_threads(
        self, first: HardwareThread | None = None
    ) -> dict[HardwareThread, list[Breakpoint]]:
        """The stopped threads in which values are watched by stepping them, with their watchpoints;
        ``first`` comes first."""
        by_thread: dict[HardwareThread, list[Breakpoint]] = {}
        for each in self:
            if each.watch is None or not each.enabled or each.watch.by_driver:
                continue
            if each.watch.thread.is_stopped:
                by_thread.setdefault(each.watch.thread, []).append(each)
        if first is not None and first in by_thread:
            return {first: by_thread.pop(first), **by_thread}
        return by_thread

    def look_again(self) -> None:
        """The present is back: watched values have not changed by that."""
        for each in self:
            watch = each.watch
            if watch is not None and not watch.sample.is_fixed and watch.thread.is_stopped:
                watch.changes()

    def limit(self, breakpoint_: Breakpoint, stops: int, disposition: Disposition) -> None:
        """Enables it for ``stops`` stops; then ``disposition`` takes effect."""
        self.set_enabled(breakpoint_, True)
        breakpoint_.stops_left, breakpoint_.disposition = stops, disposition

    def made_stop(self, reported: Sequence[Breakpoint]) -> None:
        """A stop names ``reported``; others may have been hit at the same place. Each counts it,
        and one that was meant for so many stops only is disabled or deleted."""
        numbers = {each.number for each in reported}
        for breakpoint_ in (*reported, *(each for each in self if each.number not in numbers)):
            if breakpoint_.met or breakpoint_.number in numbers:
                breakpoint_.met = False
                breakpoint_.stops += 1
                self._limited(breakpoint_)

    def _limited(self, breakpoint_: Breakpoint) -> None:
        if breakpoint_.stops_left is None or breakpoint_.number not in self._breakpoints:
            return
        breakpoint_.stops_left -= 1
        if breakpoint_.stops_left > 0:
            return
        if breakpoint_.disposition is Disposition.DELETE:
            self.delete(breakpoint_)
            self._notifier.notify(BreakpointChanged(breakpoint_, deleted=True))
        else:
            self.set_enabled(breakpoint_, False)

    def delete(self, breakpoint_: Breakpoint) -> None:
        """Takes it out of the code, and forgets it; BreakpointError when it is gone already."""
        self.get(breakpoint_.number)
        if breakpoint_.enabled:
            for place in breakpoint_.locations:
                if place not in breakpoint_.disabled:
                    self._remove(place)
        if breakpoint_.watch is not None:
            self.driver_watches.disarm(breakpoint_.watch)
        del self._breakpoints[breakpoint_.number]
        self._notifier.notify(BreakpointGone(breakpoint_))

    def set_enabled(self, breakpoint_: Breakpoint, enabled: bool) -> None:
        """Sets whether it stops threads; its places that were disabled one by one stay so."""
        if breakpoint_.enabled == enabled:
            return
        breakpoint_.enabled = enabled
        if enabled and breakpoint_.stops_left == 0:
            breakpoint_.stops_left, breakpoint_.disposition = None, Disposition.KEEP
        if breakpoint_.watch is not None:
            if enabled:
                self.driver_watches.arm(breakpoint_.watch)
            else:
                self.driver_watches.disarm(breakpoint_.watch)
        for place in breakpoint_.locations:
            if place in breakpoint_.disabled:
                continue
            if enabled:
                self._insert(breakpoint_, place)
            else:
                self._remove(place)

    def set_location_enabled(
        self, breakpoint_: Breakpoint, place: BreakpointLocation, enabled: bool
    ) -> None:
        """Enables or disables one location of ``breakpoint_``."""
        if enabled == (place not in breakpoint_.disabled):
            return
        if enabled:
            breakpoint_.disabled.remove(place)
        else:
            breakpoint_.disabled.add(place)
        if breakpoint_.enabled and enabled:
            self._insert(breakpoint_, place)
        elif breakpoint_.enabled:
            self._remove(place)

    def at(self, device: DeviceContents, address: int) -> list[Breakpoint]:
        """The enabled breakpoints at ``address``, by number."""
        if self._found is None:
            return [b for b in self if b.enabled and b.is_at(device, address)]
        key = device, address
        if key not in self._found:
            self._found[key] = [b for b in self if b.enabled and b.is_at(device, address)]
        return self._found[key]

    def hit_lanes(self, breakpoint_: Breakpoint, thread: HardwareThread) -> int:
        """The lanes of ``thread``, stopped at it, that ``breakpoint_`` stops for."""
        return breakpoint_.hit_lanes(thread, self._notifier.notify)

    @contextlib.contextmanager
    def standing(self) -> Iterator[None]:
        """While many threads are judged, and no breakpoint comes or goes: looks for those at an
        address once."""
        self._found = {}
        try:
            yield
        finally:
            self._found = None

    def catching(self, reason: StopReason) -> list[Breakpoint]:
        """The enabled catchpoints for exceptions of that kind, by number."""
        return [each for each in self if each.enabled and each.spec == ExceptionSpec(reason)]

    def catching_module(self, module: LoadedModule, change: ModuleChange) -> Breakpoint | None:
        """The first enabled catchpoint that what happens to ``module`` hits; counts hits."""
        first: Breakpoint | None = None
        for each in self:
            spec = each.spec
            if not each.enabled or not isinstance(spec, ModuleSpec) or spec.change is not change:
                continue
            if not module.has_kernel_like(spec.pattern):
                continue
            each.hits += 1
            if not each.is_ignored():
                first = first or each
        return first

    @property
    def pending(self) -> list[Breakpoint]:
        """The enabled breakpoints that no loaded module has a place for, by number."""
        return [each for each in self if each.enabled and each.pending]

    def module_loaded(self, device: Device, module: LoadedModule) -> None:
        """Resolves and inserts what was waiting for ``module`` of ``device``."""
        for breakpoint_ in self:
            if self._resolve(breakpoint_, device, module):
                self._notifier.notify(BreakpointChanged(breakpoint_))
        self.history.add(module, [each for each in self if each.enabled and not each.resolved])

    def module_unloaded(self, module: LoadedModule) -> None:
        """Its code is gone, and with it the bits in it."""
        for breakpoint_ in self:
            kept = [place for place in breakpoint_.locations if place.module is not module]
            if len(kept) != len(breakpoint_.locations):
                breakpoint_.locations = kept
                breakpoint_.disabled.intersection_update(kept)
                self._notifier.notify(BreakpointChanged(breakpoint_))

    def program_starts(self) -> None:
        """A new run: what is known of the one before no longer counts."""
        self.history = RunHistory()
        for breakpoint_ in self:
            breakpoint_.resolved = False
            breakpoint_.arrivals = breakpoint_.lanes_tried = 0
            breakpoint_.hits = breakpoint_.stops = 0

    def explain_never_hit(self, attached: bool) -> None:
        """At the end of the program: says of each breakpoint that was never hit why not.

        ``attached``: whether the program used a device that zedbg debugs.
        """
        for breakpoint_ in self:
            text = self.history.explain(breakpoint_, attached)
            if text is not None:
                self._notifier.notify(Message(text))

    def program_ended(self) -> None:
        """No module is loaded any more: every breakpoint waits again, and no thread is there that
        values could be watched in."""
        for breakpoint_ in self:
            breakpoint_.locations = []
            breakpoint_.disabled.clear()
            if breakpoint_.watch is not None:
                self.delete(breakpoint_)

    def _resolve(self, breakpoint_: Breakpoint, device: Device, module: LoadedModule) -> bool:
        try:
            codes = _places_in(module, breakpoint_.spec)
        except DebugInfoError as error:
            self._warn(f"Breakpoint {breakpoint_.number}: {error}")
            return False
        if codes and breakpoint_.condition is not None:
            try:
                breakpoint_.condition.check(module, [code.pc for code in codes])
            except (ConditionError, DebugInfoError) as error:
                self._warn(f"Breakpoint {breakpoint_.number}: {error}")
        for code in codes:
            place = BreakpointLocation(device, module, code.pc, code)
            breakpoint_.locations.append(place)
            breakpoint_.resolved = True
            if breakpoint_.enabled:
                self._insert(breakpoint_, place)
        spec = breakpoint_.spec
        if codes and isinstance(spec, LineSpec) and codes[0].line != spec.line:
            breakpoint_.note = f"No code at line {spec.line}: moved to line {codes[0].line}."
        return bool(codes)

    def _insert(self, breakpoint_: Breakpoint, place: BreakpointLocation) -> None:
        process = self._debuggee.process
        if process is not None and not process.can_run:
            return  # no thread comes there, and a core file is not changed
        try:
            place.device.code.insert(place.address)
        except (LevelZeroError, ValueError) as error:
            self._warn(f"Breakpoint {breakpoint_.number} is not in at {place.address:#x}: {error}")

    def _remove(self, place: BreakpointLocation) -> None:
        try:
            place.device.code.remove(place.address)
        except LevelZeroError as error:
            if self._debuggee.is_gone(place.device):
                return  # the program has just died, and its code with it
            self._warn(f"A breakpoint stays in the code at {place.address:#x}: {error}")

    def _warn(self, text: str) -> None:
        self._notifier.notify(Message(text, Severity.WARNING))


def _places_in(module: LoadedModule, spec: BreakpointSpec) -> list[CodeLocation]:
    """Every place in ``module`` that ``spec`` means; DebugInfoError when its DWARF is damaged."""
    match spec:
        case LaunchSpec(pattern):
            return module.resolve(KernelSpec(pattern))
        case LineSpec() | FunctionSpec() | AddressSpec() | EntrySpec() | KernelSpec():
            return module.resolve(spec)
        case ModuleSpec() | ExceptionSpec() | WatchSpec():
            return []


def _log(options: BreakpointOptions) -> LaneLog | None:
    text, printf = options.get("log"), options.get("printf")
    if printf is not None:
        return DynamicPrintf(printf)
    return None if text is None else Logpoint(text)
