"""Environment variables that change what the loader and the drivers do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zedbg.levelzero.selection import ALT_DRIVERS, SIM_DEVICE
from zedbg.tools.doctor.drivers import SIMULATED_DEVICES
from zedbg.tools.doctor.findings import Finding, State
from zedbg.tools.doctor.machine import Machine

_DEBUG = "ZET_ENABLE_PROGRAM_DEBUGGING"
_HIERARCHY = "ZE_FLAT_DEVICE_HIERARCHY"
_NOTES = {
    "ZE_AFFINITY_MASK": "zedbg sees only these devices",
    "ZE_ENABLE_VALIDATION_LAYER": "calls are checked, and slower",
    "ZE_ENABLE_LOADER_INTERCEPT": "every call goes through the loader",
    "ZE_ENABLE_TRACING_LAYER": "calls are traced, and slower",
}


def check_environment(machine: Machine) -> Iterator[Finding]:
    """One row for each variable that is set and matters; one that says so when none is."""
    found = [*_switches(machine), *_drivers(machine), *_devices(machine)]
    yield from found or [Finding("environment", State.OK, "nothing changes the drivers")]


def _switches(machine: Machine) -> Iterator[Finding]:
    environment = machine.environment
    debug = environment.get(_DEBUG)
    if debug == "1":
        yield _row(State.OK, _DEBUG, debug, "programs started here can be attached to")
    elif debug is not None:
        yield _row(
            State.WRONG,
            _DEBUG,
            debug,
            "programs started here cannot be attached to",
            f"export {_DEBUG}=1",
        )
    for name, meaning in _NOTES.items():
        value = environment.get(name)
        if value:
            yield _row(State.NOTE, name, value, meaning, f"unset {name}")
    if environment.get("ZE_ENABLE_NULL_DRIVER") == "1":
        name = "ZE_ENABLE_NULL_DRIVER"
        yield _row(State.WRONG, name, "1", "the null driver executes nothing", f"unset {name}")


def _drivers(machine: Machine) -> Iterator[Finding]:
    value = machine.environment.get(ALT_DRIVERS)
    if not value:
        return
    for name in value.split(","):
        if not name:
            meaning = "an empty name makes the loader call itself without end"
            fix = f"export {ALT_DRIVERS}={','.join(each for each in value.split(',') if each)}"
            yield _row(State.WRONG, ALT_DRIVERS, value, meaning, fix)
        elif "/" in name and not Path(name).exists():
            meaning = f"{name} does not exist; no other driver is looked for"
            yield _row(State.WRONG, ALT_DRIVERS, value, meaning, f"unset {ALT_DRIVERS}")
        else:
            meaning = "takes the place of the installed drivers"
            yield _row(State.NOTE, ALT_DRIVERS, value, meaning, f"unset {ALT_DRIVERS}")


def _devices(machine: Machine) -> Iterator[Finding]:
    hierarchy = machine.environment.get(_HIERARCHY)
    if hierarchy:
        meaning = "for programs; zedbg itself looks at whole devices, which alone can be debugged"
        yield _row(State.OK, _HIERARCHY, hierarchy, meaning)
    simulated = machine.environment.get(SIM_DEVICE)
    if simulated:
        unknown = [each for each in simulated.split(",") if each not in SIMULATED_DEVICES]
        if unknown:
            meaning = f"there is no simulated {', '.join(unknown)}"
            first, *others = SIMULATED_DEVICES
            fix = f"export {SIM_DEVICE}={first} (or {', '.join(others)})"
            yield _row(State.WRONG, SIM_DEVICE, simulated, meaning, fix)
        else:
            yield _row(State.OK, SIM_DEVICE, simulated, "the simulated device to use")


def _row(state: State, name: str, value: str, meaning: str, fix: str = "") -> Finding:
    return Finding("environment", state, f"{name}={value}: {meaning}", fix)
