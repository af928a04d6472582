"""Run as a program: prints what the Level Zero loader finds, as JSON.

A separate process, because a driver may crash while it starts, and because the loader opens its
drivers only once.
"""

from __future__ import annotations

import ctypes
import json
import sys
from dataclasses import asdict, dataclass

from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.level_zero_errors import LevelZeroError, LoaderMissing, LoaderTooOld
from zedbg.levelzero.loader import LOADER_NAME


@dataclass(frozen=True)
class ProbedDevice:
    """A root device of a driver."""

    name: str
    is_gpu: bool
    can_be_debugged: bool


@dataclass(frozen=True)
class ProbedDriver:
    """A driver that the loader opened."""

    api_version: tuple[int, int]
    devices: tuple[ProbedDevice, ...]


@dataclass(frozen=True)
class DriverReport:
    """What there is; ``error`` is one line, empty when all went well.

    ``loader_missing``: there is no loader, or it is too old; ``crashed``: the process that asked
    ended before it could answer; ``loader_outdated``: it lacks what SYCL runtimes call.
    """

    drivers: tuple[ProbedDriver, ...] = ()
    error: str = ""
    loader_missing: bool = False
    crashed: bool = False
    loader_outdated: bool = False

    @property
    def debuggable(self) -> list[str]:
        """Names of the devices that can be debugged."""
        return [
            device.name
            for driver in self.drivers
            for device in driver.devices
            if device.can_be_debugged
        ]

    def to_json(self) -> str:
        """As :meth:`from_json` takes it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> DriverReport:
        """The opposite of :meth:`to_json`; ValueError, KeyError or TypeError for anything else."""
        fields = json.loads(text)
        found = tuple(
            ProbedDriver(
                (one["api_version"][0], one["api_version"][1]),
                tuple(ProbedDevice(**device) for device in one["devices"]),
            )
            for one in fields["drivers"]
        )
        return cls(
            found,
            fields["error"],
            fields["loader_missing"],
            fields["crashed"],
            fields["loader_outdated"],
        )


def report() -> DriverReport:
    """What the loader finds in this process."""
    try:
        return DriverReport(
            tuple(
                ProbedDriver(
                    driver.api_version,
                    tuple(
                        ProbedDevice(each.properties.name, each.is_gpu, each.can_be_debugged)
                        for each in driver.devices
                    ),
                )
                for driver in drivers()
            ),
            loader_outdated=_is_outdated(),
        )
    except LevelZeroError as error:
        return DriverReport(error=str(error), loader_outdated=_is_outdated())
    except (LoaderMissing, LoaderTooOld) as error:
        return DriverReport(error=str(error), loader_missing=True)


def _is_outdated() -> bool:
    """Whether the loader is older than 1.10 of the specification, of which these functions are."""
    return not hasattr(ctypes.CDLL(LOADER_NAME), "zeInitDrivers")


if __name__ == "__main__":
    print(report().to_json())
    sys.exit(0)
