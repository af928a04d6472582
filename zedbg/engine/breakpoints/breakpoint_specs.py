"""What breakpoints and catchpoints are asked to stop at, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.modules.place_specs import PlaceSpec


@dataclass(frozen=True)
class LaunchSpec:
    """The first thread of every launch of a kernel whose name fits ``pattern``."""

    pattern: str


class ModuleChange(Enum):
    """What happens to a module."""

    LOAD = "load"
    UNLOAD = "unload"

    @property
    def reason(self) -> StopReason:
        """The reason of a stop at it."""
        return StopReason.MODULE_LOAD if self is ModuleChange.LOAD else StopReason.MODULE_UNLOAD


@dataclass(frozen=True)
class ModuleSpec:
    """A module that comes or goes, and that has a kernel whose name fits ``pattern``."""

    change: ModuleChange
    pattern: str


@dataclass(frozen=True)
class ExceptionSpec:
    """An exception of a thread. It stops the thread in any case; the catchpoint counts it."""

    reason: StopReason


@dataclass(frozen=True)
class WatchSpec:
    """A value instead of a place: what ``watch`` watches."""

    expression: str


CodeSpec = PlaceSpec | LaunchSpec
"""What becomes places in code."""

BreakpointSpec = CodeSpec | ModuleSpec | ExceptionSpec | WatchSpec
