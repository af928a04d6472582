"""What tests of the simulated GPU share: the driver library, and host programs for it.

The libraries that tests use are those of the installed package. A development build takes their
place when `ZEDBG_SIM_DRIVER` (and `ZEDBG_HOLD_LIBRARY`) name it.
"""

from __future__ import annotations

import importlib.metadata
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
# Tests share packages of the repository, such as tests.bench; behind the installed zedbg.
sys.path.append(str(REPOSITORY))
HOSTS = REPOSITORY / "tests" / "hosts"
ZEBINS = REPOSITORY / "tests" / "kernels" / "zebin"

INSTALLED = {
    "ZEDBG_SIM_DRIVER": "libze_sim_gpu.so.1",
    "ZEDBG_HOLD_LIBRARY": "libzedbg_hold.so",
}


def _installed_library(name: str) -> Path | None:
    """The library `name` of the installed distribution, even when the source tree is imported."""
    try:
        distribution = importlib.metadata.distribution("zedbg")
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(f"zedbg/native/{name}")))
    return path if path.exists() else None


def pytest_configure() -> None:
    """Points zedbg, which may be imported from the source tree, at the installed libraries."""
    # A shell ignores it for what it runs in the background, and so would all that tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for variable, name in INSTALLED.items():
        library = _installed_library(name)
        if library is not None and not os.environ.get(variable):
            os.environ[variable] = str(library)


#: Why a test may be left out even where everything is installed; the reasons begin or end so.
PERMITTED_SKIPS = (
    "the full corpus is asked for by name",
    "Intel's GDB is asked for by name",
    "ZEDBG_SPEC_DIR has no specification",
    "the documents are not here",
    "the newest Level Zero loader cannot be had",  # comes over the network
    "only root can become another user",
    "takes root to be two users",
    "takes root, or user namespaces, to have another root directory",
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ZEDBG_REQUIRE_ALL=1 (set by ./run test) a missing tool fails a test, not skips it."""
    report = yield
    if os.environ.get("ZEDBG_REQUIRE_ALL") == "1" and report.skipped:
        is_expected_failure = hasattr(report, "wasxfail")
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
        if not is_expected_failure and not any(each in reason for each in PERMITTED_SKIPS):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} was left out: {reason}"
    return report


@pytest.fixture(scope="session")
def driver_library() -> Path:
    """The simulated GPU's driver, libze_sim_gpu.so.1."""
    chosen = os.environ.get("ZEDBG_SIM_DRIVER")
    if not chosen or not Path(chosen).exists():
        pytest.fail("no simulated driver: pip install . (or set ZEDBG_SIM_DRIVER to a build of it)")
    return Path(chosen)


@pytest.fixture(scope="session")
def host_program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles tests/hosts/NAME.c, once, and gives the path of the program."""
    directory = tmp_path_factory.mktemp("hosts")
    options = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]

    def build(name: str) -> Path:
        program = directory / name
        if not program.exists():
            # A program that opens Level Zero by itself must not be linked with it.
            libraries = ["-ldl"] if name.endswith("_dlopen") else ["-lze_loader"]
            command = ["cc", *options, str(HOSTS / f"{name}.c"), "-o", str(program), *libraries]
            subprocess.run(command, check=True)
        return program

    return build


@pytest.fixture(scope="session")
def simulator_environment(driver_library: Path) -> dict[str, str]:
    """The environment of a process that shall run on the simulated GPU, without any debugger."""
    ours = ("ZE_", "ZET_", "ZEL_", "ZEDBG_", "XESIM_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment["ZE_ENABLE_ALT_DRIVERS"] = str(driver_library)
    return environment
