"""How a session gets a process, and how it leaves it: launch, attach, exit, detach."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from zedbg.engine.engine_errors import AttachError, LaunchError
from zedbg.engine.events.event_reader import EventReader
from zedbg.engine.events.notifications import Attached, Message, Severity
from zedbg.engine.events.stops import Exited
from zedbg.engine.modules.module_constants import BuiltModules, ModuleConstants
from zedbg.engine.sessions.attaching import OpenedDevice, Opener
from zedbg.engine.sessions.hold_server import HeldProgram, HoldServer
from zedbg.engine.sessions.process import AttachedProcess, LaunchedProcess, LaunchOptions, Process
from zedbg.engine.threads.device import Device
from zedbg.levelzero.debug import ProgramDebug
from zedbg.levelzero.level_zero_errors import LevelZeroError, LoaderMissing, LoaderTooOld

if TYPE_CHECKING:
    from zedbg.engine.sessions.session import Session

_HELD_PATIENCE_SECONDS = 10.0
_ATTACH_PATIENCE_SECONDS = 2.0
# After the process ended: how long its last events may take.
_LAST_EVENTS_SECONDS = 1.0
_READERS_SECONDS = 5.0
_DETACHES = 2


class Lifecycle:
    """The process of a session and everything that lives as long as it does.

    Calls are made with the session's lock held.
    """

    def __init__(self, session: Session, open_devices: Opener) -> None:
        self._session = session
        self._open_devices = open_devices
        self.process: Process | None = None
        self._readers: list[EventReader] = []
        self._device_count = 0
        self._hold: HoldServer | None = None
        self._held: list[HeldProgram] = []
        self._released = False
        self.was_attached = False  # whether the process has been debugged on a device
        self.built_modules = BuiltModules()

    def launch(self, options: LaunchOptions, standard_input: int | IO[bytes]) -> Process:
        """Starts the program; it waits at its first context until :meth:`release`."""
        self._released = False
        self.was_attached = False
        self.built_modules.clear()
        hold = HoldServer(self._program_held, self._module_built)
        try:
            self.process = LaunchedProcess(options, standard_input, hold.path, self._session.wake)
        except LaunchError:
            hold.close()
            raise
        self._hold = hold
        return self.process

    def attach(self, pid: int) -> Process:
        """Opens the process's devices; AttachError when it has none."""
        opened = self._open_devices(pid, _ATTACH_PATIENCE_SECONDS)
        self.process = AttachedProcess(pid, self._session.wake)
        self._add_devices(pid, opened)
        return self.process

    def release(self) -> None:
        """From now on programs that were launched run past their first context."""
        self._released = True
        for program in self._held:
            program.release()
        self._held.clear()

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
        devices = self._session.devices
        gone = bool(devices) and not any(device.attached for device in devices)
        return Exited() if gone and not process.is_child else None

    def retire_detached_devices(self) -> None:
        """A launched shell may outlive the program that used the device: forget its devices."""
        if any(device.attached for device in self._session.devices):
            return
        if self._session.devices:
            self._close_devices()

    def settle(self) -> None:
        """After the exit: takes what the devices still have to say, for a short while."""
        self._session.condition.wait_for(
            lambda: not any(device.attached for device in self._session.devices),
            _LAST_EVENTS_SECONDS,
        )

    def end(self) -> None:
        """Closes the devices' sessions and forgets the process."""
        self.release()
        if self._hold is not None:
            self._hold.close()
            self._hold = None
        if self.process is not None:
            self.process.forget()
            self.process = None
        self._close_devices()

    def _close_devices(self) -> None:
        session = self._session
        readers, self._readers = self._readers, []
        devices, session.devices = session.devices, []
        self._device_count = 0
        session.breakpoints.program_ended()
        for device in devices:
            device.attached = False
        for reader in readers:
            reader.close()
        # A session must not be detached under a reader's feet; waiting lets them take the lock.
        if not session.condition.wait_for(
            lambda: all(reader.finished for reader in readers), _READERS_SECONDS
        ):
            session.notify(Message("The driver does not return from an event.", Severity.ERROR))
            return
        for device in devices:
            self._detach(device.debug)

    def _detach(self, debug: ProgramDebug) -> None:
        """Ends the session on a device; what is refused for a moment's reason is tried again: until
        then nobody could debug the process."""
        for _ in range(_DETACHES):
            try:
                debug.detach()
            except LevelZeroError as error:
                refusal = error
            else:
                return
        self._warn(f"The process stays attached to: {refusal}")

    def _add_devices(self, pid: int, opened: list[OpenedDevice]) -> None:
        session = self._session
        self.was_attached = True
        for one in opened:
            self._device_count += 1
            device = Device(
                session,
                self._device_count,
                one.debug,
                one.properties,
                one.register_sets,
                one.pci_address,
            )
            session.devices.append(device)
            reader = EventReader(session, device)
            self._readers.append(reader)
            device.event_reader = reader
            reader.start()
        session.notify(Attached(pid, tuple(session.devices)))

    def _program_held(self, program: HeldProgram) -> None:
        """A launched program (or a child of it) made its first context and waits."""
        session = self._session
        with session.condition:
            if self.process is None or any(device.attached for device in session.devices):
                if self.process is not None:
                    self._warn(f"Process {program.pid} uses the device too; it runs undebugged.")
                program.release()
                return
        # Not under the lock: Ctrl-C must get through while the driver makes us wait.
        try:
            opened = self._open_devices(program.pid, _HELD_PATIENCE_SECONDS)
        except (AttachError, LevelZeroError, LoaderMissing, LoaderTooOld) as error:
            self._warn(str(error))
            program.release()
            return
        with session.condition:
            if self.process is None:
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
            session.condition.notify_all()

    def _module_built(self, constants: ModuleConstants) -> None:
        """A launched program gives the constants of a module values, and waits to build it."""
        with self._session.condition:
            self.built_modules.add(constants, self._session.modules_loaded)

    def _warn(self, text: str) -> None:
        self._session.notify(Message(text, Severity.WARNING))
