"""Modules that a catchpoint waits for: the program waits too, until the user goes on."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange
from zedbg.engine.events.stops import Stop
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.sycl.kernel_names import demangled

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
