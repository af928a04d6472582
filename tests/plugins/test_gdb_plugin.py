"""GDB itself with zedbg's plugin: host and device of one program in one session."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import children, eventually, is_alive, processes_with
from tests.support.frontends.terminal import Terminal
from tests.support.gdb_on_amx import gdb_variables
from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY
from zedbg.tools.gdb_plugin.main import plugin_file

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
LAUNCH = "zeCommandListAppendLaunchKernel"
SECONDS = 60
# GDB 13 says this, and no end, of a program whose threads exit while it looks at one of them.
EXIT_RACE = "Couldn't get registers: No such process."
ATTEMPTS = 3


@pytest.fixture
def gdb_environment(user_environment, tmp_path):
    """A user's, with nothing of the simulated GPU in it; and nothing of zedbg's is left behind."""
    ours = ("ZE_", "ZET_", "XESIM_", "LD_AUDIT")
    theirs = {name: v for name, v in user_environment.items() if not name.startswith(ours)}
    yield theirs | gdb_variables(tmp_path)
    eventually(lambda: not processes_with(str(tmp_path / "state")), "no process is left")


@pytest.fixture
def gdb(gdb_environment, tmp_path):
    """Runs GDB with commands, one after another; what it shows, both streams together."""

    def run(*commands: str, program: list[str] | None = None, sim: str = "dg2") -> str:
        words = ["gdb", "-nx", "-q", "-batch", "-x", str(plugin_file()), "-ex", "set width 0"]
        for command in ([f"set zedbg sim {sim}"] if sim else []) + list(commands):
            words += ["-ex", command]
        for _ in range(ATTEMPTS):
            done = subprocess.run(
                [*words, "--args", *program] if program else words,
                env=gdb_environment,
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
            )
            if EXIT_RACE not in done.stdout:
                break
        assert done.returncode in (0, 1), done.stdout
        assert "Traceback" not in done.stdout and "Python Exception" not in done.stdout
        return done.stdout

    return run


def said(output: str, *patterns: str) -> list[re.Match]:
    """Finds ``patterns`` in ``output``, one after another."""
    found, start = [], 0
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(output, start)
        assert match, f"not said: {pattern!r} in\n{output[start:]}"
        found.append(match)
        start = match.end()
    return found


def test_host_and_device_breakpoints_in_one_session(gdb, host_program):
    output = gdb(
        "break run_immediate",
        f"tbreak {LAUNCH}",
        "run",
        "zedbg break-launched",
        "continue",
        "print $zedbg_stopped()",
        "frame function run_regular",
        "print groups",
        "zedbg break vadd.cl:4 if i == 0",
        "continue",
        'print $zedbg("i") + 1',
        'print $zedbg_lanes("a[i]")',
        'print $zedbg("$_kernel")',
        "zedbg print/l i + n",
        "zedbg step",
        "zedbg",
        "zedbg delete",
        "continue",
        "zedbg",
        "zedbg print i",
        "zedbg tbreak vadd.cl:4 if i == 37",
        "continue",
        "zedbg print i",
        "continue",
        program=[str(host_program("vadd")), str(VADD)],
    )
    said(
        output,
        rf"hit Temporary breakpoint 2.*{LAUNCH}",
        r"^Temporary catchpoint 1 \(launch vadd\)",
        r'^Thread 1 "vadd" received signal SIGINT',
        r"^Thread 1\.1 hit Catchpoint 1 \(launched vadd\), with lanes \[0-7\], vadd \(",
        r"^\$1 = 1$",
        r"^\$2 = \{groupCountX = 16, groupCountY = 1, groupCountZ = 1\}",
        r"^Thread 1\.1 hit Breakpoint 2, with lane 0, .* at vadd\.cl:4$",
        r"^\$3 = 1$",
        r"^\$4 = \{0, 1, 2, 3, 4, 5, 6, 7\}$",
        r'^\$5 = "vadd"$',
        r"^7     \(7,0,0\)    1007$",
        r"^vadd .* at vadd\.cl:5$",
        r"^The device of process \d+ is stopped\.",
        r"hit Breakpoint 1, run_immediate",
        r"^The device of process \d+ has nothing to run\.",
        r"^No thread is stopped\.",
        r"^Thread 1\.5 hit Temporary breakpoint 3, with lane 5",
        r"^\$\d+ = 37$",
        r"^vadd: ok$",
        r"exited normally",
    )


def test_each_command_that_cannot_work_says_why_in_one_line(gdb, gdb_environment):
    gdb_environment["PYTHONHOME"] = "/usr"  # that of GDB's Python, not of zedbg's
    output = gdb(
        "zedbg",
        "zedbg break-launched",
        "zedbg attach",
        "zedbg detach",
        "zedbg run",
        "set zedbg sim dg9",
        "run",
        "zedbg",
        program=["true"],
        sim="",
    )
    nothing = "zedbg: no program runs: run, or attach PID."
    assert [line for line in output.splitlines() if "zedbg" in line] == [
        *[nothing] * 3,
        "zedbg: no device is debugged.",
        "zedbg: run is not for the device: use GDB's own commands.",
        "zedbg env: there is no simulated dg9: choose of dg2, pvc, bmg, lnl",
        nothing,
    ]


def test_a_program_without_level_zero_is_debugged_as_ever(gdb, host_program):
    output = gdb(
        "break main",
        "run",
        "zedbg",
        'print $zedbg("i")',
        "zedbg break-launched",
        "zedbg attach",
        "continue",
        program=[str(host_program("vadd"))],
    )
    said(
        output,
        r"^Breakpoint 1, main",
        r"^zedbg: no device of process \d+ is debugged: it has not used Level Zero yet",
        r"^No thread is stopped\.$",
        r"^zedbg: no device of process \d+ is debugged",
        r"^\[zedbg: Cannot attach to process \d+: it has not initialised Level Zero yet; try again",
        r"exited with code 02",
    )


def test_a_program_goes_on_where_zedbg_is_missing(gdb, host_program):
    program = [str(host_program("vadd")), str(VADD)]
    output = gdb("set zedbg command /nosuch/zedbg", "run", program=program)
    said(
        output, r"^\[zedbg: cannot start /nosuch/zedbg: No such file or directory\.\]$", "vadd: ok"
    )
    output = gdb("set zedbg command false", "run", program=program)
    said(output, r"^\[zedbg: false did not start: ", "vadd: ok", "exited normally")


@pytest.fixture
def terminal(gdb_environment, tmp_path):
    """GDB in a terminal, with a program; a function that starts it."""
    opened = []

    def start(*program: str, sim: str = "dg2") -> Terminal:
        words = ["gdb", "-nx", "-q", "-x", str(plugin_file()), "-ex", "set confirm off"]
        words += ["-ex", "set width 0", "-ex", "set style enabled off"]
        words += ["-ex", f"set zedbg sim {sim}"] if sim else []
        opened.append(Terminal(tmp_path, [*words, "--args", *program], gdb_environment))
        opened[0].expect(PROMPT)
        return opened[0]

    yield start
    for each in opened:
        each.close()


PROMPT = r"^\(gdb\) \Z|^\(gdb\)\Z"


def enter(terminal: Terminal, line: str, *patterns: str) -> str:
    """Types ``line``; waits for what it shows, and then for a prompt. What it has shown."""
    start = len(terminal.text())
    terminal.type(line)
    terminal.key("Enter")
    return shown(terminal, start, *patterns)


def enter_only(terminal: Terminal, line: str, pattern: str) -> None:
    """The same, where GDB may show the prompt before that."""
    start = len(terminal.text())
    terminal.type(line)
    terminal.key("Enter")
    terminal.expect(pattern, start)
    terminal.key("Enter")
    terminal.expect(PROMPT, start)


def shown(terminal: Terminal, start: int, *patterns: str) -> str:
    for pattern in patterns:
        terminal.expect(pattern, start)
    terminal.expect(PROMPT, start)
    text = terminal.text()[start:]
    assert "Traceback" not in text and "Python Exception" not in text
    return text


def runs(terminal: Terminal, line: str) -> int:
    """Enters what lets the program run; where what comes then begins."""
    start = len(terminal.text())
    terminal.type(line)
    terminal.key("Enter")
    terminal.expect(r"Continuing\.|Attached to process", start)
    time.sleep(0.3)
    return len(terminal.text())


def quits(terminal: Terminal) -> None:
    """Ends GDB, which it does without an error."""
    terminal.type("quit")
    terminal.key("Enter")
    assert terminal.exit_code() == 0


def test_ctrl_c_stops_both_sides_and_continue_resumes_both(terminal, endless):
    """The host is Python."""
    count = r"^\$\d+ = (\d+)"
    session = terminal(sys.executable, "-m", "zedbg.frontends.main", *endless[1:])
    begin = runs(session, "run")
    for line in ("continue", "zedbg continue", "kill"):
        session.key("C-c")
        shown(session, begin, "received signal SIGINT", r"Thread 1\.1.*endless")
        counts = [enter(session, "zedbg print count", count) for _ in range(2)]
        first, second = (re.search(count, each, re.MULTILINE)[1] for each in counts)
        assert first == second  # it stands still
        if line == "kill":
            enter(session, "kill", "killed")
        else:
            begin = runs(session, line)
    enter(session, "zedbg", "no program runs")
    quits(session)


@pytest.mark.cases(0)
def test_host_and_device_stop_by_themselves_where_the_user_wants_that(terminal, endless):
    session = terminal(sys.executable, "-m", "zedbg.frontends.main", *endless[1:])
    enter(session, "set zedbg stop-together off")
    begin = runs(session, "run")
    session.key("C-c")
    assert "Thread 1.1" not in shown(session, begin, "received signal SIGINT")
    enter(session, "zedbg", r"The device of process \d+ runs\.")
    enter(session, "zedbg info threads", "the device runs: zedbg interrupt stops it")
    enter(session, "zedbg interrupt", r"Thread 1\.1.*endless")
    enter(session, "zedbg stepi", "endless")
    enter(session, "zedbg continue")
    enter(session, "zedbg", r"The device of process \d+ runs\.")
    begin = len(session.text())
    enter(session, "kill", "killed")


def test_an_attached_program_goes_on_after_detach(
    gdb_environment, gdb, host_program, simulator_environment
):
    environment = gdb_environment | simulator_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    program = [str(host_program("vadd")), str(VADD), "wait"]
    with subprocess.Popen(program, env=environment, text=True, **pipes) as host:
        assert host.stdout.readline() == "ready\n"
        output = gdb(
            f"attach {host.pid}",
            "zedbg break vadd.cl:4",
            f"shell echo >/proc/{host.pid}/fd/0",
            "continue",
            "zedbg print n",
            "detach",
            "zedbg",
            sim="",
        )
        said(
            output,
            rf"^\[Attached to process {host.pid}: ",
            r"hit Breakpoint 1, .* at vadd\.cl:4",
            r"^\$1 = 1000$",
            rf"\(process {host.pid}\) detached\]",
            r"^zedbg: no program runs",
        )
        assert host.communicate("\n", SECONDS)[0] == "vadd: ok\n"


@pytest.mark.cases(1)
@pytest.mark.parametrize("who", ["gdb", "zedbg", "program"])
def test_whoever_is_killed_the_others_are_not_harmed(terminal, endless, gdb_environment, who):
    session = terminal(sys.executable, "-m", "zedbg.frontends.main", *endless[1:])
    begin = runs(session, "run")
    session.key("C-c")
    shown(session, begin, r"Thread 1\.1.*endless")
    program, zedbg = children_of(session)
    if who == "gdb":
        os.kill(parent_of(program), signal.SIGKILL)
        eventually(lambda: not is_alive(zedbg), "zedbg has ended")
        assert session.exit_code() == 128 + signal.SIGKILL
        return
    os.kill(program if who == "program" else zedbg, signal.SIGKILL)
    if who == "zedbg":
        session.expect(r"^.*\[zedbg has ended: it was killed", begin)
        enter(session, "zedbg", "no device of process")
        enter(session, "kill", "killed")
    else:
        enter_only(session, "continue", "terminated with signal SIGKILL")
        enter(session, "zedbg", "no program runs")
    quits(session)


def children_of(session: Terminal) -> tuple[int, int]:
    """The program under GDB, and the zedbg beside it."""
    match = re.findall(r"Attached to process (\d+)", session.text())
    program = int(match[-1])
    others = [each for each in children(parent_of(program)) if each != program]
    assert len(others) == 1, others
    return program, others[0]


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def session_of_page() -> list[tuple[str, list[str]]]:
    """What docs/gdb-plugin.md types, and the lines that it shows after each, as patterns."""
    page = (REPOSITORY / "docs" / "gdb-plugin.md").read_text()
    (session,) = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    _, *steps = re.split(r"^\(gdb\) ", session, flags=re.MULTILINE)
    found = []
    for command, *shown in (each.splitlines() for each in steps):
        # A terminal shows tabs as spaces.
        words = [re.split(r"\s+", each) for each in shown if each != "..."]
        texts = (r"\s+".join(map(re.escape, each)) for each in words)
        found.append((command, ["^" + each.replace(r"\.\.\.", ".*") + "$" for each in texts]))
    return found


def test_the_session_of_the_page(terminal, host_program, tmp_path):
    """Typed into GDB in a terminal; the host is C."""
    (tmp_path / "vadd").symlink_to(host_program("vadd"))
    session = terminal("./vadd", str(VADD), sim="")
    for command, lines in session_of_page():
        enter(session, command, *lines)
    quits(session)


@pytest.mark.cases(0)
def test_the_same_with_a_host_that_is_python(terminal, vadd):
    session = terminal(sys.executable, "-m", "zedbg.frontends.main", *vadd[1:])
    enter(session, "set breakpoint pending on")
    enter(session, f"tbreak {LAUNCH}", "pending")
    enter(session, "run", rf"hit Temporary breakpoint 1.*{LAUNCH}")
    enter(session, "backtrace", r"_PyEval_EvalFrameDefault", r"^#\d+ .* in main \(|_start")
    enter(session, "zedbg break-launched", r"^Temporary catchpoint 1 \(launch vadd\)")
    enter(session, "continue", r"^Thread 1\.1 hit Catchpoint 1 \(launched vadd\)")
    enter(session, "zedbg host-backtrace", r"_PyEval_EvalFrameDefault")
    enter(session, "zedbg break vadd.cl:4 if i == 42")
    enter(session, "continue", r"^Thread 1\.6 hit Breakpoint 2, with lane 2, .* at vadd\.cl:4$")
    enter(session, 'print $zedbg("a[i] + b[i]") + 1', r"^\$\d+ = 45$")
    enter(session, "tbreak zeMemFree")
    enter(session, "continue", r"hit Temporary breakpoint 2.*zeMemFree")
    enter(session, "zedbg", r"^The device of process \d+ has nothing to run\.")
    enter(session, "continue", r"exited normally")
    quits(session)
