"""Running and stopping: from resume to the next Stop."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from functools import partial

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.notifications import Resumed, Stopped
from zedbg.engine.events.stop_builder import STOP_REGISTERS, Hit, build_stop, judge
from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.deadlines import seconds_until, shorter
from zedbg.engine.ground.notifier import Message, Severity
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.running import interruption
from zedbg.engine.running.watchdog import Watchdog
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.registers_together import read_general_registers, read_together
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.levelzero.debug import ALL_THREADS
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable, NotReady
from zedbg.values.tables.bulk import keeping_all
from zedbg.xe.registers import ExceptionReason, RegisterKind

# After the first thread of a stop, those of other devices are given time to arrive at the same
# place by themselves: until none came for a while, but never long.
_SEVERAL = 2
_READ_TOGETHER = 256  # threads whose general registers conditions need
_SETTLE_QUIET_SECONDS = 0.01
_SETTLE_SECONDS = 0.1
# After the process ended: how long its last events may take.
_LAST_EVENTS_SECONDS = 1.0


class Others(Enum):
    """What other threads do while a command moves one."""

    STAY = "stay"  # stopped
    GO_TOO = "go too"  # they are resumed with it, and stopped when it has stopped
    RUN_ON = "run on"  # each is stopped or runs, as the user left it


class RunControl(ABC):
    """How a process runs and stops; one of two ways, chosen when its debugging begins: see
    :class:`zedbg.engine.running.all_stop.AllStop` and
    :class:`zedbg.engine.running.non_stop.NonStop`.

    All calls are made with the session's lock held; waiting releases it. ``ended`` is called, with
    the lock held, when the process is gone, ``forget_devices`` when it goes on without any.
    Methods raise LevelZeroError where the driver refuses.
    """

    def __init__(
        self,
        state: EngineState,
        ended: Callable[[Exited], None],
        forget_devices: Callable[[], None],
    ) -> None:
        self._state = state
        self._debuggee = state.debuggee
        self._ended = ended
        self._forget_devices = forget_devices

    # --- what differs between the two ------------------------------------------------------------

    @property
    @abstractmethod
    def run_state(self) -> SessionState:
        """Whether the process is stopped or runs."""

    @property
    @abstractmethod
    def focus(self) -> Focus | None:
        """The focused thread and lane; None while it cannot be looked at."""

    @abstractmethod
    def require_stopped(self) -> None:
        """ProgramRunsError when no thread can be looked at while the process runs."""

    @abstractmethod
    def require_focus(self) -> Focus:
        """The focus; NotRunningError, ProgramRunsError or NoThreadError when there is none."""

    @abstractmethod
    def attached(self, background: bool) -> Outcome | None:
        """What attaching to a process that runs ends with; ``background``: lets it run."""

    @abstractmethod
    def leave(self) -> None:
        """Before a detach."""

    @abstractmethod
    def close(self) -> None:
        """Nothing is reported from now on."""

    @abstractmethod
    def before_continue(self, background: bool) -> Outcome | None:
        """A stop that has not been reported, and that going on would lose."""

    @abstractmethod
    def watched_threads(self, all_threads: bool) -> dict[HardwareThread, list[Breakpoint]]:
        """The threads that go on with the focused one, or with ``all_threads``, and in which values
        are watched; the others stay stopped if there are any."""

    @property
    @abstractmethod
    def continues_alone(self) -> bool:
        """Whether only the focused thread goes on."""

    @abstractmethod
    def resume(self, all_threads: bool) -> None:
        """Lets everything go, or one thread where the mode is so and not ``all_threads``."""

    @abstractmethod
    def wait(self, timeout: float | None) -> Outcome | None:
        """What running ends with; None when ``timeout`` seconds were over first."""

    @abstractmethod
    def wait_only(
        self, timeout: float | None, go_on: Callable[[float | None], Outcome | None]
    ) -> Outcome | None:
        """The stop that there is, or the next one; None when ``timeout`` seconds were over first.
        ``go_on`` continues the process."""

    @abstractmethod
    def wait_for_exit(self) -> Outcome:
        """After a device went away under a step: the exit, or what else comes."""

    @abstractmethod
    def over(self, outcome: Outcome) -> Outcome:
        """A command ended with ``outcome``, and returns it."""

    @abstractmethod
    def unreported(self, thread: HardwareThread) -> Outcome | None:
        """A stop that has not been reported, and that moving ``thread`` would lose."""

    @abstractmethod
    def stopped_with(self, stop: Stop) -> None:
        """Takes ``stop``, and the focus that it brings."""

    @abstractmethod
    def interrupt(self) -> None:
        """The user asks for a stop of what the waiting command lets run."""

    @abstractmethod
    def interrupt_one(self, thread: HardwareThread) -> Stop | None:
        """Stops ``thread``; None when it does not run, or when the command that moves it reports
        the stop. AllStopError where threads do not stop one by one."""

    @abstractmethod
    def interrupt_those(self, wanted: Callable[[HardwareThread], bool]) -> Stop | None:
        """Stops every thread that runs and is ``wanted``; None when there was none.
        AllStopError where threads do not stop one by one."""

    @abstractmethod
    def begin_move(self, thread: HardwareThread) -> None:
        """A command moves ``thread`` from now on."""

    @abstractmethod
    def end_move(self, thread: HardwareThread) -> None:
        """No command moves ``thread`` any more."""

    @abstractmethod
    def half_done(self) -> None:
        """A command ended before its time: what it moved is stopped anyway."""

    @abstractmethod
    def others_during_step(self, locking: SchedulerLocking) -> Others:
        """What other threads do while a command moves one."""

    @abstractmethod
    def is_interrupted(self, thread: HardwareThread) -> bool:
        """Whether the user does not want to wait any more for ``thread``, which a command moves."""

    @abstractmethod
    def halt_moved(self, thread: HardwareThread) -> bool:
        """Stops ``thread``, which a command moves; whether it is there to be stopped."""

    @property
    @abstractmethod
    def interrupt_ends_wait(self) -> bool:
        """Whether a request to interrupt is news."""

    @abstractmethod
    def may_resume_false(self, wanted: bool, hits: bool) -> bool:
        """Whether threads that stopped for nothing go on before the next resume of everything.
        ``wanted``: the caller wants that; ``hits``: others stopped for a reason."""

    # --- what both do ----------------------------------------------------------------------------

    def resumed(self) -> None:
        """Something runs again."""
        self._state.notifier.notify(Resumed())

    def wait_watched(
        self, predicate: Callable[[], bool], deadline: float | None, watchdog: Watchdog
    ) -> bool:
        """Waits for ``predicate`` while ``watchdog`` watches; False when it is ``deadline``."""
        while True:
            remaining = seconds_until(deadline)
            silence = watchdog.seconds_left()
            if self.wait_for(predicate, shorter(remaining, silence)):
                return True
            if deadline is not None and time.monotonic() >= deadline:
                return False
            if silence is not None and (watchdog.seconds_left() or 0) <= 0:
                watchdog.speak()
                self._state.waits()

    def caught_before_end(self) -> Stop | None:
        """What the program was caught at just before its end, if that has not been reported:
        afterwards it could not be. Then the end is what comes next."""
        self.settle_end()
        caught = self.take_catch()
        return None if caught is None else self.report(caught)

    def caught_before_departure(self) -> Stop | None:
        """The same where the program has left all its devices, and goes on without: when all has
        been reported, these are forgotten."""
        if self._debuggee.is_attached:
            return None
        caught = self.take_catch()
        if caught is not None:
            return self.report(caught)
        self._forget_devices()
        return None

    def take_catch(self) -> Stop | None:
        """What a catchpoint caught that no thread did, the oldest first; None when nothing."""
        if self._state.caught_modules:
            return self._state.caught_modules.pop(0).stop()
        return self._state.page_faults.take_caught()

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        """Waits for ``predicate``, and shows what happens meanwhile; False when ``timeout`` seconds
        are over."""

        def look() -> bool:
            self._state.waits()
            return predicate()

        return self._state.condition.wait_for(look, timeout)

    def stop_now(self, reason: StopReason) -> Outcome:
        """Halts everything and reports what is there: for a user's interrupt."""
        self.halt()
        self._state.interrupt_requested = False
        exited = self._debuggee.exited
        if exited is not None:
            return exited
        hits = self.judge_new_stops(resume_false=False)
        if not hits:
            for device in self._debuggee.devices:
                threads = device.stopped_threads()
                read_together(device, threads, *STOP_REGISTERS)
                hits += [Hit(thread, reason, thread.active_lanes) for thread in threads]
        return self.report(build_stop(hits, self._state.focus.as_stopped()))

    def judge_new_stops(self, resume_false: bool, together: bool = False) -> list[Hit]:
        """Takes the stops that threads reported; threads that stopped for nothing go on.

        Without ``resume_false`` those stay halted like everything else, until the next resume.
        In non-stop mode they always go on, and threads that a command moves are left to it.
        ``together``: at once, if no other is stopped; only where no single thread is waited for.
        """
        hits: list[Hit] = []
        for device in self._debuggee.devices:
            arrived = [thread for thread in device.new_stops if not thread.is_moved]
            if not arrived:
                continue
            with keeping_all():  # until threads go on, which lets go of what was read of them
                stopped_for_nothing = self._judge_those(device, arrived, hits)
                if self.must_answer:
                    continue  # they stay where they are, until everything goes on
                if self.may_resume_false(resume_false, bool(hits)):
                    self._resume(device, stopped_for_nothing, together)
        return hits

    def _judge_those(
        self, device: Device, arrived: list[HardwareThread], hits: list[Hit]
    ) -> list[HardwareThread]:
        """Adds the hits of threads of ``device`` that ``arrived``; those that stopped for
        nothing."""
        for thread in arrived:
            del device.new_stops[thread]
        stopped_for_nothing = []
        read_together(device, arrived, *STOP_REGISTERS)
        with device.reading_ahead(), self._state.breakpoints.standing():
            for number, thread in enumerate(arrived):
                if self.must_answer:
                    unjudged = arrived[number:]
                    hits += self._leave_unjudged(unjudged)
                    break
                if number % _READ_TOGETHER == 1 and not arrived[number - 1].lacks(RegisterKind.GRF):
                    # A condition looks at general registers: so it will in the next threads.
                    read_general_registers(device, arrived[number : number + _READ_TOGETHER])
                made = self._judged(thread)
                hits += made
                if not made and thread.is_stopped:
                    stopped_for_nothing.append(thread)
        return stopped_for_nothing

    def _judged(self, thread: HardwareThread) -> list[Hit]:
        """Why ``thread`` stopped; nothing when that was for nothing, or when it is gone."""
        try:
            hits = judge(thread, self._state.breakpoints)
        except (LevelZeroError, NoThreadError) as error:
            self._lost(thread, error)
            return []
        if hits:
            thread.interrupt_wanted = False
        return hits

    def _leave_unjudged(self, threads: list[HardwareThread]) -> list[Hit]:
        """The user waits for an answer, and conditions take long: ``threads`` that stopped at
        breakpoints count as halted in front of them, and come to them again when they go on. The
        hits are those of the others."""
        hits: list[Hit] = []
        for thread in threads:
            if thread.control.reason is ExceptionReason.BREAKPOINT:
                thread.mark_stopped(ThreadState.HALTED)
            else:
                hits += self._judged(thread)
        return hits

    @property
    def must_answer(self) -> bool:
        """Whether the user asked for a stop so long ago that nothing may be tried before it."""
        return False

    def _resume(self, device: Device, threads: list[HardwareThread], together: bool) -> None:
        """Lets ``threads`` go on; all at once they stay in step.

        The driver's call for all threads also resumes a thread whose stop has been read, but not
        been taken: it stops again at once, since its cause is still set, and reports that again.
        What waited for that thread would meanwhile believe that it is stopped.
        """
        if together and device.only_stopped(threads):
            device.resume_all()
            return
        for thread in threads:
            try:
                thread.resume()
            except (LevelZeroError, NoThreadError) as error:
                self._lost(thread, error)

    def _lost(self, thread: HardwareThread, error: Exception) -> None:
        """A thread that reported a stop cannot be reached any more."""
        thread.mark_running()
        if not isinstance(error, NotAvailable | NoThreadError):
            self._state.warn(str(error))

    def halt(self) -> None:
        """Interrupts every device and waits until all have answered."""
        devices = self._debuggee.devices
        for device in devices:
            if not device.attached:
                continue
            try:
                device.debug.interrupt(ALL_THREADS)
                device.interrupts_pending += 1
            except NotReady:
                pass  # one is under way
            except NotAvailable:
                pass  # all are stopped
            except LevelZeroError as error:
                self._state.warn(str(error))
        answered = self._state.condition.wait_for(
            lambda: all(
                d.interrupts_pending <= 0 or not d.attached for d in self._debuggee.devices
            ),
            interruption.INTERRUPT_SECONDS,
        )
        for device in self._debuggee.devices:
            device.stands_still = device.interrupts_pending <= 0
        if not answered:
            text = "The device does not answer an interrupt."
            self._state.notifier.notify(Message(text, Severity.ERROR))

    def report(self, stop: Stop) -> Stop:
        """Makes ``stop`` the session's, with its focus; hit temporary breakpoints go."""
        self.stopped_with(stop)
        self._state.breakpoints.made_stop(stop.breakpoints)
        self._state.notifier.notify(Stopped(stop))
        return stop

    def has_news(self) -> bool:
        """Whether anything happened that may end the wait for a stop."""
        state, debuggee = self._state, self._debuggee
        return (
            (state.interrupt_requested and self.interrupt_ends_wait)
            or debuggee.exited is not None
            or bool(self.arrivals())
            or bool(state.caught_modules)
            or state.page_faults.is_caught
            or (bool(debuggee.devices) and not debuggee.is_attached)
        )

    def settle(self) -> None:
        """Waits a moment for threads of other devices to stop by themselves.

        Each driver reports at once all the threads of a device that it finds stopped (Intel's asks
        ten times a second which are): to wait for more of them would not bring any.
        """
        if sum(device.attached for device in self._debuggee.devices) < _SEVERAL:
            return
        deadline = time.monotonic() + _SETTLE_SECONDS
        while time.monotonic() < deadline:
            arrived = partial(self._arrived_since, self.arrivals())
            if not self._state.condition.wait_for(arrived, _SETTLE_QUIET_SECONDS):
                return

    def arrivals(self) -> int:
        """How many stops are not judged yet, without those of threads that are moved."""
        devices = self._debuggee.devices
        return sum(not thread.is_moved for device in devices for thread in device.new_stops)

    def _arrived_since(self, before: int) -> bool:
        """Whether the number of stops that are not judged yet differs from ``before``."""
        return self.arrivals() != before

    def collect(self, hits: list[Hit]) -> Outcome:
        """Halts the rest, and makes one stop of everything that hit by then."""
        self.halt()
        hits += self.judge_new_stops(resume_false=False)
        exited = self._debuggee.exited
        if exited is not None:
            return exited
        self._state.interrupt_requested = False
        return self.report(self.stop_of(hits))

    def stop_of(self, hits: list[Hit]) -> Stop:
        """One stop of ``hits``."""
        faults = self._state.page_faults
        return build_stop(hits, self._state.focus.as_stopped(), faults.take_address())

    def settle_end(self) -> None:
        """After the exit: takes what the devices still have to say, for a short while."""
        self._state.condition.wait_for(lambda: not self._debuggee.is_attached, _LAST_EVENTS_SECONDS)

    def resume_threads(self, thread: HardwareThread | None) -> None:
        """Lets ``thread`` go on, or (None) every one that is at rest; and programs that wait for
        the answer to a module event."""
        for device in self._debuggee.devices:
            if not device.attached:
                continue
            try:
                if thread is None:
                    device.resume_all()
                elif thread.device is device:
                    thread.resume()
            except LevelZeroError:
                if not self._debuggee.is_gone(device):
                    raise
            for error in device.answer_module_events():
                self._state.warn(str(error))
