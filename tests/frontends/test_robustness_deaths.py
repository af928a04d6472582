"""Processes that die or are left at the wrong moment: the other one goes on working."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually, is_alive

RESULT = "argument 2: f32[64] = 2 3 4 5 6 7 8 9 ...  crc32 23844f07"


@pytest.fixture
def stopped(debugger, vadd):
    """A debugger that stands at a breakpoint in a kernel."""
    running = debugger.start(vadd)
    running("break vadd.cl:3")
    running("run")
    running.expect(r"^Thread 1\.1 hit Breakpoint 1")
    return running


@pytest.fixture
def spinning(debugger, endless):
    """A debugger whose program is in an endless kernel; `continue` is what it does."""
    running = debugger.start(endless)
    running("tbreak endless")
    running("run")
    running.expect(r"^Thread 1\.1 hit Temporary breakpoint 1")
    running("continue")
    wait_for_work(running.debuggee)
    return running


def wait_for_work(pid):
    """Waits until the simulated device of ``pid`` works: a kernel takes all the time it gets."""
    begin = processor_time(pid)
    eventually(lambda: processor_time(pid) > begin + 3, "the kernel runs")


def processor_time(pid):
    """Clock ticks that ``pid`` and its simulated GPU, a process beside it, have used."""
    devices = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
            devices += (task / "children").read_text().split()
    ticks = 0
    for each in (pid, *devices):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks


def test_program_killed_while_stopped_is_reported_and_can_be_run_again(stopped):
    os.kill(stopped.debuggee, signal.SIGKILL)
    stopped("print i")
    stopped("continue")
    stopped.expect(r"^\[Process terminated with signal SIGKILL\]")
    stopped("info threads")
    stopped.expect(r"The program is not being run\.", "err")
    stopped("run")
    stopped.expect(r"(?s)hit Breakpoint 1.*hit Breakpoint 1")
    stopped("delete 1")
    stopped("continue")
    done = stopped.finish()
    assert RESULT in done.lines and done.lines[-1] == "[Process exited normally]"
    assert all(len(line) < 300 for line in done.err.splitlines())


def test_program_killed_while_running_ends_continue(spinning):
    os.kill(spinning.debuggee, signal.SIGKILL)
    spinning.expect(r"^\[Process terminated with signal SIGKILL\]")
    spinning("info breakpoints")
    done = spinning.finish()
    assert (done.code, done.err) == (0, "")


def test_debugger_killed_while_stopped_leaves_a_program_that_ends_right(stopped):
    program = stopped.debuggee
    stopped.send_signal(signal.SIGKILL)
    stopped.process.wait(LIMIT_SECONDS)
    eventually(lambda: not is_alive(program), "the program ends")
    # It shares the debugger's standard output, which ends with it.
    assert RESULT in stopped.wait().lines


def test_debugger_killed_while_running_leaves_the_program_alone(spinning):
    program = spinning.debuggee
    spinning.send_signal(signal.SIGKILL)
    spinning.process.wait(LIMIT_SECONDS)
    wait_for_work(program)
    os.kill(program, signal.SIGKILL)


@pytest.mark.parametrize("state", ["stopped", "spinning"])
def test_debugger_that_is_asked_to_end_takes_its_program_along(request, state):
    running = request.getfixturevalue(state)
    program = running.debuggee
    running.send_signal(signal.SIGTERM)
    done = running.wait()
    assert done.code == 128 + signal.SIGTERM
    assert RESULT not in done.out
    assert not is_alive(program)


def test_debugger_that_is_asked_to_end_leaves_a_program_that_it_attached_to(debugger, endless):
    program = debugger.spawn(
        [*endless, "--device", "dg2"],
        env=debugger.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    running = attached(debugger, program.pid)
    running.send_signal(signal.SIGTERM)
    assert running.wait().code == 128 + signal.SIGTERM
    wait_for_work(program.pid)
    again = attached(debugger, program.pid)
    again("set var stop[0] = 1")
    again("detach")
    assert again.finish().code == 0
    out, _ = program.communicate(timeout=LIMIT_SECONDS)
    assert program.returncode == 0 and "argument 0: i32[1] = 1 " in out


def attached(debugger, pid):
    """A debugger that stands inside the endless kernel of ``pid``, as soon as that is there."""
    found = []

    def stands_in_kernel():
        running = debugger.start([], "-p", str(pid))
        running("info threads")
        running("echo done")
        running.expect("^done$")
        if any("endless" in line for line in running.out):
            found.append(running)
        else:
            running.finish()
        return found

    eventually(stands_in_kernel, "the kernel runs")
    return found[0]


def test_ctrl_c_stops_an_endless_kernel_which_can_be_left_and_killed(spinning):
    program = spinning.debuggee
    spinning.send_signal(signal.SIGINT)
    spinning.expect(r"interrupted, with lanes \[0-15\], endless \(")
    spinning("info threads")
    spinning.expect(r"^\* 1\.1:\[\*0 1-15\]")
    spinning("stepi")
    spinning("detach")
    spinning.expect(rf"\[Detached process {program}\]")
    wait_for_work(program)
    spinning("info threads")
    spinning.expect(r"The program is not being run\.", "err")
    os.kill(program, signal.SIGKILL)
    eventually(lambda: not is_alive(program), "it can be killed")
    assert spinning.finish().code == 0


def test_ctrl_c_again_and_again_never_loses_the_program(spinning):
    for count in range(1, 4):
        spinning.send_signal(signal.SIGINT)
        spinning.expect(rf"(?s)(interrupted, with lanes.*){{{count}}}")
        spinning("continue")
        wait_for_work(spinning.debuggee)
    spinning.send_signal(signal.SIGINT)
    spinning.expect(r"(?s)(interrupted, with lanes.*){4}")
    spinning("set var stop[0] = 1")
    spinning("continue")
    assert spinning.finish().lines[-1] == "[Process exited normally]"


def test_detaching_while_stopped_lets_the_program_finish_right(stopped):
    stopped("detach")
    stopped.expect(r"\[Detached process \d+\]")
    stopped.expect("^" + RESULT.replace("[", r"\[").replace(".", r"\."))
    assert stopped.finish().code == 0


def test_program_that_is_left_in_json_mode_still_has_somewhere_to_write(debugger, vadd):
    running = debugger.start(vadd, "--json")
    running("break vadd.cl:3")
    running("run")
    running.expect('"event": "stop"')
    running("detach")
    running("quit")
    done = running.wait()
    assert done.code == 0
    written = [each["text"] for each in done.objects if each.get("event") == "output"]
    assert RESULT in ("".join(written) + done.err).splitlines()


def test_killing_the_program_is_said_and_breakpoints_wait_again(stopped):
    stopped("kill")
    stopped.expect(r"^\[Killed process \d+\]")
    stopped("info breakpoints")
    stopped.expect("vadd.cl:3.*")
    assert stopped.finish().err == ""
