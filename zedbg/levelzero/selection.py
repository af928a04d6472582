"""Decides which driver the loader opens: a real one with a debuggable device, or the simulated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import zedbg
from zedbg.levelzero.errors import NoDebuggableDevice
from zedbg.levelzero.loader import loader_is_open

SIM_DRIVER_NAME = "libze_sim_gpu.so.1"
DEFAULT_SIM_DEVICE = "dg2"
DRIVER_OVERRIDE = "ZEDBG_SIM_DRIVER"  # path of a development build of the simulated driver
ALT_DRIVERS = "ZE_ENABLE_ALT_DRIVERS"
SIM_DEVICE = "XESIM_DEVICE"
PROBE_SECONDS = 30.0


@dataclass(frozen=True)
class DriverChoice:
    """What :func:`select_driver` decided.

    ``environment`` must be set before the loader opens, in this process and in programs to debug;
    ``message`` is one line for the user, empty when they asked for exactly this.
    """

    simulated: bool
    device: str
    environment: Mapping[str, str] = field(default_factory=dict)
    message: str = ""


def native_file(name: str, override: str) -> Path | None:
    """The library ``name`` that came with the package; the variable ``override`` goes first."""
    chosen = os.environ.get(override)
    if chosen:
        return Path(chosen).absolute()
    for folder in zedbg.__path__:
        candidate = Path(folder) / "native" / name
        if candidate.exists():
            return candidate
    return None


def select_driver(sim: str | None) -> DriverChoice:
    """Chooses a driver and sets it up in this process's environment.

    ``sim`` names a simulated device (``dg2``); None takes a real device when one can be debugged,
    or what ``ZE_ENABLE_ALT_DRIVERS`` already names, and the simulated one otherwise. Raises
    NoDebuggableDevice when there is neither, or when the loader is open with another driver.
    """
    choice = _simulated(sim, "") if sim else _real_or_simulated()
    changed = any(os.environ.get(name) != value for name, value in choice.environment.items())
    if changed and loader_is_open():
        raise NoDebuggableDevice(
            "this process opened Level Zero with another driver already: start a new one to change"
        )
    os.environ.update(choice.environment)
    return choice


def _simulated(device: str, message: str) -> DriverChoice:
    driver = native_file(SIM_DRIVER_NAME, DRIVER_OVERRIDE)
    if driver is None or not driver.exists():
        where = f": {driver} does not exist" if driver else " in this installation"
        raise NoDebuggableDevice(
            f"there is no simulated GPU{where}; reinstall zedbg with: pip install ."
        )
    environment = {ALT_DRIVERS: str(driver), SIM_DEVICE: device}
    return DriverChoice(True, device, environment, message)


def _real_or_simulated() -> DriverChoice:
    names = debuggable_devices()
    if names:
        simulated = SIM_DRIVER_NAME in os.environ.get(ALT_DRIVERS, "")
        return DriverChoice(simulated, names[0])
    device = os.environ.get(SIM_DEVICE, DEFAULT_SIM_DEVICE)
    return _simulated(
        device, f"No GPU that can be debugged was found: using the simulated one ({device})."
    )


def debuggable_devices() -> list[str]:
    """Names of the devices that this environment's drivers let us debug (asks in a subprocess)."""
    try:
        answer = subprocess.run(
            [sys.executable, "-m", "zedbg.levelzero.probe"],
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=True,
            text=True,
            env=os.environ | {"PYTHONPATH": _import_path()},
        ).stdout
        names = json.loads(answer.strip().splitlines()[-1])["devices"]
        return [str(name) for name in names]
    except (subprocess.SubprocessError, OSError, ValueError, KeyError, IndexError):
        return []  # a driver that crashes or hangs is as good as none


def _import_path() -> str:
    """So that the probe finds this very zedbg, however it was made importable."""
    own = [str(Path(folder).parent) for folder in zedbg.__path__]
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([*own, inherited] if inherited else own)
