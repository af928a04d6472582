"""A device on which a program is debugged, as it is handed to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.host.noted_launches import Launch
from zedbg.host.usm_allocations import UsmAllocations
from zedbg.levelzero.core_driver import DeviceProperties
from zedbg.levelzero.debug import ProgramDebug, RegsetProperties


@dataclass(frozen=True)
class OpenedDevice:
    """A session on one device, with what the engine needs to know of the device. ``launches`` and
    ``allocations``: of a program that is gone."""

    debug: ProgramDebug
    properties: DeviceProperties
    register_sets: list[RegsetProperties]
    pci_address: str | None = None
    launches: Sequence[Launch] = ()
    allocations: UsmAllocations | None = None
