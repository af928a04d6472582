"""Detach and attach again, many times: neither process keeps anything of it."""

import json
import os
import subprocess

import pytest

from tests.support.devices import ALL
from tests.support.module_command import module_command

TIMES = 1000 if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else 40
WARM = 10  # times, until neither process takes memory for the first time
# How much more of each there may be in the second half than in the first: Python takes memory in
# pieces of 1 MiB, what malloc() has given out is rounded up, and under load a thread and its
# descriptors are often still on their way out. A cache of Python's may take a dozen blocks at once.
# In the program malloc() keeps up to 132 KiB that are free, or gives them back.
PERMITTED = (
    {"open files": 2, "threads": 1, "resident KiB": 1024, "blocks": 24, "malloc() KiB": 64},
    {"open files": 2, "threads": 1, "resident KiB": 64 + 132},
)
BLOCKS = list(PERMITTED[0]).index("blocks")


@pytest.mark.parametrize("device", ALL)
def test_nothing_is_left_of_a_session_in_either_process(user_environment, device):
    done = subprocess.run(
        module_command("engine.attaching_again", device, TIMES),
        env=user_environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    held = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(held) == TIMES
    first, second = held[WARM : (TIMES + WARM) // 2], held[(TIMES + WARM) // 2 :]
    for process, permitted in enumerate(PERMITTED):
        print(f"{['debugger', 'program'][process]}: {held[0][process]} to {held[-1][process]}")
        for number, (what, more) in enumerate(permitted.items()):
            # The least of each half: now and then something of the last session is still there, and
            # what is never given back shows in the least, too.
            early, late = (min(each[process][number] for each in half) for half in (first, second))
            assert late <= early + more, (process, what)
    blocks = [debugger[BLOCKS] for debugger, _ in held]
    grown = [more > max(blocks[:time]) for time, more in enumerate(blocks) if time > TIMES // 2]
    assert sum(grown) <= len(grown) // 2, blocks
