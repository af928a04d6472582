"""What a session reports of programs, modules and stops."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.notifier import Message, Notification
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.process.exited import Exited
from zedbg.engine.threads.device import Device


@dataclass(frozen=True)
class Attached(Notification):
    """A process is under debug on ``devices``; ``in_core``: as a core file has it."""

    pid: int
    devices: tuple[Device, ...]
    in_core: bool = False


@dataclass(frozen=True)
class NotAttached(Message):
    """A program that was launched uses a device, and runs there without being debugged; why."""


@dataclass(frozen=True)
class ModuleLoaded(Notification):
    """A module is on a device, its symbols are known and its breakpoints are in."""

    module: LoadedModule


@dataclass(frozen=True)
class ModuleUnloaded(Notification):
    """A module left its device."""

    module: LoadedModule


@dataclass(frozen=True)
class Stopped(Notification):
    """The program stopped."""

    stop: Stop


@dataclass(frozen=True)
class Resumed(Notification):
    """Threads run again."""


@dataclass(frozen=True)
class FocusChanged(Notification):
    """Focus went to another lane by itself: ``[Switching to SIMD lane N]``."""

    lane: int


@dataclass(frozen=True)
class ProgramExited(Notification):
    """The program is gone."""

    exited: Exited
