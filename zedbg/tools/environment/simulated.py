"""The environment in which programs run on the simulated GPU."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import NoReturn

from zedbg.levelzero.level_zero_errors import NoDebuggableDevice
from zedbg.levelzero.newest import Newest, newest
from zedbg.levelzero.selection import choose_driver
from zedbg.xe.devices import DEFAULT_DEVICE, DEVICES, described_devices

DEBUGGABLE = "ZET_ENABLE_PROGRAM_DEBUGGING"


class Parser(argparse.ArgumentParser):
    """A command line with ``--sim``; a mistake is one line on standard error."""

    def __init__(self, name: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=f"zedbg {name}",
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_argument(
            "--sim",
            nargs="?",
            const=DEFAULT_DEVICE,
            default=DEFAULT_DEVICE,
            metavar="DEVICE",
            help=f"the simulated device: {described_devices()}; several with commas",
        )

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} ({self.prog} --help explains)", file=sys.stderr)
        raise SystemExit(2)


def simulated_environment(
    device: str, inherited: Mapping[str, str] = os.environ, fetched: Newest | None = None
) -> dict[str, str]:
    """The variables that programs need to run, and to be debugged, on the simulated ``device``.

    ``fetched``: what `zedbg fetch` made, that of the user if None. Raises NoDebuggableDevice when
    there is no such device.
    """
    unknown = [name for name in device.split(",") if name not in DEVICES]
    if unknown:
        raise NoDebuggableDevice(
            f"there is no simulated {', '.join(unknown)}: choose of {', '.join(DEVICES)}"
        )
    chosen = {**choose_driver(device).environment, DEBUGGABLE: "1"}
    return chosen | (fetched or newest()).added_to(inherited)
