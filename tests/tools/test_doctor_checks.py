"""zedbg doctor over machines that are made up: every part there, and every part missing."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.devices import ALL
from tests.support.packed_modules import ZEBINS
from zedbg.levelzero.probe import DriverReport, ProbedDevice, ProbedDriver
from zedbg.tools.doctor.findings import State
from zedbg.tools.doctor.machine import Machine
from zedbg.tools.doctor.main import findings, is_healthy, main

ARC = ProbedDevice("Arc", True, True)
USER, RENDER = 1000, 105

OTHERS = ", ".join(ALL[1:])


def report(*devices):
    return DriverReport((ProbedDriver((1, 3), devices),))


@pytest.fixture
def machine(tmp_path):
    """A machine with one Arc on which everything is as it should be."""
    root = tmp_path / "root"
    card = root / "sys/class/drm/card0"
    driver = root / "sys/bus/pci/drivers/xe"
    for folder in (card / "device", driver, root / "dev/dri", root / "proc/sys/kernel/yama"):
        folder.mkdir(parents=True)
    (card / "device/vendor").write_text("0x8086\n")
    (card / "device/driver").symlink_to(driver)
    (card / "device/enable_eudebug").write_text("1\n")
    for name in ("card0", "renderD128"):
        (root / "dev/dri" / name).touch()
        (root / "dev/dri" / name).chmod(0o666)
    (root / "proc/sys/kernel/yama/ptrace_scope").write_text("0\n")
    (root / "proc/self").mkdir()
    (root / "proc/self/status").write_text("Name:\tx\nCapEff:\t0000000000000000\n")
    library = tmp_path / "library.so"
    library.touch()
    compiler = tmp_path / "ocloc"
    compiler.touch(mode=0o755)
    path = {"PATH": str(tmp_path)}
    return Machine(root, path, USER, frozenset({USER}), lambda _: report(ARC), library, library)


def rows_of(machine, check, files=()):
    found = [row for row in findings(machine, files) if row.check == check]
    assert found, check
    return found


def test_a_machine_on_which_all_is_well(machine, capsys):
    rows = list(findings(machine))
    assert {row.state for row in rows} == {State.OK}
    assert not any(row.fix for row in rows)
    assert is_healthy(rows) and main([], machine) == 0
    assert all(line.startswith("ok") for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("name", ["card0/device/enable_eudebug", "card0/prelim_enable_eu_debug"])
def test_eu_debug_that_is_off_names_the_file_to_write(machine, name):
    (machine.root / "sys/class/drm/card0/device/enable_eudebug").unlink()
    (machine.root / "sys/class/drm" / name).write_text("0\n")
    (row,) = rows_of(machine, "EU debug")
    assert (row.state, row.fix) == (State.WRONG, f"echo 1 | sudo tee /sys/class/drm/{name}")
    assert not is_healthy(list(findings(machine)))


def test_a_kernel_without_eu_debug_is_reported(machine):
    (machine.root / "sys/class/drm/card0/device/enable_eudebug").unlink()
    (row,) = rows_of(machine, "EU debug")
    assert row.state is State.WRONG and "(xe) has no EU-debug switch" in row.found
    assert "CONFIG_DRM_XE_EUDEBUG" in row.fix


def test_cards_of_others_do_not_count(machine):
    (machine.root / "sys/class/drm/card0/device/vendor").write_text("0x10de\n")
    (row,) = rows_of(machine, "EU debug")
    assert row.state is State.MISSING


def test_device_files_that_are_not_the_users_name_the_group(machine):
    path = machine.root / "dev/dri/renderD128"
    path.chmod(0o660)
    os.chown(path, 0, RENDER)
    wrong = [row for row in rows_of(machine, "device files") if row.state is State.WRONG]
    assert len(wrong) == 1 and "/dev/dri/renderD128: permission denied" in wrong[0].found
    assert wrong[0].fix.startswith("sudo usermod -aG ")
    member = replace(machine, group_ids=frozenset({RENDER}))
    assert rows_of(member, "device files")[0].state is State.OK


def test_no_device_files_at_all(machine):
    for path in (machine.root / "dev/dri").iterdir():
        path.unlink()
    assert rows_of(machine, "device files")[0].state is State.WRONG


@pytest.mark.parametrize(
    ("scope", "state"), [("0", State.OK), ("1", State.NOTE), ("2", State.NOTE), ("3", State.WRONG)]
)
def test_what_yama_allows(machine, scope, state):
    (machine.root / "proc/sys/kernel/yama/ptrace_scope").write_text(scope)
    assert rows_of(machine, "attaching")[0].state is state
    (machine.root / "proc/self/status").write_text("CapEff:\t0000000000080000\n")
    assert rows_of(machine, "attaching")[0].state is State.OK


@pytest.mark.parametrize(
    ("variable", "value", "state", "fix"),
    [
        ("ZET_ENABLE_PROGRAM_DEBUGGING", "1", State.OK, ""),
        ("ZET_ENABLE_PROGRAM_DEBUGGING", "0", State.WRONG, "export ZET_ENABLE_PROGRAM_DEBUGGING=1"),
        ("ZE_ENABLE_ALT_DRIVERS", "/nosuch.so", State.WRONG, "unset ZE_ENABLE_ALT_DRIVERS"),
        ("ZE_ENABLE_ALT_DRIVERS", "a.so,", State.WRONG, "export ZE_ENABLE_ALT_DRIVERS=a.so"),
        ("ZE_ENABLE_NULL_DRIVER", "1", State.WRONG, "unset ZE_ENABLE_NULL_DRIVER"),
        ("ZE_AFFINITY_MASK", "0", State.NOTE, "unset ZE_AFFINITY_MASK"),
        ("ZE_FLAT_DEVICE_HIERARCHY", "FLAT", State.OK, ""),
        ("XESIM_DEVICE", "dg3", State.WRONG, f"export XESIM_DEVICE={ALL[0]} (or {OTHERS})"),
        ("XESIM_DEVICE", "dg2,pvc", State.OK, ""),
    ],
)  # fmt: skip
def test_variables_that_matter(machine, variable, value, state, fix):
    rows = rows_of(replace(machine, environment={variable: value}), "environment")
    row = max(rows, key=lambda each: each.state is state)
    assert (row.state, row.fix) == (state, fix)
    assert row.found.startswith(f"{variable}={value}: ")


@pytest.mark.parametrize(
    ("answer", "check", "state"),
    [
        (DriverReport(error="no loader", loader_missing=True), "loader", State.WRONG),
        (DriverReport(error="signal 11", crashed=True), "loader", State.WRONG),
        (DriverReport(error="cannot initialise"), "driver", State.MISSING),
        (report(), "driver", State.MISSING),
        (report(replace(ARC, can_be_debugged=False)), "device", State.WRONG),
        (report(ProbedDevice("CPU", False, False)), "device", State.NOTE),
    ],
)
def test_what_the_loader_finds(machine, answer, check, state):
    asked = replace(machine, probe=lambda _: answer)
    row = rows_of(asked, check)[-1]
    assert row.state is state
    assert rows_of(asked, "simulated GPU")[0].state is State.WRONG


def test_an_installation_without_native_libraries_is_reported(machine, tmp_path):
    bare = replace(machine, simulated_driver=None, hold_library=tmp_path / "nosuch.so")
    for check in ("simulated GPU", "hold library"):
        (row,) = rows_of(bare, check)
        assert row.state is State.WRONG and "pip install" in row.fix


def test_debug_information_of_files(machine, tmp_path):
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"\x7fELF" + bytes(40))
    expected = {
        ZEBINS / "igc2-dg2-O0" / "vadd.zebin": (State.OK, "not optimised"),
        ZEBINS / "igc2-dg2-O2" / "vadd.zebin": (State.OK, "optimised, variables may be missing"),
        ZEBINS / "igc2-dg2-nodebug" / "vadd.zebin": (State.WRONG, "no debug information"),
        tmp_path / "nosuch": (State.WRONG, "No such file or directory"),
        garbage: (State.WRONG, ""),
        Path("/bin/true"): (State.NOTE, "no device code"),
    }
    for path, (state, words) in expected.items():
        row = rows_of(machine, f"debug info of {path.name}", [path])[-1]
        assert row.state is state and words in row.found, row


def test_a_loader_without_what_sycl_runtimes_call(machine):
    outdated = replace(report(ARC), loader_outdated=True)
    (row,) = rows_of(replace(machine, probe=lambda _: outdated), "loader")
    assert row.state is State.NOTE and "dpnp" in row.found and "zedbg fetch" in row.fix


def test_the_compiler_of_spirv(machine, tmp_path):
    (row,) = rows_of(machine, "compiler")
    assert row.state is State.OK and str(tmp_path / "ocloc") in row.found
    wrong = replace(machine, environment={"XESIM_OCLOC": "/nowhere/ocloc"})
    (row,) = rows_of(wrong, "compiler")
    assert row.state is State.WRONG and "/nowhere/ocloc" in row.found


def test_an_empty_root_says_everything_and_fails(tmp_path, capsys):
    """Nothing is there: no loader, no driver, no sysfs, no library."""
    missing = DriverReport(error="the loader cannot be opened", loader_missing=True)
    nothing = Machine(tmp_path, {}, USER, frozenset(), lambda _: missing, None, None)
    assert main(["--json"], nothing) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["command"], answer["ok"]) == ("doctor", False)
    states = {row["check"]: row["state"] for row in answer["rows"]}
    assert states == {
        "loader": "wrong",
        "EU debug": "missing",
        "device files": "missing",
        "attaching": "ok",
        "environment": "ok",
        "simulated GPU": "wrong",
        "hold library": "wrong",
        "compiler": "missing",
    }
    assert all(row["fix"] for row in answer["rows"] if row["state"] == "wrong")
