"""The interactive shell in a real terminal: a kernel from the first breakpoint to its result."""

import re

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually, is_alive
from tests.support.frontends.terminal import Terminal


@pytest.fixture
def terminal(tmp_path, user_environment, debugger):
    opened = []

    def start(*words):  # the debugger fixture ends what a closed terminal leaves running
        opened.append(Terminal(tmp_path, words, user_environment))
        return opened[-1]

    yield start
    for each in opened:
        if each.is_open:
            assert_no_traceback(each.text())
        each.close()


@pytest.fixture
def shell(terminal, kernel_sources):
    """zedbg's prompt over a program."""

    def start(program):
        started = terminal("zedbg", "--sim=dg2", "--", *program)
        started.command(f"directory {kernel_sources}")
        return started

    return start


def test_kernel_is_debugged_from_its_first_line_to_its_result(shell, vadd):
    do = shell(vadd).command
    assert do("break vadd.cl:3") == ["Breakpoint 1 (vadd.cl:3) pending: no module has it yet."]
    attached, stop, *around = do("run")
    assert re.match(r"\[Attached to process \d+: .*A770.*\(simulated\)\]$", attached)
    assert stop.startswith("Thread 1.1 hit Breakpoint 1, with lanes [0-7], vadd (a=0x")
    assert stop.endswith("n=64) at vadd.cl:3  [8 threads, 2 work-groups (0,0,0)-(1,0,0)]")
    assert [line.split()[0] for line in around] == ["1", "2", "=>", "4", "5"]
    assert around[2].split() == ["=>", "3", "if", "(i", "<", "n)"]

    threads = do("info threads")
    assert threads[0].split() == ["Id", "Target", "Id", "Work-group", "Frame"]
    assert " ".join(threads[1].split()) == "* 1.1:[*0 1-7] ZE 0.0.0.0 (0,0,0) vadd at vadd.cl:3"
    assert [line.split()[0] for line in threads[2:]] == [f"1.{n}:[0-7]" for n in range(2, 9)]
    assert [line.split()[3] for line in threads[2:]] == ["(0,0,0)"] * 3 + ["(1,0,0)"] * 4

    assert do("thread 1.6:2")[0] == (
        "[Current thread is 1.6:2 (ZE 0.0.0.5 lane 2), kernel vadd, work-group (1,0,0), "
        "work-item (42,0,0)]"
    )
    assert do("print i") == ["$1 = 42"]
    assert "lane 7" in do("lane 7")[0]
    assert do("print i + 100") == ["$2 = 147"]
    rows = [line.split() for line in do("print/l i")]
    assert rows == [["Lane", "Global", "Id", "Value"]] + [
        [str(lane), f"({40 + lane},0,0)", str(40 + lane)] for lane in range(8)
    ]

    assert do("next") == ["4\t    c[i] = a[i] + b[i];".expandtabs(8)]
    pc = int(do("print/x $pc")[0].split()[-1], 16)
    assert do("stepi")
    assert int(do("print/x $pc")[0].split()[-1], 16) > pc
    # The source ends with this line's brace.
    assert do("step")[0].split() == ["5", "}"]
    (registers,) = do("info registers r0")
    assert re.match(r"r0 +\{(0x[0-9a-f]+, ){7}0x[0-9a-f]+\}$", registers)
    (memory,) = do("x/4fw a")
    assert re.match(r"0x[0-9a-f]+:\s+0\s+1\s+2\s+3$", memory)
    assert do("print c[i]") == ["$5 = 49"]
    assert do("set pagination off") == []
    code = do("disassemble")
    assert re.match(r" +0x\w+ <\+0>:", code[0])
    (here,) = (line for line in code if line.startswith("=>"))
    assert int(do("print/x $pc")[0].split()[-1], 16) == int(re.search(r"0x\w+", here)[0], 16)
    assert here.endswith("// for [0-7]")
    assert any("{EOT" in line for line in code)

    assert do("delete 1") == []
    *result, exited = do("continue")
    assert exited == "[Process exited normally]"
    assert result[-1] == "argument 2: f32[64] = 2 3 4 5 6 7 8 9 ...  crc32 23844f07"
    assert do("info threads") == ["The program is not being run."]


def test_tab_completes_commands_and_names(shell, vadd):
    screen = shell(vadd)
    screen.ready()
    screen.type("info thr")
    screen.key("Tab")
    screen.expect(r"^\(zedbg\) info threads\s*\Z")
    screen.key("C-u")
    screen.command("break vadd.cl:3")
    screen.command("run")
    screen.type("print ")
    screen.key("Tab")
    names = screen.expect(r"^\(zedbg\) print\n((?: *\$?\w+\n)+)")[1].split()
    assert names[:5] == ["a", "b", "c", "i", "n"]
    screen.key("C-c")
    screen.ready()
    screen.type("delete ")
    screen.key("Tab")
    names = screen.expect(r"^\(zedbg\) delete\n((?: *\w+\n)+)")[1].split()
    assert names[:3] == ["1", "breakpoints", "checkpoint"]


def test_enter_repeats_and_history_stays_with_the_user(shell, vadd, tmp_path):
    screen = shell(vadd)
    screen.command("break vadd.cl:3")
    screen.command("run")
    screen.command("stepi")
    assert screen.enter() != [] and screen.enter() != []
    pc = screen.command("print/x $pc")[0].removeprefix("$1 = ")
    assert screen.enter() == [f"$2 = {pc}"]
    screen.command("x/2xw a")
    assert len(screen.enter()) == 1  # the memory after it
    screen.command("set confirm off")
    screen.command("kill")
    assert screen.enter() == []
    screen.key("Up")
    screen.expect(r"^\(zedbg\) kill\Z")
    screen.key("C-c")
    history = (tmp_path / "state" / "zedbg" / "history").read_text()
    assert "+break vadd.cl:3" in history.splitlines()
    assert not (tmp_path / "home").exists()


def test_ctrl_c_stops_an_endless_kernel_and_the_debugger_ends_it(shell, endless):
    screen = shell(endless)
    screen.command("tbreak endless")
    screen.command("run")
    assert "interrupted, with lanes [0-15], endless (" in interrupted_continue(screen)
    threads = screen.command("info threads")
    assert threads[1].startswith("* 1.1:[*0 1-15]")
    assert screen.command("print stop[0]") == ["$1 = 0"]
    assert "interrupted, with" in interrupted_continue(screen)
    assert screen.command("set var stop[0] = 1") == []
    result = screen.command("continue")
    assert result[-1] == "[Process exited normally]"
    assert result[1].startswith("argument 0: i32[1] = 1 ")


def interrupted_continue(screen):
    """Lets the program run and presses Ctrl-C; what is shown then."""
    while True:
        screen.ready()
        start = len(screen.text())
        screen.type("continue")
        screen.key("Enter")
        screen.started()
        screen.key("C-c")
        screen.expect(r"\n\(zedbg\)\Z", start)
        shown = screen.text()[start:]
        # So early that the program did not run yet: the command itself was interrupted.
        if "\nInterrupted." not in shown:
            return shown


def test_quit_asks_while_a_program_is_there(shell, vadd):
    screen = shell(vadd)
    screen.command("break vadd")
    screen.command("run")
    screen.type("quit")
    screen.key("Enter")
    screen.expect(r"Quit anyway\? \(y or n\)\s*\Z")
    screen.type("n")
    screen.key("Enter")
    screen.expect(r"Not confirmed\.\n\(zedbg\)\Z")
    assert screen.command("print $_thread") == ["$1 = 1"]
    screen.type("quit")
    screen.key("Enter")
    screen.expect(r"Quit anyway\? \(y or n\)\s*\Z")
    screen.type("y")
    screen.key("Enter")
    assert screen.exit_code() == 0


def test_end_of_input_quits_and_says_yes_to_what_that_asks(shell, vadd):
    screen = shell(vadd)
    screen.command("break vadd")
    screen.command("run")
    screen.ready()
    screen.key("C-d")
    screen.expect(r"Quit anyway\? \(y or n\)\s*\Z")
    screen.key("C-d")
    screen.expect(r"\(y or n\)\nyes \(the input has ended\)$")
    assert screen.exit_code() == 0


def test_ctrl_c_in_host_code_stops_nothing_and_the_program_can_go_on(shell, tmp_path):
    fifo = tmp_path / "fifo"
    # It sleeps first, so that `run` waits for it when Ctrl-C comes.
    program = f"sleep 2; mkfifo {fifo}; read line < {fifo}; echo $line"
    screen = shell(["sh", "-c", program])
    screen.ready()
    screen.type("run")
    screen.key("Enter")
    eventually(fifo.exists, "the program runs")
    screen.key("C-c")
    screen.expect(r"^\[No thread is stopped: nothing runs on a device\.\]\n\(zedbg\)\Z")
    assert screen.command("info threads") == ["No stopped threads."]
    screen.type("continue")
    screen.key("Enter")
    screen.started()
    fifo.write_text("went on\n")
    screen.expect(r"^went on\n\[Process exited normally\]\n\(zedbg\)\Z")


def test_terminal_that_is_closed_takes_debugger_and_program_along(shell, vadd):
    screen = shell(vadd)
    screen.command("break vadd")
    program = int(re.search(r"process (\d+)", screen.command("run")[0])[1])
    assert is_alive(program)
    screen.close()
    eventually(lambda: not is_alive(program), "the program ends")


def test_end_of_input_leaves_without_a_program(shell, vadd):
    screen = shell(vadd)
    screen.ready()
    screen.key("C-d")
    assert screen.exit_code() == 0
