"""Kernels that never end: a debugger gets into each, on every device, and names the threads, the
instructions and the lines where they hang. What is broken otherwise is in test_broken_modules.py.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually

DEVICES = EACH_PLATFORM
LOOP_LINES = {5, 6, 7}  # of endless.cl
BARRIER_LINE, CROSSED_LINE = 7, 16  # of lonely_barrier.cl, and the loop that waits for it
WAITING_LINES = {19, 20}
# Without optimisation, code for Xe-HPC asks n0.0 in a loop whether the barrier is complete.
AT_BARRIER = {"dg2": r"sync\.bar", "pvc": r"while|n0\.0", "bmg": r"sync\.bar"}


@dataclass(frozen=True)
class Hang:
    """Where the threads of a kernel are found: their lines, and instructions at the focused one."""

    lines: Counter
    instruction: str


class Session:
    """A zedbg that runs a kernel in the background, whose answers are JSON."""

    def __init__(self, zedbg):
        self._zedbg = zedbg
        self._read = 0

    def __call__(self, command):
        """The rows of a command's answer."""
        self._zedbg(command)
        name = command.split("/")[0].split(" -")[0].split(" on")[0]
        answers = []

        def answered():
            lines = self._zedbg.out[self._read :]
            answers[:] = [each for line in lines if "command" in (each := json.loads(line))]
            return bool(answers)

        eventually(answered, name, LIMIT_SECONDS)
        self._read = len(self._zedbg.out)
        (answer,) = answers
        assert answer["ok"], answer
        return answer["rows"]

    def stopped(self):
        """Stops all threads, and gives the rows of those that have not ended."""
        self("interrupt -a")
        return [row for row in self("info threads") if row["state"] == "halted"]


@pytest.fixture
def session(debugger, kernel_command):
    """Starts a kernel of 64 work-items under the debugger; its threads run."""

    def start(device, module, kernel, *arguments):
        sizes = ["--global", "64", "--local", "64"]
        program = kernel_command(module, *sizes, *arguments, build=f"igc2-{device}-O0")
        program[2] += f":{kernel}"
        zedbg = Session(debugger.start(program, "--json", device=device))
        for command in ("set non-stop on", f"tbreak {kernel}", "run", "continue -a &"):
            zedbg(command)
        return zedbg

    return start


def hang(zedbg, settled):
    """Looks again and again, until the lines of the threads are as ``settled`` wants them."""
    found = []

    def look():
        rows = zedbg.stopped()
        lines = Counter(row["line"] for row in rows)
        if not settled(lines):
            zedbg("continue -a &")
            return False
        (focused,) = [row for row in rows if row["focused"]]
        assert all(row["lanes"] and row["workgroup"] == [0, 0, 0] for row in rows)
        text = zedbg("x/1i $pc")[0]["text"]
        found.append((Hang(lines, text), focused))
        return True

    eventually(look, "the kernel hangs", LIMIT_SECONDS)
    return found[0]


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", DEVICES)
def test_an_endless_loop_is_interrupted_in_its_lines(session, device):
    zedbg = session(device, "endless", "endless", "i32[1]=0", "i32[64]")
    found, focused = hang(zedbg, lambda lines: set(lines) <= LOOP_LINES)
    assert focused["kernel"] == focused["function"] == "endless"
    assert sum(found.lines.values()) == (8 if device == "dg2" else 4)
    assert found.instruction


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", DEVICES)
def test_a_barrier_that_others_passed_by_holds_those_that_wait(session, device):
    zedbg = session(device, "lonely_barrier", "lonely_barrier", "i32[64]")
    waiting = 4 if device == "dg2" else 2
    found, focused = hang(zedbg, lambda lines: lines == {BARRIER_LINE: waiting})
    assert focused["function"] == "lonely_barrier"
    assert re.search(AT_BARRIER[device], found.instruction)


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", DEVICES)
def test_a_barrier_and_a_loop_that_wait_for_each_other_are_both_reported(session, device):
    zedbg = session(device, "lonely_barrier", "crossed_barrier", "i32[64]")
    half = 4 if device == "dg2" else 2
    found, _ = hang(
        zedbg,
        lambda lines: (
            lines[CROSSED_LINE] == half and sum(lines[each] for each in WAITING_LINES) == half
        ),
    )
    assert re.search(AT_BARRIER[device], found.instruction)
