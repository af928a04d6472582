"""``zedbg stacks``: where a program's threads are; it goes on."""

import json
import subprocess
import sys

import pytest

from tests.support.driver.device_processes import device_process
from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually
from zedbg.levelzero.selection import choose_driver
from zedbg.tools.stacks.main import debuggable_processes

GONE = 2**22 - 3


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


def all_stacks(debugger, processes):
    """What ``--all`` gives where these are all the processes that it finds: other tests' programs
    are not to be touched."""
    code = "import sys\nfrom zedbg.tools.stacks import main as stacks\n"
    code += f"stacks.debuggable_processes = lambda: {processes}\n"
    code += "sys.exit(stacks.main(['--all', '--json']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=debugger.environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


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
    assert endless_program.pid in debuggable_processes()
    (record,) = all_stacks(
        debugger, [device_process(endless_program.pid), endless_program.pid, GONE]
    )
    assert (record["ok"], record["pid"]) == (True, endless_program.pid)
    assert record["rows"][0]["frames"][0]["function"] == "endless"
    assert endless_program.poll() is None
    release = "import sys, zedbg\nwith zedbg.attach(int(sys.argv[1])) as session:\n"
    release += "    session.stop.thread['stop[0]'] = 1\n"
    subprocess.run([sys.executable, "-c", release, pid], check=True, env=debugger.environment)
    out, _ = endless_program.communicate(timeout=LIMIT_SECONDS)
    assert endless_program.returncode == 0 and "argument 0: i32[1] = 1 " in out


def test_what_cannot_be_looked_at_is_said_in_one_line(debugger):
    done = stacks(debugger, "1", str(GONE))
    assert done.code == 1
    assert "Cannot attach to process 1:" in done.lines[1]
    assert done.lines[3] == f"  No such process: {GONE}."
    done = stacks(debugger, "--all", "17")
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
