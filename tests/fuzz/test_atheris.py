"""A short run of the fuzzer that docs/testing.md says how to run for long; always the same."""

import subprocess
import sys

import pytest

from tests.support.fuzz_targets import TARGETS, BoundsError, Target, hold
from tests.support.places import REPOSITORY
from zedbg.zebin import ZebinError


@pytest.mark.cases(0)
def test_readers_keep_their_bounds(tmp_path):
    command = [sys.executable, "-m", "tests.fuzz.run_atheris", "all", "-runs=600", "-seed=1"]
    done = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Done 600 runs" in done.stderr


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read(name):
    for seed in TARGETS[name].seeds():
        hold(TARGETS[name], seed)


@pytest.mark.parametrize(
    ("run", "broken"),
    [
        (lambda data: bytearray(64 << 20), "bytes for"),
        (
            lambda data: (_ for _ in ()).throw(ZebinError("file", "it is bad", expected="good")),
            "no place",
        ),
        (lambda data: (_ for _ in ()).throw(ZebinError("file", "it is bad", 4)), "was expected"),
    ],
    ids=["memory", "place", "expected"],
)
def test_what_breaks_a_bound_is_found(run, broken):
    with pytest.raises(BoundsError, match=broken):
        hold(Target("bad", run, list), b"x")
