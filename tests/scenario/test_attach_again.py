"""Detach and attach again, many times: neither process keeps anything of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TIMES = 1000 if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else 12
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
    held = json.loads(done.stdout.splitlines()[-1])
    assert len(held) == TIMES
    # A descriptor of the last session may be on its way out.
    for process in (0, 1):
        files = [each[process][0] for each in held]
        threads = [each[process][1] for each in held]
        assert max(files[1:]) <= files[0] + 2
        assert max(threads[1:]) <= threads[0] + 1
        # What caches and allocators keep they keep once, however often it is done again.
        resident = [each[process][2] for each in held]
        assert max(resident[TIMES // 2 :]) <= max(resident[: TIMES // 2]) + 4096
        print(f"{['debugger', 'program'][process]}: {held[0][process]} to {held[-1][process]}")
