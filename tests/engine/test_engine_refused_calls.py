"""Every documented result of every call that zedbg makes, from below the loader, on each device.

The user gets lines that say what was refused; what the session knows is true; the program goes on
and computes what it should; and the same session debugs it again.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.driver.documented_results import CALLS, documented_results
from tests.support.driver.program_debug_hosts import LineProgram, debugger_environment, host_program
from tests.support.module_command import module_command
from tests.support.native_programs import native_program
from tests.support.places import HOSTS
from zedbg.levelzero.enums import Result

DEVICES = EACH_PLATFORM
EVERY_PLACE = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
# How many polls there are depends on the machine; so many are certain.
CERTAIN_READS_OF_EVENTS = 3


@pytest.fixture(scope="module")
def faulty_driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulated driver, with calls that fail on demand."""
    library = tmp_path_factory.mktemp("driver") / "libfaulty_driver.so"
    real = native_program("libze_sim_gpu.so").resolve()
    source = HOSTS / "faulty_driver.c"
    options = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    link = ["-Wl,--no-as-needed", str(real), f"-Wl,-rpath,{real.parent}"]
    subprocess.run(["cc", *options, str(source), "-o", str(library), *link], check=True)
    return library


class FaultedSession:
    """faulted_session.py: one debugger and one program, new ones after a failure."""

    def __init__(self, device: str, environment: dict[str, str]) -> None:
        self._command = module_command("engine.faulted_session", device)
        self._environment = environment
        self._open = contextlib.ExitStack()
        self._start()
        calls = self.run()["calls"]
        assert isinstance(calls, dict)
        self.clean_calls: dict[str, int] = calls

    def _start(self) -> None:
        self.close()
        directory = self._open.enter_context(tempfile.TemporaryDirectory(prefix="zedbg-"))
        self._program = self._open.enter_context(
            LineProgram(Path(directory), self._environment, None, self._command)
        )

    def run(self, *faults: tuple[str, Result, int]) -> dict[str, object]:
        """What came of a session in which those calls fail."""
        line = " ".join(f"{call} {int(result):#x} {place}" for call, result, place in faults)
        try:
            done: dict[str, object] = json.loads(self._program.ask(line))
            assert done["problem"] is None, f"{line}\n{done['problem']}"
        except BaseException:
            self._start()
            raise
        return done

    def close(self) -> None:
        self._open.close()


@pytest.fixture(scope="module", params=DEVICES)
def session(request: pytest.FixtureRequest, faulty_driver: Path) -> Iterator[FaultedSession]:
    host_program("debug_target")  # before anyone waits for an answer
    made = FaultedSession(request.param, debugger_environment(faulty_driver))
    yield made
    made.close()


def places(session: FaultedSession, call: str, number: int) -> list[int]:
    """Which of the calls of one kind fail: each in turn, or for result ``number`` another one of
    the first half, since not every session makes as many."""
    made = 1 if call == "zetDebugDetach" else session.clean_calls[call]
    if call == "zetDebugReadEvent":
        made = min(made, CERTAIN_READS_OF_EVENTS)
    assert made, "the session never makes this call"
    return list(range(made)) if EVERY_PLACE else [37 * number % (made // 2 or 1)]


@pytest.mark.parametrize("call", CALLS)
def test_refused_call_harms_neither_session_nor_program(session: FaultedSession, call: str) -> None:
    for number, result in enumerate(documented_results()[call]):
        reached = 0
        for place in (tried := places(session, call, number)):
            done = session.run((call, result, place))
            calls, errors = done["calls"], done["errors"]
            assert isinstance(calls, dict) and isinstance(errors, list)
            reached += calls[call] > place
            assert all(line and "\n" not in line for line in errors)
        # How many threads have stopped when all are interrupted, and so are read, differs.
        assert reached > len(tried) // 2


@pytest.mark.parametrize(
    "result", documented_results()["zeDeviceGetSubDevices"], ids=lambda each: each.name
)
def test_device_that_refuses_to_be_debugged_and_to_name_its_tiles(
    session: FaultedSession, result: Result
) -> None:
    refused = ("zetDebugAttach", Result.ERROR_UNSUPPORTED_FEATURE, 0)
    done = session.run(refused, ("zeDeviceGetSubDevices", result, 0))
    assert done["errors"]


@pytest.mark.cases(0)
def test_loader_that_does_not_start_is_one_line(faulty_driver: Path) -> None:
    attach = f"from zedbg.engine.sessions import opening; opening.attach({os.getpid()}, sim='dg2')"
    started = {
        result: subprocess.Popen(
            [sys.executable, "-c", attach],
            env=debugger_environment(faulty_driver)
            | {"FAULTY_DRIVER": f"zeInit:{int(result):#x}:0"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for result in documented_results()["zeInit"]
    }
    for result, process in started.items():
        _, errors = process.communicate()
        last = errors.splitlines()[-1]
        assert f"cannot initialise Level Zero: ZE_RESULT_{result.name}" in last
