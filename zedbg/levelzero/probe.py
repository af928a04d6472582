"""Run as a program: prints the devices that can be debugged, as JSON.

A separate process, because a driver may crash while it starts, and because the loader opens its
drivers only once.
"""

from __future__ import annotations

import json
import sys

from zedbg.levelzero.core_driver import all_devices
from zedbg.levelzero.errors import LevelZeroError, LoaderMissing, LoaderTooOld


def main() -> int:
    """Prints ``{"devices": [...]}`` or ``{"devices": [], "error": "..."}``."""
    try:
        names = [device.properties.name for device in all_devices() if device.can_be_debugged]
        print(json.dumps({"devices": names}))
    except (LevelZeroError, LoaderMissing, LoaderTooOld) as error:
        print(json.dumps({"devices": [], "error": str(error)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
