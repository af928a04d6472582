"""What tests share: the driver library, host programs, and zedbg as a user starts it.

The libraries that tests use are those of the installed package. A development build takes their
place when `ZEDBG_SIM_DRIVER` (and `ZEDBG_HOLD_LIBRARY`) name it.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# Tests import what they share as tests.support; the tree comes after the installed zedbg.
sys.path.append(str(Path(__file__).resolve().parents[1]))

import zedbg
from tests.support.frontends.debugger_process import Debugger
from tests.support.installed import use_installed_libraries
from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS, KERNELS
from zedbg.commands.framework.permanence import collect_less_often
from zedbg.levelzero.selection import DEFAULT_SIM_DEVICE, SIM_DEVICE

if TYPE_CHECKING:
    from xdist.scheduler import Scheduling

#: How many cases of a test a run without --all takes, unless a mark gives another number.
CASES = 2


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all",
        action="store_true",
        help="run every case; otherwise a test with many takes a fixed sample of them",
    )
    parser.addoption(
        "--rest", action="store_true", help="run the cases that a run without --all leaves out"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what only a run with --all takes, or all else. A test that is named with :: runs
    whole."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    taken = {item for name, cases in tests.items() for item in _sample(name, cases)}
    if config.getoption("--rest"):
        taken = set(items) - taken
    config.hook.pytest_deselected(items=[item for item in items if item not in taken])
    items[:] = [item for item in items if item in taken]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduling | None:
    """In the place of ``--dist loadfile``."""
    if config.getoption("dist") != "loadfile":
        return None
    from tests.support.scheduling import FilesAndLongCases

    return FilesAndLongCases(config, log)


def pytest_collection_finish() -> None:
    """Tests stay until the end: no round for garbage looks at them."""
    gc.freeze()


def _sample(name: str, cases: list[pytest.Item]) -> list[pytest.Item]:
    """Those cases of a test that each run takes, always the same: each next one is a case whose id
    has the most words (a device, a compiler, a kernel) that no other has had. The mark ``cases(0)``
    leaves a test to --all."""
    mark = cases[0].get_closest_marker("cases")
    count = mark.args[0] if mark else CASES
    if len(cases) <= count:
        return cases
    words = {case: set(case.nodeid[len(name) :].strip("[]").split("-")) for case in cases}
    rest = random.Random(name).sample(cases, len(cases))
    taken: list[pytest.Item] = []
    seen: set[str] = set()
    for _ in range(count):
        taken.append(max(rest, key=lambda case: len(words[case] - seen)))
        rest.remove(taken[-1])
        seen |= words[taken[-1]]
    return taken


def pytest_configure() -> None:
    """Points zedbg, which may be imported from the source tree, at the installed libraries."""
    collect_less_often()  # as zedbg does; otherwise collecting takes twice as long
    # A shell ignores the first for what it runs in the background, nohup the second; and so would
    # all that tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    use_installed_libraries()


#: Why a test may be left out even where everything is installed; the reasons begin or end so.
PERMITTED_SKIPS = (
    "the full corpus is asked for by name",
    "Intel's GDB is asked for by name",
    "a driver with the sanitizer is asked for by name",
    "an editor's plugin is asked for by name",
    "Boost-Pretty-Printer is asked for by name",
    "ZEDBG_SPEC_DIR has no specification",
    "the documents are not here",
    "the newest Level Zero loader cannot be downloaded",  # comes over the network
    "the package cannot be downloaded",
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


_DEVICE_AT_FIRST = os.environ.get(SIM_DEVICE)


@pytest.fixture(autouse=True)
def _device_at_first() -> Iterator[None]:
    """A session in this process names its device in the environment, and leaves it there. Programs
    that later tests start must not run on it."""
    yield
    if _DEVICE_AT_FIRST is not None:
        os.environ[SIM_DEVICE] = _DEVICE_AT_FIRST
    elif os.environ.get(SIM_DEVICE) != DEFAULT_SIM_DEVICE:
        os.environ.pop(SIM_DEVICE, None)


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


@pytest.fixture
def user_environment(tmp_path, driver_library):
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
        return ["zedbg", "kernel", str(ZEBINS / build / f"{name}.zebin"), *arguments]

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
