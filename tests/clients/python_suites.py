"""The test suites that dpctl's and dpnp's wheels ship, unmodified.

Each file of tests runs in a process of its own: one that loses the device takes no other with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.clients.known_failures import KnownFailure, known
from tests.support.places import REPOSITORY
from zedbg.tools.environment.simulated import simulated_environment

VERSIONS = (
    *("dpctl==0.22.1", "dpnp==0.20.0", "numpy==2.4.6", "scipy==1.17.1", "pytest==9.2.0"),
    *("cython==3.3.1", "setuptools==84.2.1"),  # with which tests of dpctl build extensions
)
HOME = REPOSITORY / "build" / "clients"
_FILE_SECONDS = 3600
_LOADER_SELECTION = {"ONEAPI_DEVICE_SELECTOR": "level_zero:gpu"}


@dataclass(frozen=True)
class Suite:
    """The tests of a package on a device; one in ``share`` of them."""

    package: str
    device: str
    share: int = 1

    @property
    def name(self) -> str:
        """As the command line takes it: dpnp-dg2."""
        return f"{self.package}-{self.device}"


@dataclass
class Result:
    """What came of a suite. ``unknown``: test or file, and the first line of what it said."""

    suite: Suite
    counts: Counter[str] = field(default_factory=Counter)
    known: Counter[KnownFailure] = field(default_factory=Counter)
    unknown: list[tuple[str, str]] = field(default_factory=list)


SUITES = tuple(
    Suite(package, device, share)
    for package in ("dpctl", "dpnp")
    for device, share in (("dg2", 1), ("pvc", 10), ("bmg", 10))
)


def python() -> Path:
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


def run(suite: Suite, interpreter: Path, cores: int, pattern: str = "*") -> Result:
    """Runs the suite's files whose path fits ``pattern``, several at a time."""
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


def add(result: Result, file: str, report: str) -> None:
    """Counts the tests of ``file`` in its JUnit report, or takes what was said instead of one."""
    if not report.startswith("<?xml"):
        result.counts["crashed"] += 1
        result.unknown.append((file, report))
        return
    for name, outcome, words in _outcomes(report):
        result.counts[outcome] += 1
        if outcome == "failed":
            reason = known(result.suite.package, result.suite.device, words)
            if reason is not None:
                result.known[reason] += 1
            else:
                result.unknown.append((f"{file}::{name}", words))


def _outcomes(report: str) -> Iterator[tuple[str, str, str]]:
    for case in ElementTree.fromstring(report).iter("testcase"):
        problem = case.find("failure")
        problem = case.find("error") if problem is None else problem
        if problem is not None:
            words = f"{problem.get('message') or ''}\n{problem.text or ''}"
            yield case.get("name") or "", "failed", words
        else:
            skipped = case.find("skipped") is not None
            yield case.get("name") or "", "skipped" if skipped else "passed", ""
