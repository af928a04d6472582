"""Detach and attach again, many times: neither process keeps anything of it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median_low

import pytest

TIMES = 1000 if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else 16
WARM = 4  # times
# More open files, threads and resident KiB: of the debugger, whose last session's descriptors and
# thread may be on their way out, and whose Python takes memory in pieces of 1 MiB; of the program.
PERMITTED = ((2, 1, 1024), (2, 1, 64))
ATTACHING = Path(__file__).with_name("attaching_again.py")


@pytest.mark.parametrize("device", ["dg2", "pvc", "bmg"])
def test_nothing_is_left_of_a_session_in_either_process(user_environment, device):
    done = subprocess.run(
        [sys.executable, ATTACHING, device, str(TIMES)],
        env=user_environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    held = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(held) == TIMES
    first, second = held[WARM : (TIMES + WARM) // 2], held[(TIMES + WARM) // 2 :]
    for process, (files, threads, resident) in enumerate(PERMITTED):
        assert most(held, process, 0) <= held[0][process][0] + files
        assert most(held, process, 1) <= held[0][process][1] + threads
        assert most(second, process, 2) <= most(first, process, 2) + resident
        print(f"{['debugger', 'program'][process]}: {held[0][process]} to {held[-1][process]}")
    # Once caches are filled, not one object more each time.
    early, late = (median_low([each[0][3] for each in half]) for half in (first, second))
    assert late <= early + 2
    assert most(second, 0, 4) <= most(first, 0, 4) + 64


def most(held, process, what):
    return max(each[process][what] for each in held)
