"""oneDNN's primitives on the simulated GPU, compared with what oneDNN computes on the processor.

oneDNN writes most of its kernels itself, in machine code; PyPI has the build for SYCL.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.clients.known_failures import known
from tests.clients.suites import Result, Suite
from tests.support.places import REPOSITORY
from zedbg.tools.environment.simulated import simulated_environment

VERSIONS = ("onednn==2026.1.0", "onednn-devel==2026.1.0")
HOME = REPOSITORY / "build" / "clients" / "onednn"
SOURCE = Path(__file__).with_name("onednn") / "primitives.c"
_SECONDS = 1800
_DEVICES = {"ONEAPI_DEVICE_SELECTOR": "level_zero:gpu;opencl:cpu", "ONEDNN_VERBOSE": "0"}


@cache
def _program() -> Path:
    """The compiled program, with the libraries that it uses in ``lib`` beside it."""
    program = HOME / "primitives"
    stamp = HOME / "packages"
    if not stamp.exists() or stamp.read_text() != "\n".join(VERSIONS):
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "--disable-pip-version-check", *VERSIONS], check=True)
        stamp.write_text("\n".join(VERSIONS))
    options = ["-std=gnu17", "-O1", "-Wall", "-Wextra", "-msse2", f"-I{HOME / 'include'}"]
    libraries = [f"-L{HOME / 'lib'}", f"-Wl,-rpath,{HOME / 'lib'}", "-ldnnl", "-lm"]
    subprocess.run(["cc", *options, str(SOURCE), *libraries, "-o", str(program)], check=True)
    return program


def run(suite: Suite) -> Result:
    """Runs every primitive, each with every type."""
    program = _program()
    environment = os.environ | simulated_environment(suite.device) | _DEVICES
    own = str(HOME / "lib")
    environment["LD_LIBRARY_PATH"] = f"{environment.get('LD_LIBRARY_PATH', '')}:{own}".strip(":")
    environment["OCL_ICD_FILENAMES"] = str(HOME / "lib" / "libintelocl.so")
    done = subprocess.run(
        [str(program)], env=environment, capture_output=True, text=True, timeout=_SECONDS
    )
    result = Result(suite)
    for line in done.stdout.splitlines():
        outcome, _, rest = line.partition(" ")
        name, _, words = rest.partition(": ")
        result.counts[outcome] += 1
        if outcome == "failed":
            reason = known(suite.package, suite.device, words)
            if reason is not None:
                result.known[reason] += 1
            else:
                result.unknown.append((name, words))
    if done.returncode not in (0, 1):
        result.counts["crashed"] += 1
        result.unknown.append(("primitives", done.stderr.strip() or f"status {done.returncode}"))
    return result
