"""Modules that a catchpoint waits for: the program waits too, until the user goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange
from zedbg.engine.events.stops import Stop
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.sycl import demangled

if TYPE_CHECKING:
    from zedbg.engine.breakpoints.breakpoint import Breakpoint
    from zedbg.engine.modules.loaded_module import LoadedModule
    from zedbg.engine.threads.device import Device
    from zedbg.levelzero.debug_events import DebugEvent

_MOST_NAMES = 8  # of a line; modules of libraries have hundreds of kernels


@dataclass(frozen=True)
class ModuleCatch:
    """A module that came or went, and the catchpoint that it hit."""

    catchpoint: Breakpoint
    module: LoadedModule
    change: ModuleChange

    def stop(self) -> Stop:
        """The stop that it makes."""
        names = list(map(demangled, self.module.kernel_names))
        if len(names) > _MOST_NAMES:
            names[_MOST_NAMES:] = [f"and {len(names) - _MOST_NAMES} more (info kernels)"]
        listed = ", ".join(names) or "no kernel"
        what = f"{self.change.value}ed module {self.module.number}: {listed}"
        return Stop(self.change.reason, detail=what, catchpoint=self.catchpoint)


class ModuleCatches:
    """What catchpoints for modules caught on one device. Calls are made with the lock held."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.caught: list[ModuleCatch] = []
        self._unacknowledged: list[DebugEvent] = []

    def add(self, catch: ModuleCatch, event: DebugEvent) -> None:
        """The program goes on behind ``event`` only with :meth:`release`."""
        self.caught.append(catch)
        if event.needs_acknowledge:
            self._unacknowledged.append(event)

    def take(self) -> ModuleCatch | None:
        """The oldest that has not been reported."""
        return self.caught.pop(0) if self.caught else None

    def release(self) -> list[LevelZeroError]:
        """Lets the program go on; what the driver refused."""
        events, self._unacknowledged = self._unacknowledged, []
        errors = []
        for event in events:
            try:
                self._device.debug.acknowledge(event)
            except LevelZeroError as error:
                errors.append(error)
        return errors
