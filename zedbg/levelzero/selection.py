"""Decides which driver the loader opens: a real one with a debuggable device, or the simulated."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zedbg.levelzero.level_zero_errors import NoDebuggableDevice
from zedbg.levelzero.loader import loader_is_open
from zedbg.levelzero.probe import DriverReport

SIM_DRIVER_NAME = "libze_sim_gpu.so.1"
DEFAULT_SIM_DEVICE = "dg2"
DRIVER_OVERRIDE = "ZEDBG_SIM_DRIVER"  # path of a development build of the simulated driver
ALT_DRIVERS = "ZE_ENABLE_ALT_DRIVERS"
SIM_DEVICE = "XESIM_DEVICE"
HIERARCHY = "ZE_FLAT_DEVICE_HIERARCHY"
_WHOLE_DEVICES = "COMPOSITE"
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

    @property
    def is_set_up(self) -> bool:
        """Whether this process's environment says the same."""
        return all(os.environ.get(name) == value for name, value in self.environment.items())

    @property
    def suits_this_process(self) -> bool:
        """Whether this process can use it: the loader opens its drivers once."""
        return self.is_set_up or not loader_is_open()


def _package_folders() -> list[Path]:
    """Where the package lies: an editable installation has its native part in a second folder."""
    return [Path(folder) for folder in sys.modules[__name__.partition(".")[0]].__path__]


def native_file(name: str, override: str) -> Path | None:
    """The library ``name`` that came with the package; the variable ``override`` goes first."""
    chosen = os.environ.get(override)
    if chosen:
        return Path(chosen).absolute()
    for folder in _package_folders():
        candidate = folder / "native" / name
        if candidate.exists():
            return candidate
    return None


def select_driver(sim: str | None, pid: int | None = None) -> DriverChoice:
    """Chooses a driver and sets it up in this process's environment.

    ``sim`` is as in :func:`choose_driver`; without it, ``pid`` is of a process whose driver it
    shall be. Raises NoDebuggableDevice when there is no such device,
    or when the loader is open with another driver.
    """
    choice = choose_driver(sim) if sim or pid is None else driver_of_process(pid)
    if not choice.suits_this_process:
        raise NoDebuggableDevice(
            "this process opened Level Zero with another driver already: start a new one to change"
        )
    use_driver(choice)
    return choice


def choose_driver(sim: str | None) -> DriverChoice:
    """Chooses a driver, and sets nothing up.

    ``sim`` names a simulated device (``dg2``); None takes a real device when one can be debugged,
    or what ``ZE_ENABLE_ALT_DRIVERS`` already names, and the simulated one otherwise. Raises
    NoDebuggableDevice when there is neither.
    """
    return _simulated(sim, "") if sim else _real_or_simulated()


def driver_of_process(pid: int) -> DriverChoice:
    """The driver that process ``pid`` was started with, as far as its environment says; otherwise
    as :func:`choose_driver` without a name. Raises NoDebuggableDevice."""
    try:
        entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return choose_driver(None)
    pairs = (entry.decode(errors="replace").partition("=") for entry in entries)
    chosen = {name: value for name, _, value in pairs if name in (ALT_DRIVERS, SIM_DEVICE)}
    if ALT_DRIVERS not in chosen:
        return choose_driver(None)
    simulated = uses_simulated_device(chosen)
    device = chosen.setdefault(SIM_DEVICE, DEFAULT_SIM_DEVICE) if simulated else ""
    return DriverChoice(simulated, device, chosen)


def use_driver(choice: DriverChoice) -> None:
    """Sets ``choice``, which suits this process, up in its environment."""
    os.environ.update(choice.environment)
    _look_at_whole_devices()


def helper_environment(choice: DriverChoice) -> dict[str, str]:
    """The environment of a process of ours that debugs with ``choice``, whatever this one uses."""
    return {
        **os.environ,
        **choice.environment,
        HIERARCHY: _WHOLE_DEVICES,
        "PYTHONPATH": import_path(),
    }


# What the user says that a device is, once this process says otherwise; None: nothing.
_hierarchy_of_programs: list[str | None] = []


def _look_at_whole_devices() -> None:
    """Debuggers attach to whole devices: where tiles are devices, as is the default of Intel's
    driver, none could be debugged. Programs keep what the user wants."""
    asked = os.environ.get(HIERARCHY)
    if asked != _WHOLE_DEVICES and not loader_is_open():
        _hierarchy_of_programs[:] = [asked]
        os.environ[HIERARCHY] = _WHOLE_DEVICES


def program_environment() -> dict[str, str]:
    """The environment of a program to debug, before what debugging adds."""
    environment = dict(os.environ)
    for asked in _hierarchy_of_programs:
        if asked is None:
            environment.pop(HIERARCHY, None)
        else:
            environment[HIERARCHY] = asked
    return environment


def uses_simulated_device(environment: Mapping[str, str]) -> bool:
    """Whether the driver of a program with ``environment`` is the simulated one."""
    return SIM_DRIVER_NAME in environment.get(ALT_DRIVERS, "")


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
        return DriverChoice(uses_simulated_device(os.environ), names[0])
    device = os.environ.get(SIM_DEVICE, DEFAULT_SIM_DEVICE)
    return _simulated(
        device, f"No GPU that can be debugged was found: using the simulated one ({device})."
    )


def debuggable_devices() -> list[str]:
    """Names of the devices that this environment's drivers let us debug (asks in a subprocess)."""
    return probe_drivers(os.environ).debuggable  # a driver that crashes is as good as none


def probe_drivers(environment: Mapping[str, str]) -> DriverReport:
    """What the loader finds in a process with ``environment``, which may crash or hang."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "zedbg.levelzero.probe"],
            capture_output=True,
            timeout=PROBE_SECONDS,
            text=True,
            env={**environment, HIERARCHY: _WHOLE_DEVICES, "PYTHONPATH": import_path()},
        )
    except subprocess.TimeoutExpired:
        return DriverReport(error=f"it does not answer for {PROBE_SECONDS:g} s", crashed=True)
    except OSError as error:
        return DriverReport(error=f"{sys.executable}: {error.strerror}", crashed=True)
    try:
        return DriverReport.from_json(done.stdout.strip().splitlines()[-1])
    except (ValueError, KeyError, IndexError, TypeError):
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
        return DriverReport(error=how, crashed=True)


def import_path() -> str:
    """PYTHONPATH for a process of ours: it finds this very zedbg, however that was found here."""
    own = [str(folder.parent) for folder in _package_folders()]
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([*own, inherited] if inherited else own)
