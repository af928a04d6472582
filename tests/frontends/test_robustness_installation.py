"""What is missing or damaged around zedbg: loader, driver, modules, files. One clear line each."""

import re
from pathlib import Path

import pytest


def only_line(done):
    """The one line that a failing zedbg says; nothing else was shown."""
    assert done.code == 1 and done.out == "", done
    (line,) = done.err.splitlines()
    return line


@pytest.fixture
def broken_loader(tmp_path):
    """An environment in which the Level Zero loader cannot be opened."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    (folder / "libze_loader.so.1").write_text("not a library")
    return {"LD_LIBRARY_PATH": str(folder)}


def test_missing_loader_names_the_package(debugger, vadd, broken_loader):
    attaching = debugger.run("--batch", "--sim=dg2", "-p", "1", **broken_loader)
    hosting = debugger.run(*vadd[1:], "--device", "dg2", **broken_loader)
    for done in (attaching, hosting):
        line = only_line(done)
        assert "the Level Zero loader cannot be opened" in line and "apt install libze1" in line


def test_missing_loader_leaves_what_needs_none(debugger, broken_loader):
    done = debugger.batch(["help break", "info breakpoints"], **broken_loader)
    assert done.code == 0 and done.err == ""


def test_missing_driver_names_the_file(debugger, vadd):
    missing = {"ZEDBG_SIM_DRIVER": "/no/such/driver.so"}
    for done in (
        debugger.batch(["run"], vadd, **missing),
        debugger.run("--batch", "--sim=dg2", "-p", "1", **missing),
        debugger.run(*vadd[1:], "--device", "dg2", **missing),
    ):
        assert "/no/such/driver.so does not exist" in only_line(done)


def test_damaged_driver_is_one_line(debugger, vadd, tmp_path):
    garbage = tmp_path / "libze_sim_gpu.so.1"
    garbage.write_bytes(b"\x7fELF" + bytes(1000))
    damaged = {"ZEDBG_SIM_DRIVER": str(garbage)}
    for done in (
        debugger.run("--batch", "--sim=dg2", "-p", "1", **damaged),
        debugger.run(*vadd[1:], "--device", "dg2", **damaged),
    ):
        assert "no driver" in only_line(done)
    # A program under the debugger says it itself, and its breakpoints are accounted for.
    done = debugger.batch(["break vadd", "run"], vadd, **damaged)
    assert "no driver" in done.err and len(done.err.splitlines()) == 1
    assert done.lines[-2:] == [
        "Breakpoint 1 (vadd) was never in place: "
        "the program ended without using a Level Zero device.",
        "[Process exited with code 1]",
    ]


def test_unknown_simulated_device_is_named(debugger, vadd):
    words = [*vadd[1:], "--device", "nosuch"]
    done = debugger.run(*words)
    assert done.code == 1 and done.out == ""
    assert "XESIM_DEVICE=nosuch is not a simulated device" in done.err.splitlines()[0]


def test_missing_hold_library_says_how_to_go_on(debugger, vadd):
    done = debugger.batch(["run"], vadd, ZEDBG_HOLD_LIBRARY="/no/such/hold.so")
    assert "reinstall zedbg" in only_line(done)


@pytest.mark.parametrize("kept", [0, 3, 63, 64, 1000, 9000, -1])
def test_truncated_module_is_one_line(debugger, vadd, tmp_path, kept):
    whole = Path(vadd[2]).read_bytes()
    module = tmp_path / "truncated.zebin"
    module.write_bytes(whole[:kept])
    line = only_line(debugger.run("kernel", str(module), *vadd[3:], "--device", "dg2"))
    assert line.startswith("zedbg kernel: ")
    assert len(line) < 400


def test_truncated_module_under_the_debugger_is_the_programs_failure(debugger, vadd, tmp_path):
    module = tmp_path / "truncated.zebin"
    module.write_bytes(Path(vadd[2]).read_bytes()[:5000])
    done = debugger.batch(["break vadd", "run"], ["zedbg", "kernel", str(module), *vadd[3:]])
    assert len(done.err.splitlines()) == 1
    assert done.lines[-1] == "[Process exited with code 1]"
    assert "loaded no module" in done.lines[-2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["-p", "many"], '"many" is no process id'),
        (["--batch", "-x", "/no/such/script"], "/no/such/script: No such file or directory"),
        (["kernel"], "the following arguments are required"),
        (["kernel", "/no/such.zebin", "--global", "1"], "/no/such.zebin"),
        (["kernel", "/etc/hostname", "--global", "x"], "--global"),
        (["kernel", "/", "--global", "1"], "Is a directory"),
    ],
)
def test_wrong_command_line_is_one_line(debugger, words, message):
    done = debugger.run(*words)
    (line,) = done.err.splitlines()
    assert message in line
    assert done.code in (1, 2) and done.out == ""


def test_history_that_cannot_be_written_is_no_obstacle(debugger, tmp_path):
    (tmp_path / "state").write_text("a file where a folder should be")
    done = debugger.batch(["echo still here"])
    assert done.lines == ["still here"]


def test_broken_plugin_is_one_line_and_the_rest_works(debugger, tmp_path):
    plugin = tmp_path / "broken.py"
    plugin.write_text("import zedbg\n1 / 0\n")
    done = debugger.batch(["echo still here"], ZEDBG_PLUGINS=str(plugin))
    assert done.lines == ["still here"]
    (line,) = done.err.splitlines()
    assert re.match(r"plugin not loaded: .*broken\.py.*division by zero", line)
