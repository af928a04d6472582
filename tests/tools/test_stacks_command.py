"""``zedbg stacks``: where a program's threads are; it goes on."""

import json
import subprocess
import sys

import pytest

from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually
from zedbg.levelzero.selection import choose_driver


@pytest.fixture
def endless_program(debugger, endless):
    """A program in its kernel, on the simulated GPU; nobody debugs it."""
    environment = debugger.environment | choose_driver("dg2").environment
    return debugger.spawn(
        ["zedbg", *endless[1:], "--device", "dg2"],
        env=environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )


def stacks(debugger, *words):
    return debugger.run("stacks", *words)


def test_stuck_program_is_looked_at_and_goes_on(debugger, endless_program):
    pid = str(endless_program.pid)
    seen = []

    def is_in_its_kernel():
        seen.append(stacks(debugger, pid))
        return "endless at" in seen[-1].out

    eventually(is_in_its_kernel, "it is in its kernel")
    done = seen[-1]
    assert done.code == 0
    assert done.lines[0].startswith(f"Process {pid} (")
    assert done.lines[1:3] == [
        "  1 thread, 16 lanes, work-group (0,0,0):",
        "    #0  endless at endless.cl:6",
    ]
    every = [json.loads(line) for line in stacks(debugger, "--all", "--json").out.splitlines()]
    (record,) = (each for each in every if each["pid"] == endless_program.pid)
    assert record["ok"]
    assert record["rows"][0]["frames"][0]["function"] == "endless"
    assert endless_program.poll() is None
    release = "import sys, zedbg\nwith zedbg.attach(int(sys.argv[1])) as session:\n"
    release += "    session.stop.thread['stop[0]'] = 1\n"
    subprocess.run([sys.executable, "-c", release, pid], check=True, env=debugger.environment)
    out, _ = endless_program.communicate(timeout=LIMIT_SECONDS)
    assert endless_program.returncode == 0 and "argument 0: i32[1] = 1 " in out


def test_what_cannot_be_looked_at_is_said_in_one_line(debugger):
    done = stacks(debugger, "1", str(2**22 - 3))
    assert done.code == 1
    assert "Cannot attach to process 1:" in done.lines[1]
    assert done.lines[3] == f"  No such process: {2**22 - 3}."
    done = stacks(debugger, "--all", "17")
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
