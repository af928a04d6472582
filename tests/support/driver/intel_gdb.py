"""Intel's GDB, unmodified, with a program on the simulated GPU.

``ZEDBG_INTEL_GDB`` names it, as a command. It finds its gdbserver-ze as always, and looks for the
kernel's switch of EU debugging in /sys/class/drm: that takes root, to show it one.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import zedbg

GDB = shlex.split(os.environ.get("ZEDBG_INTEL_GDB", ""))
_SWITCHED_ON = (
    "mount -t tmpfs none /sys/class && mkdir -p /sys/class/drm/card0/device && "
    'echo 1 > /sys/class/drm/card0/device/enable_eudebug && exec "$@"'
)


def intel_gdb(*options: str) -> list[str]:
    """The command that starts it."""
    return ["unshare", "--mount", "sh", "-c", _SWITCHED_ON, "sh", *GDB, "-nx", *options]


def intel_gdb_environment(driver: Path, device: str, folder: Path) -> dict[str, str]:
    """The environment in which its program, which may be ``zedbg kernel``, has the simulated GPU;
    ``folder`` keeps the driver's sockets apart from all others."""
    import_path = os.pathsep.join(str(Path(each).parent) for each in zedbg.__path__)
    return {
        **os.environ,
        "PYTHONPATH": import_path,
        "XDG_RUNTIME_DIR": str(folder),
        "XESIM_DEVICE": device,
        "ZEDBG_SIM_DRIVER": str(driver),
        "ZET_ENABLE_PROGRAM_DEBUGGING": "1",
        "ZE_ENABLE_ALT_DRIVERS": str(driver),
    }
