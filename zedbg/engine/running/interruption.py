"""A thread that runs is stopped alone."""

from __future__ import annotations

from zedbg.engine.engine_errors import UnresponsiveError
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable, NotReady

# Intel's driver answers an interrupt that hits nothing after 2 s.
INTERRUPT_SECONDS = 10.0


def interrupt_thread(debuggee: Debuggee, thread: HardwareThread) -> bool:
    """Stops ``thread`` alone; False when it does not run. Called with the session's lock held.
    UnresponsiveError when the device does not answer, LevelZeroError when the driver refuses."""
    device = debuggee.device_of(thread)
    device.asked.add(thread)
    try:
        device.debug.interrupt(thread.place.fields)
    except NotReady:
        pass  # one for it is under way
    except LevelZeroError as error:
        device.asked.discard(thread)
        if isinstance(error, NotAvailable):  # no thread runs
            return thread.is_stopped
        raise
    answered = debuggee.condition.wait_for(
        lambda: thread.is_stopped or thread not in device.asked or not device.attached,
        INTERRUPT_SECONDS,
    )
    device.asked.discard(thread)
    if not answered:
        raise UnresponsiveError(f"{device.name} does not answer an interrupt of {thread.id}.")
    return thread.is_stopped
