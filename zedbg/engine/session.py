"""The session manager: one process under debug, all of its devices, and everything known of it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

from zedbg.engine.advancing import Advancer
from zedbg.engine.attaching import Opener, open_devices
from zedbg.engine.breakpoint_table import BreakpointTable
from zedbg.engine.breakpoints import Breakpoint, Condition, Log
from zedbg.engine.device import Device
from zedbg.engine.errors import (
    AlreadyRunningError,
    LaneError,
    NoThreadError,
    NotRunningError,
    ProgramRunsError,
)
from zedbg.engine.interruption import interrupt_on_sigint
from zedbg.engine.lifecycle import Lifecycle
from zedbg.engine.notifications import (
    FocusChanged,
    Notification,
    ProgramExited,
    Resumed,
    Subscription,
)
from zedbg.engine.process import LaunchOptions, Process
from zedbg.engine.run_control import RunControl
from zedbg.engine.stops import Exited, Outcome, Stop, StoppedThread, StopReason
from zedbg.engine.thread import HardwareThread, WorkItem
from zedbg.levelzero.errors import LevelZeroError
from zedbg.xe.coordinates import lanes_of

_KILL_SECONDS = 5.0
_DYING_SECONDS = 1.0


class SessionState(Enum):
    """What the process under debug does."""

    NO_PROCESS = "no process"
    RUNNING = "running"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Focus:
    """The thread and lane that commands look at."""

    thread: HardwareThread
    lane: int


class Session:
    """Made without a process; :meth:`launch` or :meth:`attach` give it one, again and again.

    Breakpoints belong to the session and outlive its processes. Methods may be called from any
    thread; those that run the program block until it stops. ``condition`` guards all state.
    ``open_devices`` opens the debug sessions of a process.
    """

    def __init__(self, open_devices: Opener = open_devices) -> None:
        self.condition = threading.Condition(threading.RLock())
        self.devices: list[Device] = []
        self.breakpoints = BreakpointTable(self)
        self.state = SessionState.NO_PROCESS
        self.stop: Stop | None = None
        self.interrupt_requested = False
        self.convenience_values: dict[str, object] = {}  # what users named: $1, $name
        self._lifecycle = Lifecycle(self, open_devices)
        self._run_control = RunControl(self)
        self._subscriptions: list[Subscription] = []
        self._focus: Focus | None = None
        self._detail = ""
        self._module_count = 0

    # --- a process ---------------------------------------------------------------------------

    @property
    def process(self) -> Process | None:
        """The process under debug."""
        return self._lifecycle.process

    def launch(self, options: LaunchOptions) -> int:
        """Starts a program; its pid. It runs up to its first Level Zero context and waits there
        for the first :meth:`continue_`, so that no kernel is missed. LaunchError says why not."""
        with self.condition:
            self._require_no_process()
            self.breakpoints.program_starts()
            process = self._lifecycle.launch(options)
            self._begin(SessionState.RUNNING)
            return process.pid

    def attach(self, pid: int) -> Outcome:
        """Debugs a running process, and stops what it runs on devices. AttachError says why not."""
        with self.condition:
            self._require_no_process()
            self.breakpoints.program_starts()
            self._lifecycle.attach(pid)
            self._begin(SessionState.RUNNING)
            return self._over(self._run_control.stop_now(StopReason.INTERRUPT))

    def kill(self) -> Exited:
        """Ends the process."""
        with self.condition:
            process = self._require_process()
            process.kill()
            self.condition.wait_for(lambda: process.exited is not None, _KILL_SECONDS)
            return self._finish(process.exited or Exited())

    def detach(self) -> None:
        """Takes breakpoints out, lets every thread run, and leaves the process alone."""
        with self.condition:
            self._require_process()
            for device in self.devices:
                if device.attached:
                    device.code.remove_all()
                    with contextlib.suppress(LevelZeroError, NoThreadError):
                        device.resume_all()
            self._finish(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session; a process that is still there goes on by itself."""
        with self.condition:
            if self.state is not SessionState.NO_PROCESS:
                self.detach()

    # --- running -----------------------------------------------------------------------------

    def continue_(self, timeout: float | None = None) -> Outcome | None:
        """Lets everything run until something stops; None when ``timeout`` seconds were over."""
        with self.condition, interrupt_on_sigint(self):
            self._require_process()
            if self.state is SessionState.STOPPED:
                hits = self._run_control.judge_new_stops(resume_false=False)
                if hits:
                    return self._over(self._run_control.collect(hits))
                self._resumed()
                self._run_control.resume_all()
            self._lifecycle.release()
            outcome = self._run_control.wait(timeout)
            return None if outcome is None else self._over(outcome)

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """The stop that there is, or the next one; None when ``timeout`` seconds were over."""
        if self.state is SessionState.STOPPED and self.stop is not None:
            return self.stop
        return self.continue_(timeout)

    def interrupt(self) -> None:
        """Asks whoever waits to stop everything; may be called from any thread."""
        with self.condition:
            self.interrupt_requested = True
            self.condition.notify_all()

    def step_instruction(self, count: int = 1, over_calls: bool = False) -> Outcome:
        """The focused thread executes ``count`` instructions; all others stay stopped.

        ``over_calls``: a call counts as one.
        """
        with self._stepping() as stepper:
            return self._over(stepper.instructions(count, over_calls))

    def step_line(
        self, count: int = 1, over_calls: bool = False, follow_lane: bool = False
    ) -> Outcome:
        """The focused thread goes on to another source line, ``count`` times.

        ``over_calls``: a line's calls belong to it. ``follow_lane``: lines that leave the focused
        lane inactive do not count.
        """
        with self._stepping(follow_lane) as stepper:
            return self._over(stepper.lines(count, over_calls))

    def finish(self, level: int = 0) -> Outcome:
        """The focused thread runs until its frame ``level`` returns; NoThreadError for a kernel's
        own frame, or when the calling one is not known."""
        with self._stepping() as stepper:
            ended = stepper.finish(level)
            return self._over(stepper.done() if ended is None else ended)

    def until_line(self, follow_lane: bool = False) -> Outcome:
        """As a step over calls, but not back to the start of a loop."""
        with self._stepping(follow_lane) as stepper:
            return self._over(stepper.until_line())

    def advance_to(self, spec: str, within_frame: bool = False) -> Outcome:
        """The focused thread runs to a place (as in :meth:`break_at`) of its module;
        BreakpointError when there is none. ``within_frame``: or until its frame returns."""
        with self._stepping() as stepper:
            return self._over(stepper.to_place(spec, within_frame))

    # --- what there is -------------------------------------------------------------------------

    def break_at(
        self,
        spec: str,
        *,
        temporary: bool = False,
        condition_text: str | None = None,
        condition: Condition | None = None,
        thread: tuple[int, int] | None = None,
        lane: int | None = None,
        log_text: str | None = None,
        log: Log | None = None,
    ) -> Breakpoint:
        """A breakpoint at ``FILE:LINE``, ``LINE``, a function or ``*ADDRESS``; see Breakpoint."""
        with self.condition:
            return self.breakpoints.add(
                spec,
                temporary=temporary,
                condition_text=condition_text,
                condition=condition,
                thread=thread,
                lane=lane,
                log_text=log_text,
                log=log,
            )

    def device(self, number: int) -> Device:
        """Device ``number``, from 1."""
        for device in self.devices:
            if device.number == number:
                return device
        raise NoThreadError(f"There is no device {number}.")

    def thread(self, device: int, number: int) -> HardwareThread:
        """Stopped thread ``number`` of ``device``; NoThreadError when it is not stopped."""
        with self.condition:
            return self.device(device).thread_numbered(number)

    def stopped_threads(self) -> list[HardwareThread]:
        """Every stopped thread, also those that were only halted with the rest."""
        with self.condition:
            self._require_stopped()
            return [t for device in self.devices for t in device.stopped_threads()]

    def find_work_item(self, global_id: tuple[int, int, int]) -> WorkItem:
        """The work-item among the stopped threads; NoThreadError when no thread runs it."""
        for thread in self.stopped_threads():
            ids = thread.global_ids()
            if not isinstance(ids, list):
                continue
            for lane in lanes_of(thread.dispatch_lanes):
                if ids[lane] == global_id:
                    item = thread.lanes()[lane].work_item
                    if isinstance(item, WorkItem):
                        return item
        wanted = ",".join(str(part) for part in global_id)
        raise NoThreadError(f"No stopped thread executes work-item {wanted}.")

    # --- focus ---------------------------------------------------------------------------------

    @property
    def focus(self) -> Focus | None:
        """The focused thread and lane; None while nothing is stopped."""
        return self._focus if self.state is SessionState.STOPPED else None

    def require_focus(self) -> Focus:
        """The focus, or an error that says why there is none."""
        self._require_stopped()
        if self._focus is None or not self._focus.thread.is_stopped:
            raise NoThreadError("No thread selected")
        return self._focus

    def select(self, thread: HardwareThread, lane: int | None = None) -> Focus:
        """Focuses ``thread``, and ``lane`` or its lowest active one; LaneError for a lane that
        is inactive or does not exist."""
        active = thread.active_lanes
        if lane is None:
            lane = next(iter(lanes_of(active)), 0)
        elif lane >= thread.simd_width:
            raise LaneError(f"Incorrect SIMD lane number: {lane}.")
        elif not active >> lane & 1:
            raise LaneError(f"SIMD lane {lane} is inactive in thread {thread.id}")
        self._focus = Focus(thread, lane)
        return self._focus

    def focused_lane_of(self, thread: HardwareThread) -> int | None:
        """The focused lane if ``thread`` is the focused thread."""
        focus = self._focus
        return focus.lane if focus is not None and focus.thread is thread else None

    # --- notifications -------------------------------------------------------------------------

    def subscribe(self) -> Subscription:
        """A queue that gets everything that happens from now on."""
        subscription = Subscription()
        self._subscriptions.append(subscription)
        return subscription

    def notify(self, notification: Notification) -> None:
        for subscription in self._subscriptions:
            subscription.put(notification)

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

    def wake(self) -> None:
        """Whoever waits looks again."""
        with self.condition:
            self.condition.notify_all()

    def next_module_number(self) -> int:
        self._module_count += 1
        return self._module_count

    def page_fault(self, device: Device, address: int) -> None:
        """The driver saw a fault: its address goes with the stop that follows."""
        self._detail = f"Page fault at {address:#x} on device {device.number}."

    def take_detail(self) -> str:
        """What is known beside the threads of the next stop."""
        detail, self._detail = self._detail, ""
        return detail

    def previous_focus(self) -> StoppedThread | None:
        """The focus of the last stop, for the next one to keep."""
        focus = self._focus
        return None if focus is None else StoppedThread(focus.thread, 1 << focus.lane)

    def stopped_with(self, stop: Stop) -> None:
        """Takes ``stop``, and the focus that it brings."""
        self.stop = stop
        self.state = SessionState.STOPPED
        before, chosen = self._focus, stop.focus
        if chosen is None:
            self._focus = None
            return
        lane = next(iter(lanes_of(chosen.lanes)), 0)
        if before is not None and before.thread is chosen.thread:
            if chosen.lanes >> before.lane & 1:
                lane = before.lane
            else:
                self.notify(FocusChanged(lane))
        self._focus = Focus(chosen.thread, lane)

    # --- its own -------------------------------------------------------------------------------

    def _begin(self, state: SessionState) -> None:
        self.state = state
        self.stop = None
        self._focus = None
        self._detail = ""
        self._module_count = 0
        self.interrupt_requested = False

    def _resumed(self) -> None:
        self.state = SessionState.RUNNING
        self.notify(Resumed())

    @contextlib.contextmanager
    def _stepping(self, follow_lane: bool = False) -> Iterator[Advancer]:
        with self.condition, interrupt_on_sigint(self):
            focus = self.require_focus()
            self._resumed()
            try:
                lane = focus.lane if follow_lane else None
                yield Advancer(self, self._run_control, focus.thread, lane)
            except BaseException:
                # Half a step is a stop all the same: the rest never ran.
                if self.state is SessionState.RUNNING:
                    self.state = SessionState.STOPPED
                raise

    def _over(self, outcome: Outcome) -> Outcome:
        if isinstance(outcome, Exited):
            self.breakpoints.explain_pending(self._lifecycle.was_attached)
            return self._finish(outcome)
        return outcome

    def _finish(self, exited: Exited | None) -> Exited:
        """The process is gone, or (None) left alone."""
        if exited is not None:
            self._lifecycle.settle()
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
