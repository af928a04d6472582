"""zedbg env and zedbg run: programs on the simulated GPU without a debugger."""

import json
import os
import subprocess
import sys

import pytest

from zedbg.levelzero.newest import LOADER, Newest

SHOW = "import json, os; print(json.dumps(dict(os.environ)))"
OURS = ("ZE_ENABLE_ALT_DRIVERS", "XESIM_DEVICE", "ZET_ENABLE_PROGRAM_DEBUGGING")


@pytest.fixture
def fetched(tmp_path):
    """What zedbg fetch leaves in the user's cache, as far as env and run look at it."""
    made = Newest(tmp_path / "cache" / "zedbg" / "newest")
    for path in (made.loader_directory / LOADER, made.front_end, made.compiler):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    return made.directory


def test_a_shell_takes_what_env_prints(debugger):
    text = debugger.run("env", "--sim=pvc").out
    command = f"{text}\nexec {sys.executable} -c '{SHOW}'"
    shell = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    seen = json.loads(shell.stdout)
    assert seen["ZE_ENABLE_ALT_DRIVERS"].endswith("libze_sim_gpu.so.1")
    assert (seen["XESIM_DEVICE"], seen["ZET_ENABLE_PROGRAM_DEBUGGING"]) == ("pvc", "1")


def test_run_gives_a_program_the_same_and_ends_with_its_status(debugger):
    done = debugger.run("run", "--sim=bmg", "--", sys.executable, "-c", SHOW)
    assert done.code == 0 and json.loads(done.out)["XESIM_DEVICE"] == "bmg"
    assert debugger.run("run", "--", sys.executable, "-c", "raise SystemExit(7)").code == 7


def test_what_was_fetched_goes_before_the_systems(debugger, fetched, tmp_path):
    given = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "LD_LIBRARY_PATH": "/opt/a"}
    for words in (["run", "--"], ["--sim", "--batch", "-ex", "run", "--args"]):
        done = debugger.run(*words, sys.executable, "-c", SHOW, **given)
        seen = json.loads(next(line for line in done.lines if line.startswith("{")))
        assert seen["LD_LIBRARY_PATH"] == f"{fetched / 'loader'}{os.pathsep}/opt/a"
        assert seen["XESIM_OCLOC"] == str(fetched / "ocloc")
    done = debugger.run("run", "--", sys.executable, "-c", SHOW, **given, XESIM_OCLOC="my-ocloc")
    assert json.loads(done.out)["XESIM_OCLOC"] == "my-ocloc"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("env", "--sim=dg3"), 1, "there is no simulated dg3"),
        (("env", "--nosuch"), 2, "zedbg env --help"),
        (("run", "--sim=dg2"), 2, "name a program"),
        (("run", "--sim=dg2,nosuch", "--", "true"), 1, "there is no simulated nosuch"),
        (("run", "--", "/nowhere/program"), 127, "/nowhere/program: No such file"),
        (("run", "--", "/dev/null"), 126, "/dev/null: Permission denied"),
    ],
)
def test_mistakes_are_one_line(debugger, words, code, says):
    done = debugger.run(*words)
    assert (done.code, done.err.count("\n")) == (code, 1)
    assert says in done.err
