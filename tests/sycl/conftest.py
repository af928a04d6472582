"""Python with dpctl and dpnp, real SYCL libraries, and programs of it under zedbg.

The libraries' device code is SPIR-V newer than a distribution's compiler reads: ZEDBG_NEWEST_OCLOC
names one that does. Their runtime takes the newest Level Zero loader, which its own dynamic linker
starts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.driver.driver_loaders import newest_directory
from tests.support.driver.newest_loader import command_prefix

CACHE = Path(os.environ.get("ZEDBG_CORPUS_CACHE", Path.home() / ".cache" / "zedbg" / "sycl"))
PACKAGES = ("dpctl==0.21.1", "dpnp==0.19.1")
SECONDS = 180


@pytest.fixture(scope="session")
def python_prefix():
    """The command of a Python with both packages, run with the newest loader."""
    home = CACHE / "python"
    interpreter = home / "bin" / "python"
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(interpreter), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    linker = command_prefix(newest_directory())
    path = f"PYTHONPATH={packages}"
    command = [*linker, str(interpreter.resolve()), "-W", "ignore"]
    return [*linker, shutil.which("env"), path, *command]


@pytest.fixture(scope="session")
def debugged(python_prefix, driver_library, tmp_path_factory):
    """Runs a program under zedbg with some commands; each command's rows, and all output."""
    ocloc = os.environ.get("ZEDBG_NEWEST_OCLOC")
    assert ocloc, "ZEDBG_NEWEST_OCLOC has to name a compiler that reads SPIR-V 1.4"

    def run(program, *commands, device="dg2"):
        path = tmp_path_factory.mktemp("python") / "program.py"
        path.write_text(program)
        given = [word for command in commands for word in ("-ex", command)]
        zedbg = [
            sys.executable,
            "-m",
            "zedbg.frontends.main",
            "--batch",
            "--json",
            f"--sim={device}",
        ]
        done = subprocess.run(
            [*zedbg, *given, "--", *python_prefix, str(path)],
            env=os.environ | {"XESIM_OCLOC": ocloc},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
        objects = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        rows = {each["command"]: each.get("rows", each) for each in objects if "command" in each}
        return rows, done.stdout + done.stderr

    return run
