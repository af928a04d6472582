"""The pytest plugin: fixtures, the marker ``gpu``, and what a failed test reports.

pytest imports this module in every run: what it needs of zedbg is imported when a test uses it.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from zedbg.testing.devices import Gpu
    from zedbg.testing.kernels import Kernels
    from zedbg.testing.programs import DebuggedPrograms

_AUTOMATIC = "auto"
_DEFAULT_LIMIT = "60"
_PROGRAMS = pytest.StashKey["DebuggedPrograms"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("zedbg", "tests of GPU programs")
    group.addoption(
        "--gpu",
        metavar="NAME[,NAME]",
        help="devices that tests with the fixture gpu run on: simulated ones (dg2, ...), real for "
        "a GPU, auto (the default) for that or else a simulated one; a marker gpu goes first",
    )
    group.addoption(
        "--zedbg-json",
        metavar="FILE",
        help="write where the threads of failed tests' programs were, as JSON",
    )
    parser.addini(
        "zedbg_time_limit",
        "seconds that a program may take in a test; 0 for no limit",
        default=_DEFAULT_LIMIT,
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "gpu(*names): the devices that a test runs on, once on each: simulated ones by name, real, "
        "or auto",
    )
    config.addinivalue_line(
        "markers", "zedbg_time_limit(seconds): how long each program of the test may take"
    )
    path = config.getoption("--zedbg-json")
    if path and not hasattr(config, "workerinput"):  # xdist's workers send their reports
        config.pluginmanager.register(_FailedTests(Path(path)), "zedbg-failed-tests")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for several devices is several tests."""
    if "gpu" not in metafunc.fixturenames:
        return
    names = _wanted(metafunc.config, metafunc.definition.get_closest_marker("gpu"))
    if len(names) > 1:
        metafunc.parametrize("gpu", names, indirect=True)


def _wanted(config: pytest.Config, marker: pytest.Mark | None) -> list[str]:
    if marker is not None and marker.args:
        return [str(each) for each in marker.args]
    return str(config.getoption("--gpu") or _AUTOMATIC).split(",")


@pytest.fixture
def gpu(request: pytest.FixtureRequest) -> Gpu:
    """The device that the test runs on: ``name``, ``simulated``, ``sim`` for ``zedbg.launch``, and
    ``environment`` for programs that are not debugged. UsageError when there is no such device."""
    from zedbg.testing.devices import find_gpu
    from zedbg.user_error import UserError

    marker = request.node.get_closest_marker("gpu")
    wanted = getattr(request, "param", None) or _wanted(request.config, marker)[0]
    try:
        found = find_gpu(wanted)
    except UserError as error:
        raise pytest.UsageError(str(error)) from None
    if found is None:
        pytest.skip("there is no GPU that can be debugged")
    return found


@pytest.fixture
def zedbg_session(
    request: pytest.FixtureRequest, gpu: Gpu
) -> Generator[DebuggedPrograms, None, None]:
    """Launches programs under debug on the test's device: ``session = zedbg_session(["./app"])``;
    ``zedbg_session.attach(pid)``. They end with the test."""
    from zedbg.testing.programs import DebuggedPrograms

    programs = DebuggedPrograms(gpu, _time_limit(request))
    request.node.stash[_PROGRAMS] = programs
    yield programs
    programs.close()


def _time_limit(request: pytest.FixtureRequest) -> float | None:
    marker = request.node.get_closest_marker("zedbg_time_limit")
    limit = marker.args[0] if marker else request.config.getini("zedbg_time_limit")
    return float(limit) or None


@pytest.fixture
def kernel(
    request: pytest.FixtureRequest,
    zedbg_session: DebuggedPrograms,
    tmp_path_factory: pytest.TempPathFactory,
) -> Kernels:
    """A kernel without a host program: ``kernel("vadd.cl").run(a, b, c, global_size=64)``."""
    from zedbg.testing.kernels import Kernels

    return Kernels(zedbg_session, request.path.parent, lambda: tmp_path_factory.mktemp("kernel"))


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """``assert result[2] == expected`` says which work-item is wrong."""
    if op != "==" or type(left).__module__ != "zedbg.testing.buffers":
        return None
    from zedbg.testing.buffers import Comparison

    first, *rest = Comparison(left, right).lines()
    return [first, *rest]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where the threads of a failed test's programs are, before these are ended."""
    report = yield
    programs = item.stash.get(_PROGRAMS, None)
    if programs is None or not report.failed or report.when == "teardown":
        return report
    states = programs.report()
    for state in states:
        report.sections.append((f"zedbg: {state['program']}", _section(state)))
    text = "\n\n".join(_section(state) for state in states)
    item.user_properties.append(("zedbg", text))  # JUnit's XML has those of the teardown
    report.zedbg_states = states  # type: ignore[attr-defined]
    return report


def _section(state: dict[str, Any]) -> str:
    end = [f"exit code {state['exit_code']}"] if state["exit_code"] is not None else []
    end += [f"killed by signal {state['signal']}"] if state["signal"] is not None else []
    parts = [state["text"] or ", ".join([state["state"], *end])]
    parts += [f"It wrote:\n{chr(10).join(state['output'])}"] if state["output"] else []
    parts += [f"zedbg said:\n{chr(10).join(state['messages'])}"] if state["messages"] else []
    return "\n".join(parts)


class _FailedTests:
    """Collects what failed tests report, those of xdist's workers too, for ``--zedbg-json``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        states = getattr(report, "zedbg_states", None)
        if states is not None:
            self._failed.append({"test": report.nodeid, "programs": states})

    def pytest_sessionfinish(self) -> None:
        document = {"version": 1, "failed": self._failed}
        self._path.write_text(json.dumps(document, indent=1) + "\n")
