"""Which driver is chosen, and what the user reads."""

import os
import subprocess
import sys

import pytest

from zedbg.levelzero import selection
from zedbg.levelzero.level_zero_errors import NoDebuggableDevice
from zedbg.levelzero.selection import DriverChoice, select_driver


@pytest.fixture
def simulated(monkeypatch, tmp_path):
    driver = tmp_path / selection.SIM_DRIVER_NAME
    driver.touch()
    monkeypatch.setenv(selection.DRIVER_OVERRIDE, str(driver))
    monkeypatch.setattr(selection, "loader_is_open", lambda: False)
    for name in (selection.ALT_DRIVERS, selection.SIM_DEVICE):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return driver


def test_asking_for_a_simulated_device_takes_it_without_a_word(simulated):
    choice = select_driver("dg2")
    assert choice == DriverChoice(
        True, "dg2", {"ZE_ENABLE_ALT_DRIVERS": str(simulated), "XESIM_DEVICE": "dg2"}
    )
    assert os.environ["ZE_ENABLE_ALT_DRIVERS"] == str(simulated)


def test_a_real_device_goes_first(simulated, monkeypatch):
    monkeypatch.setattr(selection, "debuggable_devices", lambda: ["Arc"])
    assert select_driver(None) == DriverChoice(False, "Arc")
    assert "ZE_ENABLE_ALT_DRIVERS" not in os.environ


def test_without_a_real_device_the_simulated_one_is_taken_and_named(simulated, monkeypatch):
    monkeypatch.setattr(selection, "debuggable_devices", lambda: [])
    choice = select_driver(None)
    assert choice.simulated
    assert "simulated" in choice.message and "dg2" in choice.message


def test_a_missing_simulator_is_one_line_with_the_fix(simulated, monkeypatch):
    simulated.unlink()
    with pytest.raises(NoDebuggableDevice, match="pip install") as error:
        select_driver("dg2")
    assert "\n" not in str(error.value)


def test_the_driver_cannot_change_once_the_loader_is_open(simulated, monkeypatch):
    monkeypatch.setattr(selection, "loader_is_open", lambda: True)
    with pytest.raises(NoDebuggableDevice, match="another driver already"):
        select_driver("dg2")


def test_a_driver_that_crashes_counts_as_none(monkeypatch, tmp_path):
    monkeypatch.setattr(selection.sys, "executable", "/bin/false")
    assert selection.debuggable_devices() == []


def test_a_missing_loader_is_one_line_that_names_the_package():
    script = (
        "from zedbg.levelzero import loader\n"
        "loader.LOADER_NAME = 'libze_loader_that_is_not_there.so.1'\n"
        "try: loader.library()\n"
        "except loader.LoaderMissing as error: print(error)\n"
    )
    path = os.pathsep.join(entry for entry in sys.path if entry)
    output = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.count("\n") == 1
    assert "apt install libze1" in output
