"""How ./run clients judges what a suite of others reports; the suites themselves take hours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.layers import complaints
from tests.clients.suites import Result, Suite, add

TESTS = """
import pytest

@pytest.mark.parametrize("number", range(40))
def test_many(number): pass

def test_transform(): raise RuntimeError("OpenCL error -1")
def test_wrong(): assert 1 + 1 == 3
@pytest.mark.skip
def test_skipped(): pass
@pytest.fixture
def broken(): raise OSError("no fixture")
def test_error(broken): pass
"""


def report_of(directory: Path, share: int) -> str:
    (directory / "test_made_up.py").write_text(TESTS)
    environment = os.environ | {
        "ZEDBG_CLIENT_SHARE": str(share),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "share_plugin", "-p", "no:cacheprovider"]
    report = directory / "report.xml"
    subprocess.run(
        [*command, f"--junitxml={report}", "test_made_up.py"],
        cwd=directory,
        env=environment,
        capture_output=True,
    )
    return report.read_text()


def test_known_failures_are_told_from_others(tmp_path: Path) -> None:
    result = Result(Suite("dpnp", "dg2"))
    add(result, "test_made_up.py", report_of(tmp_path, 1))
    assert dict(result.counts) == {"passed": 40, "failed": 3, "skipped": 1}
    assert [failure.words for failure in result.known] == ["OpenCL error -1"]
    assert [name for name, _words in result.unknown] == [
        "test_made_up.py::test_wrong",
        "test_made_up.py::test_error",
    ]


def test_a_share_is_always_the_same_tests(tmp_path: Path) -> None:
    first, second = (report_of(tmp_path, 10) for _ in range(2))
    passed = [each.count("<testcase") for each in (first, second)]
    assert passed[0] == passed[1] and 1 <= passed[0] <= 10


@pytest.mark.parametrize("said", ["status -6: Aborted", "no end after 3600 s"])
def test_a_file_without_a_report_is_a_failure(said: str) -> None:
    result = Result(Suite("dpctl", "bmg"))
    add(result, "test_made_up.py", said)
    assert result.unknown == [("test_made_up.py", said)] and result.counts["crashed"] == 1


def test_what_the_check_of_events_says_is_a_complaint() -> None:
    said = (
        "Warning: zeFoo is using the same ze_event_handle_t for signal\n\tFrom: zeFoo\n3 passed\n"
    )
    assert complaints(said) == ["Warning: zeFoo is using the same ze_event_handle_t for signal"]
