"""The test suites that the wheels of dpctl, dpnp and numba-dpex ship, unmodified.

Each file of tests runs in a process of its own: one that loses the device takes no other with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from tests.clients.layers import LAYERS, complaints
from tests.clients.suites import Result, Suite, add
from tests.support.places import REPOSITORY
from zedbg.tools.environment.simulated import simulated_environment

_NEWEST = (
    *("dpctl==0.22.1", "dpnp==0.20.0", "numpy==2.4.6", "scipy==1.17.1", "pytest==9.2.0"),
    *("cython==3.3.1", "setuptools==84.2.1"),  # with which tests of dpctl build extensions
)
#: Folders of environments by package, with what is in them. numba-dpex needs an older dpctl.
ENVIRONMENTS = {
    "dpctl": ("python", _NEWEST),
    "dpnp": ("python", _NEWEST),
    "numba_dpex": (
        "numba",
        (
            *("numba-dpex==0.23.0", "dpctl==0.17.0", "dpnp==0.15.0", "numba==0.59.1"),
            *("dpcpp-cpp-rt<2024.3", "mkl-dpcpp<2024.3", "numpy<2", "scipy==1.13.1", "pytest<9"),
        ),
    ),
}
HOME = REPOSITORY / "build" / "clients"
_FILE_SECONDS = 3600
_LOADER_SELECTION = {"ONEAPI_DEVICE_SELECTOR": "level_zero:gpu"}


@cache
def _environment(package: str) -> Path:
    """The folder of an environment with ``package``, which is made where it is not there."""
    folder, versions = ENVIRONMENTS[package]
    home = HOME / folder
    stamp = home / "packages"
    if not stamp.exists() or stamp.read_text() != "\n".join(versions):
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "--disable-pip-version-check", *versions], check=True)
        stamp.write_text("\n".join(versions))
    return home


def run(suite: Suite, cores: int, pattern: str = "*", layer: str | None = None) -> Result:
    """Runs the suite's files whose path fits ``pattern``, several at a time, under a ``layer``."""
    home = _environment(suite.package)
    (folder,) = home.glob(f"lib/python*/site-packages/{suite.package}/tests")
    files = [
        file
        for file in sorted(folder.rglob("test_*.py"))
        if fnmatch(str(file.relative_to(folder)), pattern)
    ]
    result = Result(suite)
    with ThreadPoolExecutor(cores) as pool:
        reports = pool.map(lambda each: _run_file(suite, home, folder, each, layer), files)
        for file, report in zip(files, reports, strict=True):
            add(result, str(file.relative_to(folder)), report)
    return result


def _run_file(suite: Suite, home: Path, folder: Path, file: Path, layer: str | None) -> str:
    """The JUnit report of the tests of a file, or what was said instead of one."""
    work = HOME / suite.name
    work.mkdir(parents=True, exist_ok=True)
    report = work / f"{'.'.join(file.relative_to(folder).with_suffix('').parts)}.xml"
    report.unlink(missing_ok=True)
    environment = {
        **os.environ,
        **simulated_environment(suite.device),
        **_LOADER_SELECTION,
        **LAYERS.get(layer or "", {}),
        "ZEDBG_CLIENT_SHARE": str(suite.share),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    del environment["ZET_ENABLE_PROGRAM_DEBUGGING"]
    # Older wheels do not find the libraries of others beside their own.
    libraries = [environment.get("LD_LIBRARY_PATH", ""), str(home / "lib")]
    environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, libraries))
    options = ["-q", "-p", "no:cacheprovider", "-p", "share_plugin", "--tb=short"]
    if layer:
        options.append("--capture=no")  # what layers say is nothing that tests print
    command = [
        str(home / "bin" / "python"),
        "-m",
        "pytest",
        *options,
        f"--junitxml={report}",
        str(file),
    ]
    try:
        done = subprocess.run(
            command,
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_FILE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {_FILE_SECONDS} s"
    said = complaints(done.stderr) if layer else []
    if said:
        return f"{len(said)} complaints, the first: {said[0]}"
    if report.exists():
        return report.read_text()
    return f"status {done.returncode}: {(done.stderr or done.stdout)[-4000:]}"
