"""The loader, the drivers that it opens, their devices, and the simulated GPU."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from zedbg.levelzero.newest import COMPILER
from zedbg.levelzero.probe import DriverReport
from zedbg.levelzero.selection import ALT_DRIVERS, SIM_DEVICE
from zedbg.tools.doctor.findings import Finding, State
from zedbg.tools.doctor.machine import Machine
from zedbg.xe.devices import DEFAULT_DEVICE, DEVICES

SIMULATED_DEVICES = tuple(DEVICES)
_REINSTALL = "pip install --force-reinstall zedbg"
_INTEL_DRIVER = "install Intel's compute runtime, on Debian with: apt install libze-intel-gpu1"
_FETCH = 'zedbg fetch, then: eval "$(zedbg env)"'
_EU_DEBUG = "switch EU debug on (see the row EU debug)"


def check_loader(report: DriverReport) -> Iterator[Finding]:
    """Whether there is a Level Zero loader."""
    if report.loader_missing:
        yield Finding("loader", State.WRONG, report.error, "apt install libze1")
    elif report.crashed:
        yield Finding(
            "loader",
            State.WRONG,
            f"a process that opens Level Zero fails: {report.error}",
            f"unset {ALT_DRIVERS} and the ZE_ENABLE_* variables to find the driver that causes it",
        )
    elif report.loader_outdated:
        yield Finding(
            "loader",
            State.NOTE,
            "libze_loader.so.1 opens, but lacks functions that SYCL programs (dpctl, dpnp) call: "
            "they crash",
            _FETCH,
        )
    else:
        yield Finding("loader", State.OK, "libze_loader.so.1 opens")


def check_compiler(machine: Machine) -> Iterator[Finding]:
    """What the simulated GPU compiles SPIR-V with."""
    chosen = machine.environment.get(COMPILER)
    found = shutil.which(chosen or "ocloc", path=machine.environment.get("PATH", ""))
    if found is None and chosen:
        what = f"{COMPILER}={chosen} cannot be run: programs with SPIR-V cannot load it"
        yield Finding("compiler", State.WRONG, what, f"unset {COMPILER}, or name Intel's ocloc")
    elif found is None:
        what = "there is no ocloc: the simulated GPU takes native modules only, no SPIR-V"
        yield Finding("compiler", State.MISSING, what, _FETCH)
    else:
        yield Finding("compiler", State.OK, f"SPIR-V is compiled with {found}")


def check_drivers(machine: Machine, report: DriverReport) -> Iterator[Finding]:
    """What the environment's drivers offer: other than the simulated one, a real GPU's."""
    if report.loader_missing or report.crashed:
        return
    if not report.drivers:
        chosen = machine.environment.get(ALT_DRIVERS)
        fix = f"unset {ALT_DRIVERS}" if chosen else _INTEL_DRIVER
        why = report.error or "the loader found no driver"
        yield Finding("driver", State.WRONG if chosen else State.MISSING, why, fix)
    for driver in report.drivers:
        major, minor = driver.api_version
        count = len(driver.devices)
        found = f"API {major}.{minor}, {count} device{'s' if count != 1 else ''}"
        yield Finding("driver", State.OK if count else State.MISSING, found)
        for device in driver.devices:
            if device.can_be_debugged:
                yield Finding("device", State.OK, f"{device.name}: can be debugged")
            elif device.is_gpu:
                found = f"{device.name}: its driver does not offer program debug"
                yield Finding("device", State.WRONG, found, _EU_DEBUG)
            else:
                yield Finding("device", State.NOTE, f"{device.name}: no GPU")


def check_simulated(machine: Machine) -> Iterator[Finding]:
    """Whether the simulated GPU can be had, and its programs be held."""
    driver = machine.simulated_driver
    if driver is None or not driver.exists():
        found = f"{driver} does not exist" if driver else "it is not in this installation"
        yield Finding("simulated GPU", State.WRONG, found, _REINSTALL)
    else:
        environment = {
            **machine.environment,
            ALT_DRIVERS: str(driver),
            SIM_DEVICE: DEFAULT_DEVICE,
        }
        report = machine.probe(environment)
        names = report.debuggable
        if names:
            yield Finding(
                "simulated GPU", State.OK, f"{names[0]}: use zedbg --sim={DEFAULT_DEVICE}"
            )
            yield Finding("simulated GPU", State.OK, f"its driver: {driver}")
        else:
            why = report.error or "it offers no device that can be debugged"
            fix = "apt install libze1" if report.loader_missing else _REINSTALL
            yield Finding("simulated GPU", State.WRONG, why, fix)
    hold = machine.hold_library
    if hold is None or not hold.exists():
        found = "the library that holds launched programs is missing: run cannot start any"
        yield Finding("hold library", State.WRONG, found, _REINSTALL)
    else:
        found = f"programs are held until zedbg is attached: {hold}"
        yield Finding("hold library", State.OK, found)
