"""The device that a test runs on: a simulated one, or a GPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from zedbg.levelzero.selection import choose_driver, debuggable_devices
from zedbg.user_error import UserError
from zedbg.xe.devices import DEVICES

REAL = "real"
AUTOMATIC = "auto"


@dataclass(frozen=True)
class Gpu:
    """What the fixture ``gpu`` gives.

    ``name``: that of the simulated device (``dg2``), or of the GPU. ``sim`` is what
    :func:`zedbg.launch` takes. ``environment``: of a program that shall use the device without a
    debugger.
    """

    name: str
    simulated: bool
    environment: Mapping[str, str]

    @property
    def sim(self) -> str | None:
        """The simulated device, None for a GPU."""
        return self.name if self.simulated else None

    def __str__(self) -> str:
        return self.name


class NoSuchDevice(UserError):
    """A test asks for a device that is not there."""


@cache
def find_gpu(wanted: str) -> Gpu | None:
    """The device that ``wanted`` names: a simulated one, ``real`` for a GPU that can be debugged,
    ``auto`` for that or else the simulated default. None when there is no GPU. Raises NoSuchDevice.
    """
    if wanted == REAL:
        simulated = "ZE_ENABLE_ALT_DRIVERS" in os.environ
        names = [] if simulated else debuggable_devices()
        return Gpu(names[0], False, dict(os.environ)) if names else None
    if wanted != AUTOMATIC and wanted not in DEVICES:
        raise NoSuchDevice(
            f"{wanted!r} is no device for tests: give {REAL}, {AUTOMATIC}, or one of "
            f"{', '.join(DEVICES)}"
        )
    choice = choose_driver(None if wanted == AUTOMATIC else wanted)
    return Gpu(choice.device, choice.simulated, {**os.environ, **choice.environment})
