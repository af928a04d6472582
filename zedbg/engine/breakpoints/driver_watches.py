"""What drivers watch for watchpoints, where they can watch memory and registers."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.engine.breakpoints.expression_sample import ExpressionSample
from zedbg.engine.breakpoints.watch import Watch, WatchAccess
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.levelzero.level_zero_errors import LevelZeroError


class DriverWatches:
    """Gives drivers what they are to watch, and takes it back.

    ``warn`` is given a line where that is refused. All calls are made with the session's lock held.
    """

    def __init__(self, debuggee: Debuggee, warn: Callable[[str], None]) -> None:
        self._debuggee = debuggee
        self._warn = warn

    def arm(self, watch: Watch) -> None:
        """Lets the driver watch, where it can; BreakpointError when nobody else could,
        LevelZeroError when the driver refuses."""
        calls = watch.thread.device.debug.watches
        requests = [] if calls is None else watch.sample.requests(watch.thread)
        if calls is not None and requests:
            watch.armed = tuple(calls.set(each) for each in requests)
            watch.by_driver = True
        elif watch.access is not WatchAccess.WRITE:
            raise BreakpointError(
                f"The driver of device {watch.thread.device.number} cannot watch reads. "
                "Watch for changes: watch EXPRESSION"
            )

    def disarm(self, watch: Watch) -> None:
        """Takes back what the driver was given for ``watch``."""
        device, numbers = watch.thread.device, watch.armed
        watch.armed, watch.looks_soon = (), False
        if device.debug.watches is None:
            return
        for number in numbers:
            try:
                device.debug.watches.clear(number)
            except LevelZeroError as error:
                if not self._debuggee.is_gone(device):
                    self._warn(f"The driver goes on to watch: {error}")

    def follow(self, watch: Watch) -> None:
        """The thread of ``watch`` has stopped: what its value depends on may be something else from
        here on. LevelZeroError when the driver refuses."""
        if watch.sample.is_fixed or not watch.armed:
            return
        self.disarm(watch)
        if watch.thread.is_stopped:
            self.arm(watch)

    def look_soon(self, watch: Watch) -> None:
        """Another thread has written to what the value of ``watch`` is found through. Its own
        thread, which runs, stops after its next instruction, and is looked at. LevelZeroError when
        the driver refuses."""
        calls = watch.thread.device.debug.watches
        if calls is None or watch.looks_soon or not isinstance(watch.sample, ExpressionSample):
            return
        watch.armed += (calls.set(watch.sample.next_instruction(watch.thread)),)
        watch.looks_soon = True
