"""Steps that run through the code of a line end where steps by single instructions end, and in few
round trips.

Kernels are those of tests/kernels/truth, of two compilers for three devices: branches and loops
that lanes leave one after the other, calls, recursion. ``ZEDBG_FULL_CORPUS=1`` walks through all of
them, otherwise through a sample of each set.
"""

import json
import os
import random
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.truth.truth_stores import TRUTH_MODULES

BUILDS = sorted(path.name for path in TRUTH_MODULES.iterdir())
EVERYTHING = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
SAMPLE = 1  # kernels of a set, in a default run
# Its code asks in a loop whether the other threads are at the barrier.
ALWAYS = {"igc2-pvc-O0": ("shared",)}
LIMIT = 3600 if EVERYTHING else 900  # seconds
STEPS = 60 if EVERYTHING else 15


def walks(build):
    """For each kernel what ``stepped_places.py`` finds, from a process of its own: one process has
    one device."""
    names = sorted(path.name for path in (TRUTH_MODULES / build).iterdir())
    if not EVERYTHING:
        names = [*random.Random(build).sample(names, SAMPLE), *ALWAYS.get(build, ())]
    command = module_command("truth.stepped_places", build, STEPS, *names)
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", BUILDS)
def test_ranges_end_where_single_steps_end(build):
    resumed = [0, 0]
    for kernel, ((places, resumes), (singly, single_resumes)) in walks(build).items():
        assert places == singly, kernel
        assert places, kernel
        resumed[0] += resumes
        resumed[1] += single_resumes
    # Optimised code has short lines: a few instructions each.
    assert resumed[0] * (5 if build.endswith("O0") else 1.5) < resumed[1]


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc2-dg2-O0", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_ranges_end_at_barriers_breakpoints_and_the_end_of_the_thread(
    build, debugger, kernel_command
):
    """reduce: each thread sums in shared local memory, with a barrier a round."""
    program = kernel_command(
        *("reduce", "--global", "16", "--local", "16", "f32[16]=iota", "f32[1]", "local[64]"),
        "i32=16",
        build=build,
    )
    start = ["break reduce_slm", "run", "break reduce.cl:8 if l < 8"]
    device, places = build.split("-")[1], []
    for setting in ("on", "off"):
        finished = debugger.json(
            [f"set range-stepping {setting}", *start, *["next"] * 30], program, f"--sim={device}"
        )
        stops = [each for each in finished.objects if each.get("event") == "stop"]
        assert stops, finished.out
        places.append([(stop["reason"], stop.get("pc"), stop.get("line")) for stop in stops])
    assert places[0] == places[1]
    reasons = [reason for reason, *_ in places[0]]
    assert reasons.count("breakpoint") > 1
    assert "thread-ended" in reasons
