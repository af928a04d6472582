"""The session manager: one process under debug, all of its devices, and everything known of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, Unpack

from zedbg.engine.breakpoints.breakpoint import Breakpoint, BreakpointOptions
from zedbg.engine.breakpoints.breakpoint_specs import BreakpointSpec
from zedbg.engine.breakpoints.breakpoint_table import BreakpointTable
from zedbg.engine.breakpoints.skips import SkipTable
from zedbg.engine.engine_errors import (
    AlreadyRunningError,
    NotRunningError,
    ProgramRunsError,
)
from zedbg.engine.events.notifications import FocusChanged, Notifier, ProgramExited, Resumed
from zedbg.engine.events.page_faults import PageFaults
from zedbg.engine.events.stops import Exited, Outcome, Stop, StopReason
from zedbg.engine.modules.module_constants import BuiltModules
from zedbg.engine.sessions.attaching import Opener, open_devices
from zedbg.engine.sessions.lifecycle import Lifecycle
from zedbg.engine.sessions.non_stop import NonStop
from zedbg.engine.sessions.process import LaunchOptions, Process
from zedbg.engine.sessions.run_control import RunControl
from zedbg.engine.sessions.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions.session_running import SessionRunning
from zedbg.engine.sessions.session_state import SessionState
from zedbg.engine.sessions.session_threads import SessionThreads
from zedbg.engine.sessions.signals import signals_held
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread

_KILL_SECONDS = 5.0
_DYING_SECONDS = 1.0


class Session(SessionThreads, SessionRunning, Notifier):
    """Made without a process; :meth:`launch` or :meth:`attach` give it one, again and again.

    Breakpoints belong to the session and outlive its processes. Methods may be called from any
    thread; those that run the program block until it stops. ``condition`` guards all state.
    In non-stop mode a stop is that of the threads that hit; all else runs on.
    ``open_devices`` opens the debug sessions of a process. While a method blocks, it calls
    ``while_waiting`` whenever something may have happened: a front end shows notifications there.
    """

    def __init__(self, open_devices: Opener = open_devices) -> None:
        SessionThreads.__init__(self)
        Notifier.__init__(self)
        self.breakpoints = BreakpointTable(self)
        self.skips = SkipTable()
        self.steps_into_code_without_lines = False
        self._state = SessionState.NO_PROCESS
        self._non_stop: NonStop | None = None  # while a process is debugged in that mode
        self._wants_non_stop = False
        self.stop: Stop | None = None
        self.interrupt_requested = False
        self.while_waiting: Callable[[], None] = lambda: None
        self.scheduler_locking = SchedulerLocking.STEP
        self.range_stepping = True  # steps by lines let a thread run where it needs no look
        self.watchdog_seconds = 5.0  # of silence, before it tells of pending breakpoints; 0: never
        self.convenience_values: dict[str, object] = {}  # what users named: $1, $name
        self._lifecycle = Lifecycle(self, open_devices)
        SessionRunning.__init__(self, RunControl(self))
        self.page_faults = PageFaults(self)
        self._module_count = 0

    @property
    def state(self) -> SessionState:
        """In non-stop mode, the program counts as stopped while any thread is."""
        if self._non_stop is None:
            return self._state
        stopped = any(device.rests() for device in self.devices)
        return SessionState.STOPPED if stopped else SessionState.RUNNING

    @property
    def non_stop(self) -> bool:
        """Whether threads stop and go on one by one; ProgramRunsError when it is set while a
        program is debugged."""
        return self._wants_non_stop

    @non_stop.setter
    def non_stop(self, wanted: bool) -> None:
        with self.condition:
            if self.process is not None and wanted != self._wants_non_stop:
                raise ProgramRunsError(
                    "Non-stop mode is chosen before a program runs: kill or detach it first."
                )
            self._wants_non_stop = wanted

    def require_non_stop(self) -> None:
        """ProgramRunsError when a stop of one thread stops all."""
        if not self.non_stop:
            raise ProgramRunsError(
                "Threads go on and stop one by one in non-stop mode only: set non-stop on, before "
                "the program runs."
            )

    # --- a process ---------------------------------------------------------------------------

    @property
    def process(self) -> Process | None:
        """The process under debug."""
        return self._lifecycle.process

    @property
    def modules_loaded(self) -> int:
        """How many modules the process has loaded so far, those that are gone again too."""
        return self._module_count

    @property
    def built_modules(self) -> BuiltModules:
        """The values that the process gave its modules' constants, where it was launched."""
        return self._lifecycle.built_modules

    def launch(self, options: LaunchOptions) -> int:
        """Starts a program; its pid. It runs up to its first Level Zero context and waits there
        for the first :meth:`continue_`, so that no kernel is missed. LaunchError says why not."""
        with self.condition:
            self._require_no_process()
            with options.standard_input() as standard_input, signals_held():
                self.breakpoints.program_starts()
                process = self._lifecycle.launch(options, standard_input)
                self._begin(SessionState.RUNNING)
            return process.pid

    def attach(self, pid: int, *, background: bool = False) -> Outcome | None:
        """Debugs a running process, and stops what it runs on devices; ``background`` (in non-stop
        mode): lets it run, and gives None. AttachError says why it cannot be debugged."""
        with self.condition:
            self._require_no_process()
            self.breakpoints.program_starts()
            try:
                with signals_held():
                    self._lifecycle.attach(pid)
                    self._begin(SessionState.RUNNING)
            except (KeyboardInterrupt, SystemExit):
                if self.process is not None:
                    self._finish(None)
                raise
            if self._non_stop is None:
                return self._over(self._run_control.stop_now(StopReason.INTERRUPT))
            if background:
                return None
            stop = self._non_stop.interrupt_those(lambda _thread: True)
            return stop or self._run_control.report(Stop(StopReason.INTERRUPT))

    def kill(self) -> Exited:
        """Ends the process."""
        with self.condition, signals_held():
            process = self._require_process()
            self._close_non_stop()
            process.kill()
            self.condition.wait_for(lambda: process.exited is not None, _KILL_SECONDS)
            return self._finish(process.exited or Exited())

    def detach(self) -> None:
        """Takes breakpoints out, lets every thread run, and leaves the process alone."""
        with self.condition, signals_held():
            self._require_process()
            if self._non_stop is not None:
                self._run_control.halt()  # what hits a breakpoint just now is to go on, too
                self._close_non_stop()
            for device in self.devices:
                if device.attached:
                    device.let_everything_go()
            self._finish(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session; a process that is still there goes on by itself."""
        with self.condition:
            if self.process is not None:
                self.detach()

    # --- what there is -------------------------------------------------------------------------

    def break_at(
        self, spec: str, *, temporary: bool = False, **options: Unpack[BreakpointOptions]
    ) -> Breakpoint:
        """A breakpoint at ``FILE:LINE``, ``LINE``, a function or ``*ADDRESS``; see Breakpoint."""
        with self.condition:
            return self.breakpoints.add(spec, temporary=temporary, **options)

    def catch(
        self,
        text: str,
        spec: BreakpointSpec,
        *,
        temporary: bool = False,
        **options: Unpack[BreakpointOptions],
    ) -> Breakpoint:
        """A catchpoint: a stop at a launch, at a module that comes or goes, at an exception.

        ``text`` tells people what it waits for.
        """
        with self.condition:
            return self.breakpoints.catch(text, spec, temporary=temporary, **options)

    # --- for the rest of the engine ------------------------------------------------------------

    @property
    def exited(self) -> Exited | None:
        """How the process ended, None while it is there."""
        return self._lifecycle.exited

    def device_is_gone(self, device: Device) -> bool:
        """Whether a call failed because the program has just died: its end is about to be seen."""
        with self.condition:
            return self.condition.wait_for(
                lambda: self.exited is not None or not device.attached, _DYING_SECONDS
            )

    def retire_detached_devices(self) -> None:
        self._lifecycle.retire_detached_devices()

    def settle(self) -> None:
        """After the exit: waits a moment for what the devices still have to say."""
        self._lifecycle.settle()

    def wake(self) -> None:
        """Whoever waits looks again."""
        with self.condition:
            self.condition.notify_all()

    def next_module_number(self) -> int:
        self._module_count += 1
        return self._module_count

    def stopped_with(self, stop: Stop) -> None:
        """Takes ``stop``, and the focus that it brings."""
        self.stop = stop
        self._state = SessionState.STOPPED
        if self._non_stop is not None:
            for each in stop:
                each.thread.is_moved = False
            self._non_stop.told(stop)
            if self._keeps_focus(stop):
                return
        lane = self._focus.follow(stop)
        if lane is not None:
            self.notify(FocusChanged(lane))

    def _keeps_focus(self, stop: Stop) -> bool:
        """Non-stop mode: whether the user looks at a thread that ``stop`` does not concern."""
        focus = self._focus.current
        if focus is None or any(each.thread is focus.thread for each in stop):
            return False
        return focus.thread.is_stopped or focus.thread.is_moved

    @property
    def _stops_one_by_one(self) -> bool:
        return self._non_stop is not None

    @property
    def _is_stopped(self) -> bool:
        return self._state is SessionState.STOPPED

    # --- its own -------------------------------------------------------------------------------

    def _begin(self, state: SessionState) -> None:
        self._close_non_stop()
        self._state = state
        if state is not SessionState.NO_PROCESS and self._wants_non_stop:
            self._non_stop = NonStop(self, self._run_control, self._ended)
        self.stop = None
        self._focus.current = None
        self.page_faults.forget()
        self._module_count = 0
        self.interrupt_requested = False

    def _close_non_stop(self) -> None:
        if self._non_stop is not None:
            self._non_stop.close()
            self._non_stop = None
            self._state = SessionState.RUNNING

    def _require_non_stop(self) -> NonStop:
        self._require_process()
        self.require_non_stop()
        assert self._non_stop is not None
        return self._non_stop

    def _ended(self, exited: Exited) -> None:
        """Non-stop mode: the process is gone."""
        self.breakpoints.explain_never_hit(self._lifecycle.was_attached)
        self._finish(exited)

    def _unreported(self, thread: HardwareThread) -> Outcome | None:
        if self._non_stop is None:
            found = self._run_control.collect_unreported()
            return None if found is None else self._over(found)
        return self._non_stop.unreported(thread)

    def _half_done(self) -> None:
        if self._state is SessionState.RUNNING:
            self._state = SessionState.STOPPED

    def _resumed(self) -> None:
        self._state = SessionState.RUNNING
        self.notify(Resumed())

    def _over(self, outcome: Outcome) -> Outcome:
        if self._non_stop is not None:
            if not self._is_in_background:
                self._non_stop.not_waited_for(outcome)
        elif self.process is not None and isinstance(outcome, Exited):
            self.breakpoints.explain_never_hit(self._lifecycle.was_attached)
            return self._finish(outcome)
        return outcome

    def _finish(self, exited: Exited | None) -> Exited:
        """The process is gone, or (None) left alone."""
        with signals_held():
            if exited is not None:
                self.settle()
            self._lifecycle.end()
            self._begin(SessionState.NO_PROCESS)
        if exited is not None:
            self.notify(ProgramExited(exited))
        return exited or Exited()

    def _require_process(self) -> Process:
        process = self._lifecycle.process
        if process is None:
            raise NotRunningError
        return process

    def _require_no_process(self) -> None:
        if self._lifecycle.process is not None:
            raise AlreadyRunningError("A program is being debugged already: kill or detach it.")

    def _require_stopped(self) -> None:
        if self.state is SessionState.NO_PROCESS:
            raise NotRunningError
        if self.state is SessionState.RUNNING:
            raise ProgramRunsError
