"""A core file that several tests look at."""

import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def core_folder(tmp_path_factory, kernel_command, kernel_sources):
    """Cores of vadd, eight threads at a line: ``with`` its sources, and ``without``."""
    folder = tmp_path_factory.mktemp("core")
    arguments = ["--global", "64", "--local", "32", "f32[64]=iota", "f32[64]", "f32[64]", "i32=64"]
    program = kernel_command("vadd", *arguments)
    program[0:1] = [sys.executable, "-m", "zedbg.frontends.main"]
    commands = [f"directory {kernel_sources}", "break vadd.cl:3", "run"]
    commands += ["generate-core-file -s with", "generate-core-file without"]
    subprocess.run(
        [
            *(sys.executable, "-m", "zedbg.frontends.main", "--batch", "--sim=dg2"),
            *(word for command in commands for word in ("-ex", command)),
            *("--", *program),
        ],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    return folder
