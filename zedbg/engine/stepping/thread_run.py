"""One thread is resumed, alone or among the others, and waited for until it stops again."""

from __future__ import annotations

from enum import Enum

from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.ground.deadlines import seconds_until
from zedbg.engine.running.run_control import Others, RunControl
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError

_ENDINGS = 100  # times that a thread is resumed at its last instruction


class Advance(Enum):
    """How letting a single thread run ended."""

    STOPPED = "stopped"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    OTHERS = "others"  # other threads stopped; it may still run
    OVERDUE = "overdue"  # it may still run, and the time to wait for it is over
    EXITED = "exited"
    ELSEWHERE = "elsewhere"  # in the past: another thread came to a breakpoint
    PRESENT = "present"  # the past is over: the device shows the present again


class ThreadRun:
    """Lets ``thread`` of ``device`` go on, again and again. Calls are made with the lock held.

    ``others``: what everything else does; where it goes too, it goes on running when the thread
    has stopped. ``deadline`` (of time.monotonic): until then it is waited for.
    """

    def __init__(
        self,
        state: EngineState,
        run_control: RunControl,
        thread: HardwareThread,
        device: Device,
        others: Others,
        deadline: float | None = None,
    ) -> None:
        self._state = state
        self._debuggee = state.debuggee
        self._run = run_control
        self._thread = thread
        self._device = device
        self._others = others
        self._is_alone = others is Others.STAY
        self._deadline = deadline

    def advance(self, step: bool, in_context: bool = False) -> Advance:
        """Lets the thread go on (``step``: for one instruction) until it stops again.

        ``in_context``: it stops before its end. A thread at its end is resumed. At a barrier the
        other threads of its work-group run too, since the barrier would never be complete without
        them; all are halted again afterwards. Where others run, it may also end because they
        stopped.
        """
        thread, device = self._thread, self._device
        begin, stood_still = thread.pc, device.stands_still
        instruction = device.code.instruction(begin)
        ends = step and instruction is not None and instruction.ends_thread
        at_barrier = step and instruction is not None and instruction.waits_for_barrier
        peers = self._peers() if at_barrier and self._is_alone else []
        try:
            self._resume(step and not ends, in_context)
            for peer in peers:
                peer.resume()
        except LevelZeroError:
            if not self._debuggee.is_gone(device):
                raise
            return Advance.EXITED
        if ends:
            if self._others is not Others.RUN_ON:
                self._halt_after(begin)
            return Advance.ENDED
        if self._is_alone and not peers and device.read_events_until is not None:
            device.read_events_until(self._has_returned)
        advance = self._wait(others_run=self._others is Others.GO_TOO or bool(peers))
        if advance is Advance.STOPPED:
            if peers:
                self._run.halt()
            elif self._is_alone:
                device.stands_still = stood_still
        return advance

    def wait_on(self) -> Advance:
        """Waits on for the thread, which :meth:`advance` left running because others stopped."""
        return self._wait(others_run=True)

    def _resume(self, step: bool, in_context: bool) -> None:
        if self._others is not Others.GO_TOO:
            self._thread.resume(step, in_context)
            return
        stepping = self._thread if step else None
        for device in self._debuggee.devices:
            if device.attached:
                device.resume_all(stepping, others_run=not device.stands_still)

    def _wait(self, others_run: bool) -> Advance:
        """Until the thread has stopped, or something else ends the wait."""
        thread, device = self._thread, self._device
        if not self._run.wait_for(
            lambda: self._has_returned() or (others_run and self._run.arrivals() > 0),
            seconds_until(self._deadline),
        ):
            return Advance.OVERDUE
        if self._debuggee.exited is not None or not device.attached:
            return Advance.EXITED
        device.new_stops.pop(thread, None)
        if self._run.arrivals() and self._others is not Others.RUN_ON:
            return Advance.OTHERS
        return Advance.STOPPED if thread.is_stopped else Advance.INTERRUPTED

    def _has_returned(self) -> bool:
        thread = self._thread
        if thread.is_stopped:
            return True  # asked so often in a step that the rest is looked at only where it matters
        wanted = self._run.is_interrupted(thread)
        return wanted or self._debuggee.exited is not None or not self._device.attached

    def _peers(self) -> list[HardwareThread]:
        """The other stopped threads of the thread's work-group."""
        thread = self._thread
        workgroup = thread.workgroup
        return [
            other
            for other in self._device.stopped_threads()
            if other is not thread
            and _may_share_kernel(thread, other)
            and other.workgroup == workgroup
        ]

    def _halt_after(self, last: int) -> None:
        """Halts everything after the thread was resumed at ``last``, its last instruction: the halt
        may be quicker than the thread, which then has to be resumed once more."""
        device = self._device
        for _ in range(_ENDINGS):
            self._run.halt()
            if not device.attached or not device.is_halted_at(self._thread, last):
                return
            self._thread.resume()


def _may_share_kernel(one: HardwareThread, other: HardwareThread) -> bool:
    """Whether both may execute the same kernel: in a function of several it may not be known."""
    first, second = one.kernel_name, other.kernel_name
    return first is None or second is None or first == second
