"""The test suites that dpctl's and dpnp's wheels ship, unmodified.

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

from tests.clients.suites import Result, Suite, add
from tests.support.places import REPOSITORY
from zedbg.tools.environment.simulated import simulated_environment

VERSIONS = (
    *("dpctl==0.22.1", "dpnp==0.20.0", "numpy==2.4.6", "scipy==1.17.1", "pytest==9.2.0"),
    *("cython==3.3.1", "setuptools==84.2.1"),  # with which tests of dpctl build extensions
)
HOME = REPOSITORY / "build" / "clients"
_FILE_SECONDS = 3600
_LOADER_SELECTION = {"ONEAPI_DEVICE_SELECTOR": "level_zero:gpu"}


@cache
def _python() -> Path:
    """The interpreter of an environment with the packages, which is made where it is not there."""
    home = HOME / "python"
    interpreter = home / "bin" / "python"
    stamp = home / "packages"
    if not stamp.exists() or stamp.read_text() != "\n".join(VERSIONS):
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(interpreter), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *VERSIONS], check=True)
        stamp.write_text("\n".join(VERSIONS))
    return interpreter


def run(suite: Suite, cores: int, pattern: str = "*") -> Result:
    """Runs the suite's files whose path fits ``pattern``, several at a time."""
    interpreter = _python()
    (folder,) = (HOME / "python").glob(f"lib/python*/site-packages/{suite.package}/tests")
    files = [
        file
        for file in sorted(folder.rglob("test_*.py"))
        if fnmatch(str(file.relative_to(folder)), pattern)
    ]
    result = Result(suite)
    with ThreadPoolExecutor(cores) as pool:
        reports = pool.map(lambda each: _run_file(suite, interpreter, folder, each), files)
        for file, report in zip(files, reports, strict=True):
            add(result, str(file.relative_to(folder)), report)
    return result


def _run_file(suite: Suite, interpreter: Path, folder: Path, file: Path) -> str:
    """The JUnit report of the tests of a file, or what was said instead of one."""
    work = HOME / suite.name
    work.mkdir(parents=True, exist_ok=True)
    report = work / f"{'.'.join(file.relative_to(folder).with_suffix('').parts)}.xml"
    report.unlink(missing_ok=True)
    environment = {
        **os.environ,
        **simulated_environment(suite.device),
        **_LOADER_SELECTION,
        "ZEDBG_CLIENT_SHARE": str(suite.share),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    del environment["ZET_ENABLE_PROGRAM_DEBUGGING"]
    options = ["-q", "-p", "no:cacheprovider", "-p", "share_plugin", "--tb=short"]
    command = [str(interpreter), "-m", "pytest", *options, f"--junitxml={report}", str(file)]
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
    if report.exists():
        return report.read_text()
    return f"status {done.returncode}: {(done.stderr or done.stdout)[-4000:]}"
