"""What scenarios share: zedbg as a user starts it, over kernels that are in the repository."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from debugger_process import Debugger

import zedbg

KERNELS = Path(__file__).parents[1] / "kernels"


@pytest.fixture(scope="session", autouse=True)
def _libraries(driver_library):
    """Every scenario needs the simulated driver: without one it fails at once."""


@pytest.fixture
def user_environment(tmp_path):
    """A user's environment: ``zedbg`` on the path, state in a folder of its own, a plain locale."""
    scripts = tmp_path / "bin"
    scripts.mkdir()
    command = scripts / "zedbg"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m zedbg.frontends.main "$@"\n')
    command.chmod(0o755)
    import_path = [str(Path(folder).parent) for folder in zedbg.__path__]
    return os.environ | {
        "PATH": f"{scripts}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(import_path),
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
    }


@pytest.fixture
def debugger(tmp_path, user_environment):
    """Runs zedbg; what still runs at the end of the test is killed."""
    runner = Debugger(tmp_path, user_environment)
    yield runner
    runner.close()


@pytest.fixture(scope="session")
def kernel_command():
    """The command line of ``zedbg kernel`` for a kernel of the repository, by name and build."""

    def command(name, *arguments, build="igc2-dg2-O0"):
        return ["zedbg", "kernel", str(KERNELS / "zebin" / build / f"{name}.zebin"), *arguments]

    return command


@pytest.fixture(scope="session")
def vadd(kernel_command):
    """64 work-items in two work-groups, on 8 threads of 8 lanes: c = iota + 2."""
    sizes = ["--global", "64", "--local", "32"]
    return kernel_command("vadd", *sizes, "f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64")


@pytest.fixture(scope="session")
def endless(kernel_command):
    """A kernel that ends when a debugger writes to ``stop[0]``."""
    sizes = ["--global", "16", "--local", "16"]
    return kernel_command("endless", *sizes, "i32[1]=0", "i32[16]", build="igc2-dg2-O2")


@pytest.fixture(scope="session")
def kernel_sources():
    """The folder of the kernels' sources, for ``directory``."""
    return KERNELS / "src"
