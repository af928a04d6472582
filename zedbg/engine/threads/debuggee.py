"""The program under debug: its process and its devices."""

from __future__ import annotations

import threading

from zedbg.engine.engine_errors import CannotRunError, NoThreadError, NotRunningError
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.process.exited import Exited
from zedbg.engine.process.process import Process
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread

_DYING_SECONDS = 1.0


class Debuggee:
    """``condition`` guards all state of a session; it is notified whenever something changed."""

    def __init__(self) -> None:
        self.condition = threading.Condition(threading.RLock())
        self.process: Process | None = None
        self.devices: list[Device] = []
        self.modules_loaded = 0  # in this run, those that are gone again too

    @property
    def exited(self) -> Exited | None:
        """How the process ended, None while it is there.

        A process that was attached to is over for us when its last device session is.
        """
        process = self.process
        if process is None:
            return None
        if process.exited is not None:
            return process.exited
        gone = bool(self.devices) and not self.is_attached
        return Exited() if gone and not process.is_child else None

    @property
    def is_attached(self) -> bool:
        """Whether any device is under debug."""
        return any(device.attached for device in self.devices)

    def require_process(self) -> Process:
        """The process under debug; NotRunningError when there is none."""
        if self.process is None:
            raise NotRunningError
        return self.process

    def require_running(self) -> Process:
        """The process under debug, which can run; NotRunningError when there is none,
        CannotRunError for that of a core file."""
        process = self.require_process()
        if not process.can_run:
            raise CannotRunError
        return process

    def device(self, number: int) -> Device:
        """Device ``number``, from 1; NoThreadError when there is none."""
        for device in self.devices:
            if device.number == number:
                return device
        raise NoThreadError(f"There is no device {number}.")

    def device_of(self, thread: HardwareThread) -> Device:
        """The device of ``thread``; NoThreadError when it is gone."""
        for device in self.devices:
            if device is thread.device:
                return device
        raise NoThreadError(f"The device of thread {thread.id} is gone.")

    def is_gone(self, device: DeviceContents) -> bool:
        """Whether a call failed because the program has just died: its end is about to be seen."""
        with self.condition:
            return self.condition.wait_for(
                lambda: self.exited is not None or not device.attached, _DYING_SECONDS
            )

    def wake(self) -> None:
        """Commands that wait look again."""
        with self.condition:
            self.condition.notify_all()
