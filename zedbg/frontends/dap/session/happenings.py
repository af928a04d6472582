"""What happens in a session, as events for the client, in order."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass

from zedbg.commands.rows.events import LogEvent
from zedbg.engine.breakpoints.breakpoint import BreakpointChanged
from zedbg.engine.breakpoints.lane_logs import Logged
from zedbg.engine.events.notifications import (
    Attached,
    FocusChanged,
    ModuleLoaded,
    ModuleUnloaded,
    ProgramExited,
    Resumed,
)
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.notifier import Message, Notification, Severity
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.process.exited import Exited
from zedbg.frontends.dap.protocol.capabilities import Capabilities
from zedbg.frontends.dap.protocol.events import (
    BreakpointEvent,
    CapabilitiesEvent,
    ContinuedEvent,
    ExitedEvent,
    ModuleEvent,
    OutputEvent,
    TerminatedEvent,
)
from zedbg.frontends.dap.protocol.types import Breakpoint
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.shown_breakpoints import keep_to_file, shown_breakpoint
from zedbg.frontends.dap.session.shown_modules import shown_module
from zedbg.frontends.dap.session.stops import stopped_event
from zedbg.frontends.dap.session.thread_numbers import PROGRAM
from zedbg.frontends.text.text_events import render_event
from zedbg.user_error import UserError

_COLLECT_SECONDS = 5.0
_SIGNALLED = 128  # the exit status of what a signal ended, without its number: as shells report it


@dataclass(frozen=True)
class _MoveEnded(Notification):
    """What let the program run has returned, with what it raised."""

    problem: Exception | None


class Happenings:
    """Sends events from its own thread: for each notification of the session, and for each stop
    after all that happened before it."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._session = adapter.session
        self._subscription = self._session.subscribe()
        self._exited: Exited | None = None
        self._has_new_modules = False  # since the last stop
        self._is_over = False
        self._starting = ExitStack()  # the progress of a start
        self._closed = False
        self._obeyed: Stop | None = None  # whose breakpoints' commands have been carried out
        adapter.move_ended = lambda problem: self._subscription.put(_MoveEnded(problem))
        adapter.program_starts = self._program_starts
        adapter.stop_reporting = self._close
        self._thread = threading.Thread(target=self._report, name="zedbg-dap-events", daemon=True)
        self._thread.start()
        threading.Thread(target=self._watch_process, name="zedbg-dap-exit", daemon=True).start()

    def _program_starts(self) -> None:
        """A program is about to be started, or attached to."""
        self._exited, self._is_over = None, False
        self._starting.close()
        title = "waiting for the program to use Level Zero"
        self._starting.enter_context(self._adapter.progress(title))

    def _close(self) -> None:
        """Sends what is left, and no more after that."""
        with self._session.condition:
            self._closed = True
            self._session.condition.notify_all()
        self._session.unsubscribe(self._subscription)
        if threading.current_thread() is not self._thread:
            self._thread.join(5.0)

    def _report(self) -> None:
        while (notification := self._subscription.get()) is not None:
            try:
                with self._session.condition:
                    self._tell(notification)
            except UserError as error:  # a program may die while its stop is looked at
                self._adapter.output(error.line + "\n", "important")

    def _tell(self, notification: Notification) -> None:
        adapter = self._adapter
        match notification:
            case _MoveEnded(problem):
                self._move_ended(problem)
            case Resumed():
                adapter.forget_stop()
                if adapter.moved_by_console:
                    adapter.send(ContinuedEvent(thread_id=PROGRAM, all_threads_continued=True))
            case Message(text, severity):
                category = "console" if severity is Severity.INFORMATION else "important"
                adapter.output(text + "\n", category)
            case Logged():
                self._logged(notification)
            case BreakpointChanged():
                self._breakpoint_changed(notification)
            case ModuleLoaded(module) | ModuleUnloaded(module):
                is_new = isinstance(notification, ModuleLoaded)
                reason = "new" if is_new else "removed"
                self._has_new_modules = True
                if not is_new:
                    adapter.sources.module_unloaded(module)
                adapter.send(ModuleEvent(reason=reason, module=shown_module(adapter, module)))
            case Attached(pid, devices):
                self._starting.close()
                names = ", ".join(device.name for device in devices)
                adapter.output(f"Debugging process {pid} on {names}\n", "console")
                if any(map(self._session.time.offered_by, devices)):
                    adapter.send(CapabilitiesEvent(Capabilities(supports_step_back=True)))
            case FocusChanged():
                adapter.focus_changed()
            case ProgramExited(exited):
                self._exited = exited

    def _logged(self, logged: Logged) -> None:
        event = LogEvent(logged.number, logged.thread, logged.lanes, logged.global_id, logged.text)
        places = next(
            (b.locations for b in self._session.breakpoints if b.number == logged.number), []
        )
        source, line = None, 0
        if places:
            source, line, _ = self._adapter.sources.of_code(places[0].device, places[0].code)
        text = "\n".join(render_event(event)) + "\n"
        body = OutputEvent(output=text, category="stdout", source=source, line=line or None)
        self._adapter.send(body)

    def _breakpoint_changed(self, change: BreakpointChanged) -> None:
        adapter, breakpoint_ = self._adapter, change.breakpoint
        if breakpoint_ is adapter.entry:
            return
        if change.deleted:
            gone = Breakpoint(verified=False, id=breakpoint_.number)
            adapter.send(BreakpointEvent(reason="removed", breakpoint=gone))
            return
        keep_to_file(adapter, breakpoint_)
        shown = shown_breakpoint(adapter, breakpoint_)
        adapter.send(BreakpointEvent(reason="changed", breakpoint=shown))

    def _move_ended(self, problem: Exception | None) -> None:
        adapter = self._adapter
        if problem is not None:
            text = adapter.console.context.explain_error(problem)
            adapter.output(text + "\n", "important")
        self._session.condition.notify_all()  # a process that has died may be noticed now
        if self._session.process is None:
            self._ended()
        elif self._session.state is SessionState.STOPPED and not adapter.runner.is_busy:
            self._stopped()

    def _stopped(self) -> None:
        adapter, stop = self._adapter, self._session.stop
        if stop is None:
            return
        if stop is not self._obeyed and any(each.commands for each in stop.breakpoints):
            self._obeyed = stop
            adapter.move(adapter.console.obey_breakpoints, by_console=True)
            return  # the commands may let the program go on
        if adapter.moved_by_console:
            adapter.output(adapter.console.describe(stop) + "\n", "console")
        adapter.send(stopped_event(stop, adapter.breakpoints, adapter.entry))
        if self._has_new_modules:
            self._has_new_modules = False
            for each in self._session.breakpoints.pending:  # there may be another reason now
                if each is not adapter.entry:
                    self._breakpoint_changed(BreakpointChanged(each))

    def _ended(self) -> None:
        adapter, exited = self._adapter, self._exited
        if self._is_over:
            return
        self._is_over = True
        self._starting.close()
        adapter.forget_stop()
        if exited is not None and exited.code is not None:
            adapter.send(ExitedEvent(exit_code=exited.code))
        elif exited is not None and exited.signal is not None:
            adapter.send(ExitedEvent(exit_code=_SIGNALLED + exited.signal))
        adapter.send(TerminatedEvent())

    def _watch_process(self) -> None:
        """Notices when the process ends while nothing waits for it."""
        session, adapter = self._session, self._adapter

        def has_died() -> bool:
            dead = session.process is not None and session.exited is not None
            return self._closed or (dead and not adapter.runner.is_busy and not adapter.is_leaving)

        def collect() -> None:
            if session.process is not None and session.exited is not None:
                session.continue_()

        while True:
            with session.condition:
                session.condition.wait_for(has_died)
            if self._closed:
                return
            adapter.move(collect)
            adapter.runner.wait(_COLLECT_SECONDS)
