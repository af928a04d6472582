"""The past in a shell where something goes wrong, or is large: it says so, and the program goes on
from the present."""

import re
import signal
import time

import pytest

from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually, is_alive
from tests.support.frontends.terminal import PROMPT, Terminal

RESULT = "argument 2: f32[64] = 2 3 4 5 6 7 8 9 ...  crc32 23844f07"
MANY, MILLION = 1 << 18, 1 << 20
LONG = 2_000_000  # instructions
#: What takes longer than a test in the recorded past of an endless kernel.
REVERSE = ("reverse-continue", "reverse-stepi 100000000", "reverse-next 100000000", "first id < 0")


@pytest.fixture
def in_past(debugger, vadd):
    """A debugger that shows the beginning of a launch, which is stopped in the middle."""
    running = debugger.start(vadd)
    running("break vadd.cl:4")
    running("run")
    running.expect(r"^Thread 1\.1 hit Breakpoint 1")
    running("goto start")
    running("when")
    running.expect(r"^Time 0 of launch 1 \(vadd\), in the past")
    return running


def test_a_debugger_that_dies_in_the_past_leaves_a_program_that_goes_on_from_the_present(in_past):
    program = in_past.debuggee
    in_past.send_signal(signal.SIGKILL)
    in_past.process.wait(LIMIT_SECONDS)
    eventually(lambda: not is_alive(program), "the program ends")
    assert RESULT in in_past.wait().lines


def test_a_program_goes_on_from_the_present_when_it_is_left_in_the_past(in_past):
    in_past("detach")
    in_past.expect(re.escape(RESULT))
    assert in_past.finish().code == 0


def test_a_program_that_is_killed_in_the_past_can_be_run_again(in_past):
    in_past("kill")
    in_past("run")
    in_past.expect(r"(?s)hit Breakpoint 1.*hit Breakpoint 1")
    in_past("info recordings")
    in_past.expect(r"(?s)hit Breakpoint 1.*hit Breakpoint 1.*^\* *1 +vadd")
    in_past("reverse-stepi")
    in_past("delete")
    in_past("continue")
    in_past.expect(r"^End of the recorded history: this is the present\.")
    in_past("continue")
    done = in_past.finish()
    assert RESULT in done.lines and done.lines[-1] == "[Process exited normally]"


@pytest.fixture
def adds(kernel_command):
    """The command line of vadd with so many work-items: c = 3."""

    def command(count):
        sizes = ["--global", str(count), "--local", "64", f"f32[{count}]=1", f"f32[{count}]=2"]
        return kernel_command("vadd", *sizes, f"f32[{count}]", f"i32={count}", build="igc2-dg2-O2")

    return command


def test_a_launch_that_does_not_fit_the_budget_says_so_in_one_line_and_goes_on(debugger, adds):
    done = debugger.batch(
        [
            "set record-budget 1",
            f"break vadd.cl:4 workitem ({MANY - 1},0,0)",
            "run",
            "reverse-stepi",
            "info record",
            "delete",
            "continue",
        ],
        adds(MANY),
    )
    assert done.err.splitlines() == [
        "Launch 1 is not recorded any more: the launch does not fit the budget of 1048576 bytes. "
        "Use: set record-budget MIB"
    ]
    assert "Device 1 does not record launch 1: the launch does not fit the budget" in done.out
    assert any(line.startswith(f"argument 2: f32[{MANY}] = 3 3 3") for line in done.lines)


@pytest.mark.parametrize("how", ["physical", "ipc"])
def test_a_launch_on_memory_that_is_mapped_twice_says_so_and_the_next_one_is_recorded(
    debugger, host_program, kernel_command, how
):
    module = kernel_command("vadd")[2]
    done = debugger.batch(
        [
            "tbreak vadd.cl:4",
            "run",
            "next",
            "reverse-stepi",
            "info record",
            "tbreak vadd.cl:4",
            "continue",
            "next",
            "reverse-next",
            "when",
            "goto end",
            "continue",
        ],
        [str(host_program("aliased_memory")), module, how],
    )
    addresses = r"it uses memory that is mapped at two addresses, 0x[0-9a-f]+ and 0x[0-9a-f]+\."
    assert re.fullmatch(rf"Launch 1 cannot be recorded: {addresses}", done.err.strip())
    assert re.search(rf"^Device 1 does not record launch 1: {addresses}$", done.out, re.M)
    assert re.search(r"^Time \d+ of launch 2 \(vadd\), in the past", done.out, re.M)
    assert done.lines[-2:] == ["aliased_memory: ok", "[Process exited normally]"]


@pytest.mark.cases(0)
@pytest.mark.parametrize("count", [MILLION])
def test_a_launch_of_a_million_work_items_has_a_past(debugger, adds, count):
    last = count - 1
    done = debugger.batch(
        [
            f"break vadd.cl:4 workitem ({last},0,0)",
            "run",
            "print i",
            "delete",
            "when",
            "reverse-stepi",
            "when",
            "goto start",
            "when",
            "goto end",
            "print i",
            "continue",
        ],
        adds(count),
    )
    assert done.err == ""
    now, before, first = re.findall(r"^Time (\d+) of launch 1", done.out, re.MULTILINE)
    assert int(now) > count and int(first) == 0
    assert 0 < int(now) - int(before) <= 4096  # the others go back to where they were then
    assert [line for line in done.lines if line.startswith("$")][:2] == [
        f"$1 = {last}",
        f"$2 = {last}",
    ]
    assert any(line.startswith(f"argument 2: f32[{count}] = 3 3 3") for line in done.lines)


@pytest.fixture
def terminal(tmp_path, user_environment, endless):
    opened = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *endless], user_environment)
    yield opened
    opened.close()


def test_ctrl_c_ends_a_reverse_command_and_the_present_is_as_it_was(terminal):
    terminal.command("tbreak endless")
    terminal.command("run")
    present = "Time 0 of"
    while int(present.split()[1]) < LONG:
        interrupt(terminal, "continue", 0.5)
        (present,) = terminal.command("when")
    terminal.command("break endless.cl:6 if id == -1")
    for command in REVERSE:
        shown = interrupt(terminal, command)
        assert "Traceback" not in shown and "rror" not in shown, shown
        (moment,) = terminal.command("when")
        assert moment.startswith("Time "), command
        assert terminal.command("print 6 * 7")[-1].endswith("= 42"), command
        terminal.command("goto end")
        assert terminal.command("when") == [present], command
    terminal.command("delete 2")
    terminal.command("set var *stop = 1")
    terminal.command("continue")
    terminal.expect(r"^\[Process exited normally\]")
    terminal.type("quit")
    terminal.key("Enter")
    assert terminal.exit_code() == 0


def interrupt(terminal, command, seconds=0.0):
    """Presses Ctrl-C when ``command`` runs, after ``seconds``; what was shown until the prompt was
    back."""
    terminal.ready()
    terminal.type(command)
    start = len(terminal.text())
    terminal.key("Enter")
    terminal.started()
    time.sleep(seconds)
    terminal.key("C-c")
    terminal.expect(rf"^{re.escape(PROMPT)}\Z", start)
    return terminal.text()[start:]
