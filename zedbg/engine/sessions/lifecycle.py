"""How a session gets a process, and how it leaves it: launch, attach, exit, detach."""

from __future__ import annotations

import contextlib
from typing import IO

from zedbg.engine.engine_errors import AttachError, LaunchError
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.event_reader import EventReader
from zedbg.engine.events.notifications import Attached, NotAttached
from zedbg.engine.ground.notifier import Message, Severity
from zedbg.engine.modules.module_constants import BuiltModules, ModuleConstants
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.process.core_process import CoreProcess
from zedbg.engine.process.hold_server import HeldProgram, HoldServer
from zedbg.engine.process.process import AttachedProcess, LaunchedProcess, LaunchOptions, Process
from zedbg.engine.sessions.attaching import Opener
from zedbg.engine.threads.device import Device
from zedbg.levelzero.debug import ProgramDebug
from zedbg.levelzero.level_zero_errors import LevelZeroError, LoaderMissing, LoaderTooOld

_HELD_PATIENCE_SECONDS = 10.0
_ATTACH_PATIENCE_SECONDS = 2.0
_READERS_SECONDS = 5.0
_DETACHES = 2


class Lifecycle:
    """The process of a session and everything that lives as long as it does.

    Calls are made with the session's lock held.
    """

    def __init__(self, state: EngineState, open_devices: Opener) -> None:
        self._state = state
        self._debuggee = state.debuggee
        self._open_devices = open_devices
        self._readers: list[EventReader] = []
        self._device_count = 0
        self._hold: HoldServer | None = None
        self._held: list[HeldProgram] = []
        self._released = False
        self.was_attached = False  # whether the process has been debugged on a device
        self.built_modules = BuiltModules()

    def launch(self, options: LaunchOptions, standard_input: int | IO[bytes]) -> Process:
        """Starts the program; it waits at its first context until :meth:`release`. LaunchError says
        why it cannot be started."""
        self._released = False
        self.was_attached = False
        self.built_modules.clear()
        hold = HoldServer(self._program_held, self._module_built)
        try:
            process = LaunchedProcess(options, standard_input, hold.path, self._debuggee.wake)
        except LaunchError:
            hold.close()
            raise
        self._debuggee.process = process
        self._hold = hold
        return process

    def attach(self, pid: int) -> Process:
        """Opens the process's devices; AttachError when it has none."""
        opened = self._open_devices(pid, _ATTACH_PATIENCE_SECONDS)
        process = self._debuggee.process = AttachedProcess(pid, self._debuggee.wake)
        self._add_devices(pid, opened)
        return process

    def open_core(self, process: CoreProcess, opened: list[OpenedDevice]) -> None:
        """Takes the devices of a core file for those of a process."""
        self._debuggee.process = process
        self._add_devices(process.pid, opened)

    def release(self) -> None:
        """From now on programs that were launched run past their first context."""
        self._released = True
        for program in self._held:
            program.release()
        self._held.clear()

    def retire_detached_devices(self) -> None:
        """A launched shell may outlive the program that used the device: forget its devices."""
        if self._debuggee.devices and not self._debuggee.is_attached:
            self._close_devices()

    def end(self) -> None:
        """Closes the devices' sessions and forgets the process."""
        self.release()
        if self._hold is not None:
            self._hold.close()
            self._hold = None
        if self._debuggee.process is not None:
            self._debuggee.process.forget()
            self._debuggee.process = None
        self._close_devices()

    def _close_devices(self) -> None:
        readers, self._readers = self._readers, []
        devices, self._debuggee.devices = self._debuggee.devices, []
        self._device_count = 0
        self._state.breakpoints.program_ended()
        self._state.caught_modules.clear()
        for device in devices:
            device.attached = False
        for reader in readers:
            reader.close()
        # A session must not be detached under a reader's feet; waiting lets them take the lock.
        if not self._state.condition.wait_for(
            lambda: all(reader.finished for reader in readers), _READERS_SECONDS
        ):
            text = "The driver does not return from an event."
            self._state.notifier.notify(Message(text, Severity.ERROR))
            return
        for device in devices:
            self._detach(device.debug)

    def _detach(self, debug: ProgramDebug) -> None:
        """Ends the session on a device; what is refused for a moment's reason is tried again: until
        then no debugger could attach to the process."""
        for _ in range(_DETACHES):
            try:
                debug.detach()
            except LevelZeroError as error:
                refusal = error
            else:
                return
        self._state.warn(f"The process stays attached to: {refusal}")

    def _add_devices(self, pid: int, opened: list[OpenedDevice]) -> None:
        self.was_attached = True
        for one in opened:
            self._device_count += 1
            device = Device(self._device_count, one, self._state.variables)
            self._debuggee.devices.append(device)
            with contextlib.suppress(LevelZeroError):
                self._state.past.apply_settings(device, self._state.settings)
            reader = EventReader(self._state, device)
            self._readers.append(reader)
            device.read_events_until = reader.read_soon
            reader.start()
        in_core = self._debuggee.process is not None and not self._debuggee.process.can_run
        self._state.notifier.notify(Attached(pid, tuple(self._debuggee.devices), in_core))

    def _program_held(self, program: HeldProgram) -> None:
        """A launched program (or a child of it) made its first context and waits."""
        debuggee = self._debuggee
        with debuggee.condition:
            if debuggee.process is None or debuggee.is_attached:
                if debuggee.process is not None:
                    self._state.warn(
                        f"Process {program.pid} uses the device too; it runs undebugged."
                    )
                program.release()
                return
        # Not under the lock: Ctrl-C must get through while the driver makes us wait.
        try:
            opened = self._open_devices(program.pid, _HELD_PATIENCE_SECONDS)
        except (AttachError, LevelZeroError, LoaderMissing, LoaderTooOld) as error:
            self._state.notifier.notify(NotAttached(str(error), Severity.WARNING))
            program.release()
            return
        with debuggee.condition:
            if debuggee.process is None:
                for one in opened:
                    self._detach(one.debug)
                program.release()
                return
            self._close_devices()
            self._add_devices(program.pid, opened)
            if self._released:
                program.release()
            else:
                self._held.append(program)
            debuggee.condition.notify_all()

    def _module_built(self, constants: ModuleConstants) -> None:
        """A launched program gives the constants of a module values, and waits to build it."""
        with self._debuggee.condition:
            self.built_modules.add(constants, self._debuggee.modules_loaded)
