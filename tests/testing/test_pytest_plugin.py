"""The pytest plugin as its users see it: runs of pytest over small test files."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS

VADD = str(ZEBINS / "igc2-{gpu}-O0" / "vadd.zebin")

TESTS = f"""
import numpy
import pytest
import zedbg
from zedbg.testing.buffers import assert_close

VADD = {VADD!r}
A = numpy.arange(64, dtype=numpy.float32)


def launch(kernel, **options):
    return kernel(VADD).launch(A, A * 2, A * 0, 64, global_size=64, local_size=32, **options)


def test_runs(kernel):
    result = kernel(VADD).run(A, A * 2, A * 0, 64, global_size=64, local_size=32)
    assert result[2] == A * 3
    assert_close(result[2], A * 3.0000001)
    assert result[2].array.shape == (64,) and result[0][5] == 5.0


def test_is_compiled(kernel):
    vadd = kernel({str(KERNELS / "src" / "vadd.cl")!r})
    assert vadd.name == "vadd"
    result = vadd.run(A, A * 2, "f32[64]", numpy.int32(64), global_size=64)
    assert result[2] == A * 3


def test_is_inspected(kernel):
    launched = launch(kernel)
    launched.session.breakpoints.add("vadd.cl:3")
    stop = launched.session.continue_()
    assert (stop["a[i]"].over_work_items() == A).all()
    stop.threads[0]["a[i]"] = 100
    assert launched.result()[2][0] == 100.0


@pytest.mark.gpu("dg2", "bmg")
def test_on_each_device(kernel, gpu):
    result = kernel(VADD).run("f32[64]=iota", "f32[64]=2", "f32[64]", 64, global_size=64)
    assert result[2] == [n + 2.0 for n in range(64)]
    assert gpu.simulated and gpu.name in ("dg2", "bmg")


@pytest.mark.gpu("real")
def test_on_hardware(gpu):
    assert not gpu.simulated


def test_is_wrong(kernel):
    result = kernel(VADD).run(A, A * 2, A * 0, 64, global_size=64, local_size=32)
    expected = A * 3
    expected[40::4] = -1
    assert result[2] == expected


def test_stops_and_fails(kernel):
    launched = launch(kernel)
    launched.session.breakpoints.add("vadd.cl:4", condition="i == 42")
    stop = launched.session.continue_()
    assert stop.thread["c[i]"][2] == 1.0


@pytest.mark.zedbg_time_limit(5)
def test_takes_too_long(kernel):
    endless = kernel({str(ZEBINS / "igc2-dg2-O2" / "endless.zebin")!r})
    endless.run("i32[1]=0", "i32[16]", global_size=16)


@pytest.mark.timeout(6)
def test_is_ended_by_pytest_timeout(kernel):
    endless = kernel({str(ZEBINS / "igc2-dg2-O2" / "endless.zebin")!r})
    endless.run("i32[1]=0", "i32[16]", global_size=16)


def test_a_program_of_its_own(zedbg_session):
    session = zedbg_session(["sh", "-c", "echo hello; exit 3"])
    assert session.continue_().code == 3
    assert zedbg_session.output(session) == "hello\\n"
    assert session.pid
"""


class Runs:
    """pytest over one file, in processes of its own."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_gpu.py").write_text(TESTS)

    def __call__(self, *options):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        return subprocess.run(
            command, cwd=self.folder, env=os.environ, capture_output=True, text=True, timeout=120
        )


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def whole(runs):
    """One run of everything, on two processes."""
    return runs("-n", "2", "--gpu=dg2", "--junitxml=junit.xml", "--zedbg-json=zedbg.json", "-rA")


def report_of(whole, test):
    """What pytest shows of a failed test."""
    _, _, text = whole.stdout.partition(f" {test} ____")
    assert text, whole.stdout
    return text.partition("\n____")[0]


def test_tests_pass_fail_and_are_left_out_as_they_should(whole):
    assert "5 failed, 5 passed, 1 skipped" in whole.stdout, whole.stdout
    for each in ("test_on_each_device[dg2]", "test_on_each_device[bmg]"):
        assert f"PASSED test_gpu.py::{each}" in whole.stdout
    assert "there is no GPU that can be debugged" in whole.stdout


def test_wrong_buffer_names_the_first_work_item_and_what_is_around_it(whole):
    text = report_of(whole, "test_is_wrong")
    assert (
        "6 of 64 work-items are wrong; the first is work-item (40,0,0) (work-group (1,0,0), "
        "local id (8,0,0)): 120, not -1"
    ) in text
    assert "(39,0,0)   117  117" in text
    assert "> (40,0,0)   120  -1" in text
    assert "multiple of 4 from it; the last is work-item (60,0,0)" in text


def test_stopped_threads_of_a_failed_test_are_in_its_report(whole):
    text = report_of(whole, "test_stops_and_fails")
    assert "1 thread, 8 lanes, work-group (1,0,0):\nE" not in text
    assert "  #0  vadd at vadd.cl:4" in text
    assert "Variables of thread 1.6, lane 2, (42,0,0):" in text
    assert "  i = 42" in text


def test_program_that_takes_too_long_is_killed_with_a_report(whole):
    text = report_of(whole, "test_takes_too_long")
    assert "time limit of 5 s was over" in text
    assert "#0  endless at endless.cl:" in text
    assert "killed by signal 9" in text


def test_report_is_there_when_pytest_timeout_ends_a_test(whole):
    text = report_of(whole, "test_is_ended_by_pytest_timeout")
    assert "Timeout" in text
    assert "#0  endless at endless.cl:" in text


def test_output_of_a_failed_program_is_in_the_report(whole):
    text = report_of(whole, "test_a_program_of_its_own")
    assert "exit code 3\nIt wrote:\nhello" in text


def test_reports_are_in_junit_and_json(runs, whole):
    failed = json.loads((runs.folder / "zedbg.json").read_text())["failed"]
    by_test = {each["test"].partition("::")[2]: each["programs"] for each in failed}
    assert set(by_test) == {
        "test_is_wrong",
        "test_stops_and_fails",
        "test_takes_too_long",
        "test_is_ended_by_pytest_timeout",
        "test_a_program_of_its_own",
    }
    (program,) = by_test["test_stops_and_fails"]
    assert program["state"] == "stopped"
    # One thread hit; the others stopped where they were.
    frames = [group["frames"][0]["line"] for group in program["stacks"] if "frames" in group]
    assert 4 in frames
    document = ElementTree.parse(runs.folder / "junit.xml")
    properties = {
        case.get("name"): case.find("properties/property").get("value")
        for case in document.iter("testcase")
        if case.find("properties/property") is not None
    }
    assert "Variables of thread 1.6, lane 2" in properties["test_stops_and_fails"]


@pytest.mark.cases(0)
def test_a_device_that_is_not_there_is_an_error_that_says_what_there_is(runs):
    done = runs("--gpu=dg3", "-k", "test_runs")
    assert done.returncode == 1
    assert "'dg3' is no device for tests: give real, auto, or one of dg2" in done.stdout


def test_plugin_costs_a_run_without_gpu_tests_nothing(tmp_path):
    (tmp_path / "test_plain.py").write_text(
        "import sys\n\ndef test_loads_nothing():\n"
        "    heavy = ('engine', 'levelzero', 'api', 'values', 'commands')\n"
        "    assert sorted(n for n in sys.modules if n.split('.')[:1] == ['zedbg']) == "
        "['zedbg', 'zedbg.lazy_names', 'zedbg.testing', 'zedbg.testing.pytest_plugin']\n"
        "    assert 'numpy' not in sys.modules and 'cffi' not in sys.modules\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "no:hypothesispytest", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.cases(0)
def test_fixtures_and_options_are_in_the_help_of_pytest(runs):
    text = runs("--fixtures").stdout + runs("--help").stdout + runs("--markers").stdout
    for each in ("zedbg_session", "kernel", "gpu", "--zedbg-json=FILE", "@pytest.mark.gpu"):
        assert each in text
