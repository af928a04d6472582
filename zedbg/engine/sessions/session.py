"""The session manager: one process under debug, all of its devices, and everything known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Self, Unpack

from zedbg.engine.breakpoints.breakpoint import Breakpoint, BreakpointOptions
from zedbg.engine.breakpoints.breakpoint_specs import BreakpointSpec
from zedbg.engine.breakpoints.watch import WatchAccess
from zedbg.engine.engine_errors import (
    AllStopError,
    AlreadyRunningError,
    NoThreadError,
    ProgramRunsError,
    TimeTravelError,
)
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.notifications import ProgramExited
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.notifier import Subscription
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.signals import interrupt_on_sigint, signals_held
from zedbg.engine.modules.module_constants import BuiltModules
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.process.core_process import CoreProcess
from zedbg.engine.process.exited import Exited
from zedbg.engine.process.process import LaunchOptions, Process
from zedbg.engine.running.all_stop import AllStop
from zedbg.engine.running.non_stop import NonStop
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.sessions.attaching import CoreFocus, Opener, open_devices
from zedbg.engine.sessions.lifecycle import Lifecycle
from zedbg.engine.sessions.thread_moves import ThreadMoves
from zedbg.engine.sessions.time_travel import TimeTravel
from zedbg.engine.stepping.frame_return import DroppedCall, FrameReturn
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread, WorkItem
from zedbg.xe.coordinates import lanes_of

_KILL_SECONDS = 5.0


class Session:
    """Made without a process; :meth:`launch` or :meth:`attach` give it one, again and again.

    Breakpoints belong to the session and outlive its processes. Methods may be called from any
    thread; those that run the program block until it stops, but for those in the background.
    ``condition`` guards all state. In non-stop mode a stop is that of the threads that hit; all
    else runs on. ``open_devices`` opens the debug sessions of a process.

    Methods that need a program raise NotRunningError without one, and those that need stopped
    threads ProgramRunsError or NoThreadError; all raise LevelZeroError where the driver refuses.
    """

    def __init__(self, open_devices: Opener = open_devices) -> None:
        self._engine = EngineState()
        self.condition = self._engine.condition
        self.breakpoints = self._engine.breakpoints
        self.skips = self._engine.skips
        self.settings = self._engine.settings
        self.variables = self._engine.variables
        self._lifecycle = Lifecycle(self._engine, open_devices)
        self._wants_non_stop = False
        self._control = self._run_control(SessionState.NO_PROCESS)
        self._moves = ThreadMoves(self, self._engine, lambda: self._control)
        self.time = TimeTravel(
            self, self._engine, lambda: self._control, self._moves, self.require_all_stop
        )

    @property
    def state(self) -> SessionState:
        """Whether there is a process, and whether it runs. In non-stop mode, the program counts as
        stopped while any thread is."""
        return self._control.run_state

    @property
    def stop(self) -> Stop | None:
        """The newest stop of this run."""
        return self._engine.stop

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
        """AllStopError when a stop of one thread stops all."""
        if not self.non_stop:
            raise AllStopError

    def require_all_stop(self) -> None:
        """TimeTravelError in non-stop mode, where nothing can go back: others run on."""
        if self.non_stop:
            raise TimeTravelError(
                "Going back needs all-stop mode: set non-stop off, before the program runs."
            )

    @property
    def while_waiting(self) -> Callable[[], None]:
        """Called while a method blocks, whenever something may have happened: a front end shows
        notifications there."""
        return self._engine.while_waiting

    @while_waiting.setter
    def while_waiting(self, call: Callable[[], None]) -> None:
        self._engine.while_waiting = call

    def subscribe(self) -> Subscription:
        """A queue that gets every notification from now on."""
        return self._engine.notifier.subscribe()

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends it: nothing comes any more, and a wait for it ends."""
        self._engine.notifier.unsubscribe(subscription)

    # --- a process ---------------------------------------------------------------------------

    @property
    def process(self) -> Process | None:
        """The process under debug."""
        return self._engine.debuggee.process

    @property
    def exited(self) -> Exited | None:
        """How the process ended, None while it is there."""
        return self._engine.debuggee.exited

    @property
    def modules_loaded(self) -> int:
        """How many modules the process has loaded so far, those that are gone again too."""
        return self._engine.debuggee.modules_loaded

    @property
    def built_modules(self) -> BuiltModules:
        """The values that the process gave its modules' constants, where it was launched."""
        return self._lifecycle.built_modules

    def launch(self, options: LaunchOptions) -> int:
        """Starts a program; its pid. It runs up to its first Level Zero context and waits there
        for the first :meth:`continue_`, so that no kernel is missed. LaunchError says why not;
        AlreadyRunningError when there is a process."""
        with self.condition:
            self._require_no_process()
            with options.standard_input() as standard_input, signals_held():
                self.breakpoints.program_starts()
                process = self._lifecycle.launch(options, standard_input)
                self._begin(SessionState.RUNNING)
            return process.pid

    def attach(self, pid: int, *, background: bool = False) -> Outcome | None:
        """Debugs a running process, and stops what it runs on devices; ``background`` (in non-stop
        mode): lets it run, and gives None. AttachError says why it cannot be debugged;
        AlreadyRunningError when there is a process."""
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
            return self._control.attached(background)

    def open_core(
        self, process: CoreProcess, devices: list[OpenedDevice], focus: CoreFocus | None = None
    ) -> Outcome:
        """Looks at the ``devices`` of a core file as at those of its ``process``, stopped;
        ``focus`` is the thread to look at. Whatever would run them raises CannotRunError.
        AlreadyRunningError when there is a process."""
        with self.condition:
            self._require_no_process()
            with signals_held():
                self._lifecycle.open_core(process, devices)
                self._begin(SessionState.RUNNING, one_by_one=False)
            if focus is not None:
                device, place, lane = focus
                thread = self.device(device).thread(place)
                self._engine.focus.prefer(thread, lane)
            outcome = self._control.attached(False)
            assert outcome is not None
            return outcome

    def kill(self) -> Exited:
        """Ends the process."""
        with self.condition, signals_held():
            process = self._engine.debuggee.require_running()
            self.time.leave_for_good()
            self._control.close()
            process.kill()
            self.condition.wait_for(lambda: process.exited is not None, _KILL_SECONDS)
            exited = process.exited or Exited()
            self._finish(exited)
            return exited

    def detach(self) -> None:
        """Takes breakpoints out, lets every thread run, and leaves the process alone."""
        with self.condition, signals_held():
            process = self._engine.debuggee.require_process()
            self.time.leave_for_good()
            self._control.leave()
            for device in self.devices:
                if device.attached and process.can_run:
                    device.release()
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

    @property
    def devices(self) -> list[Device]:
        """The devices that the process is debugged on."""
        return self._engine.debuggee.devices

    def device(self, number: int) -> Device:
        """Device ``number``, from 1; NoThreadError when there is none."""
        return self._engine.debuggee.device(number)

    def thread(self, device: int, number: int) -> HardwareThread:
        """Stopped thread ``number`` of ``device``; NoThreadError when it is not stopped."""
        with self.condition:
            return self.device(device).thread_numbered(number)

    def stopped_threads(self) -> list[HardwareThread]:
        """Every stopped thread, also those that were only halted with the rest."""
        with self.condition:
            self._control.require_stopped()
            every = (t for device in self.devices for t in device.stopped_threads())
            return [thread for thread in every if thread.is_at_rest]

    def running_threads(self) -> list[HardwareThread]:
        """The threads that were stopped once and have been resumed: they run, or have ended."""
        with self.condition:
            return [thread for device in self.devices for thread in device.resumed_threads()]

    def find_work_item(self, global_id: tuple[int, int, int]) -> WorkItem:
        """The work-item among the stopped threads; NoThreadError when no thread runs it."""
        for thread in self.stopped_threads():
            ids = thread.global_ids()
            if not isinstance(ids, list):
                continue
            for lane in lanes_of(thread.dispatch_lanes):
                if ids[lane] == global_id:
                    item = thread.lanes[lane].work_item
                    if isinstance(item, WorkItem):
                        return item
        wanted = ",".join(str(part) for part in global_id)
        raise NoThreadError(f"No stopped thread executes work-item {wanted}.")

    @property
    def focus(self) -> Focus | None:
        """The focused thread and lane; None while nothing is stopped."""
        return self._control.focus

    @property
    def selected(self) -> Focus | None:
        """The focus, also of a thread that runs, which non-stop mode allows."""
        return self._engine.focus.current if self.process is not None else None

    def require_focus(self) -> Focus:
        """The focus; NotRunningError, ProgramRunsError or NoThreadError when there is none."""
        return self._control.require_focus()

    def select(self, thread: HardwareThread, lane: int | None = None) -> Focus:
        """Focuses ``thread``, and ``lane`` or its lowest active one; LaneError for a lane that
        is inactive or does not exist."""
        return self._engine.focus.select(thread, lane)

    def break_at(
        self, spec: str, *, temporary: bool = False, **options: Unpack[BreakpointOptions]
    ) -> Breakpoint:
        """A breakpoint at ``FILE:LINE``, ``LINE``, a function or ``*ADDRESS``; see Breakpoint.
        BreakpointError when ``spec`` is none of these."""
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

        ``text`` says what it waits for.
        """
        with self.condition:
            return self.breakpoints.catch(text, spec, temporary=temporary, **options)

    def watch(
        self,
        expression: str,
        *,
        location: bool = False,
        access: WatchAccess = WatchAccess.WRITE,
        condition: str | None = None,
        lane: int | None = None,
        work_item: tuple[int, int, int] | None = None,
    ) -> Breakpoint:
        """A watchpoint on the value of ``expression`` in the focused thread, or with ``location``
        on the memory that it names in the focused lane now; :meth:`continue_` stops when it
        changes, or for other ``access`` to that memory. ``lane``, ``work_item`` (a global id): only
        in that lane, or for that work-item. EvaluationError when it has no value, BreakpointError
        when it cannot be watched, NoThreadError when no stopped thread has the work-item."""
        with self.condition:
            focus = self.require_focus()
            if work_item is not None:
                item = self.find_work_item(work_item)
                focus = Focus(item.thread, item.lane)
            return self.breakpoints.watch(
                expression,
                focus,
                location=location,
                access=access,
                condition=condition,
                lane=lane,
                alone=work_item is not None,
            )

    # --- all threads, or those that are named ----------------------------------------------------

    def continue_(
        self,
        timeout: float | None = None,
        *,
        all_threads: bool = False,
        background: bool = False,
    ) -> Outcome | None:
        """Lets everything run until something stops; None when ``timeout`` seconds were over.

        While values are watched, only the threads that they are watched in run; when the time is
        over they are stopped. In non-stop mode the focused thread goes on, or those that are
        stopped with ``all_threads``; it ends with the next stop of any thread, and with
        ``background`` at once, with None.
        """
        with self.condition, interrupt_on_sigint(self):
            self._engine.debuggee.require_running()
            if background:
                self.require_non_stop()
            if self._engine.past.device is not None:
                return self.time.go_on()
            found = self._control.before_continue(background)
            if found is not None:
                return self._over(found)
            watched = self._control.watched_threads(all_threads)
            if watched and background:
                self.in_background(lambda: self._moves.watch(watched, None))
                return None
            if watched:
                return self._moves.watch(watched, timeout)
            if self._control.continues_alone:
                return self._moves.step(lambda stepper: stepper.run_to(()))
            self._control.resume(all_threads)
            self._lifecycle.release()
            if background:
                return None
            outcome = self._control.wait(timeout)
            return None if outcome is None else self._over(outcome)

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """The stop that there is, or the next one; None when ``timeout`` seconds were over.

        In non-stop mode each stop is given once, oldest first.
        """
        with self.condition, interrupt_on_sigint(self):
            return self._control.wait_only(timeout, self.continue_)

    @property
    def interrupt_requested(self) -> bool:
        """Whether the user asked for a stop that has not come yet."""
        return self._engine.interrupt_requested

    @interrupt_requested.setter
    def interrupt_requested(self, wanted: bool) -> None:
        self._engine.interrupt_requested = wanted

    def interrupt(self) -> None:
        """Asks commands that wait to stop everything; may be called from any thread.

        In non-stop mode, a command that moves one thread stops that one only.
        """
        with self.condition:
            self._control.interrupt()
            self.condition.notify_all()

    def wake(self) -> None:
        """Commands that wait look again."""
        self._engine.debuggee.wake()

    def interrupt_thread(self, device: int, number: int) -> Stop | None:
        """Stops one running thread, in non-stop mode; None when it does not run. NoThreadError when
        there is no such thread, or it is stopped; AllStopError in all-stop mode."""
        with self.condition:
            found = self.device(device)
            if not 1 <= number <= found.topology.thread_count:
                raise NoThreadError(f"Invalid thread ID: {device}.{number}")
            thread = found.thread(found.topology.thread(number - 1))
            if thread.is_at_rest:
                raise NoThreadError(f"Thread {thread.id} ({thread.name}) is stopped already.")
            self._engine.debuggee.require_process()
            return self._control.interrupt_one(thread)

    def interrupt_threads(
        self, wanted: Callable[[HardwareThread], bool] = lambda _thread: True
    ) -> Stop | None:
        """Stops every running thread that is ``wanted``, in non-stop mode; None when none was.
        AllStopError in all-stop mode.

        ``wanted`` is asked of stopped threads: those that it refuses go on.
        """
        with self.condition:
            self._engine.debuggee.require_process()
            return self._control.interrupt_those(wanted)

    # --- the focused thread ----------------------------------------------------------------------

    def step_instruction(self, count: int = 1, over_calls: bool = False) -> Outcome:
        """The focused thread executes ``count`` instructions; all others stay stopped.

        ``over_calls``: a call counts as one.
        """
        return self._moves.step(lambda stepper: stepper.instructions(count, over_calls))

    def step_line(
        self, count: int = 1, over_calls: bool = False, follow_lane: bool = False
    ) -> Outcome:
        """The focused thread goes on to another source line, ``count`` times.

        ``over_calls``: a line's calls belong to it. ``follow_lane``: lines that leave the focused
        lane inactive do not count.
        """
        return self._moves.step(lambda stepper: stepper.lines(count, over_calls), follow_lane)

    def finish(self, level: int = 0) -> Outcome:
        """The focused thread runs until its frame ``level`` returns; NoThreadError for a kernel's
        own frame, or when the calling one is not known."""
        return self._moves.step(lambda stepper: stepper.finish(level))

    def return_from(self, call: DroppedCall, returned: Mapping[int, bytes]) -> Outcome:
        """The function of ``call``, one of the focused thread's, returns at once; ``returned``:
        the general registers, by number, that have its value."""

        def dropped(focus: Focus) -> Outcome:
            frames = FrameReturn(self._engine, self._control, focus.thread)
            ended = frames.drop(call, returned)
            return frames.done() if ended is None else ended

        return self._moves.move_focused(dropped)

    def until_line(self, follow_lane: bool = False) -> Outcome:
        """As a step over calls, but not back to the start of a loop."""
        return self._moves.step(lambda stepper: stepper.until_line(), follow_lane)

    def advance_to(self, spec: str, within_frame: bool = False) -> Outcome:
        """The focused thread runs to a place (as in :meth:`break_at`) of its module;
        BreakpointError when there is none. ``within_frame``: or until its frame returns."""
        return self._moves.step(lambda stepper: stepper.to_place(spec, within_frame))

    # --- in the background (non-stop mode) -------------------------------------------------------

    def in_background(self, action: Callable[[], object]) -> None:
        """Starts ``action``, one of the methods here, and does not wait for its end, which is
        reported as any stop is, and so are errors. Only in non-stop mode: AllStopError."""
        with self.condition:
            self.require_non_stop()
            self._moves.in_background(action)

    # --- its own ---------------------------------------------------------------------------------

    def _run_control(self, state: SessionState, one_by_one: bool = True) -> RunControl:
        """How the process of a new run stops and goes on; ``one_by_one``: thread by thread, if
        the user wants that."""
        forget = self._lifecycle.retire_detached_devices
        if state is not SessionState.NO_PROCESS and self._wants_non_stop and one_by_one:
            return NonStop(self._engine, self._ended, forget)
        return AllStop(self._engine, self._ended, forget, state)

    def _begin(self, state: SessionState, one_by_one: bool = True) -> None:
        self._control.close()
        self._engine.new_run()
        self.time.forget()
        self._control = self._run_control(state, one_by_one)

    def _ended(self, exited: Exited) -> None:
        """The process is gone."""
        self.breakpoints.explain_never_hit(self._lifecycle.was_attached)
        self._finish(exited)

    def _over(self, outcome: Outcome) -> Outcome:
        return self._control.over(outcome)

    def _finish(self, exited: Exited | None) -> None:
        """The process is gone, or (None) left alone."""
        with signals_held():
            if exited is not None:
                self._control.settle_end()
            self._lifecycle.end()
            self._begin(SessionState.NO_PROCESS)
        if exited is not None:
            self._engine.notifier.notify(ProgramExited(exited))

    def _require_no_process(self) -> None:
        if self.process is not None:
            raise AlreadyRunningError("A program is being debugged already: kill or detach it.")
