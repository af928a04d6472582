"""Batch scripts: the same commands give what they give in a terminal, every time."""

import re

import pytest

from tests.support.frontends.terminal import Terminal

SESSION = """\
break vadd.cl:3
run
info threads
info lanes
thread 1.6:2
print i
print/l i
lane 7
next
stepi
step
info registers r0 cr0 f0
info registers
x/4fw a
print c[i]
info locals
info args
backtrace
disassemble
info breakpoints
info modules
info kernels
info devices
delete 1
continue
info threads
"""


def without_pids(text):
    return re.sub(r"process \d+", "process PID", text)


def test_script_shows_what_the_shell_shows(
    debugger, tmp_path, user_environment, vadd, kernel_sources
):
    # The last command ends in an error, on another stream. Scripts have no pages, lines around a
    # stop or drawings.
    commands = [
        "set plain on",
        "set pagination off",
        f"directory {kernel_sources}",
        *SESSION.splitlines()[:-1],
    ]
    terminal = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *vadd], user_environment)
    try:
        shown = [line for command in commands for line in terminal.command(command)]
    finally:
        terminal.close()
    script = tmp_path / "session.zedbg"
    script.write_text("# a comment\n\n" + "\n".join(commands))
    done = debugger.batch([], vadd, "-x", str(script))
    printed = [line.expandtabs(8).rstrip() for line in done.out.splitlines()]
    assert without_pids("\n".join(printed)) == without_pids("\n".join(shown))
    assert (done.err, done.code) == ("", 0)


def test_two_runs_of_a_script_give_the_same_text(debugger, tmp_path, vadd):
    script = tmp_path / "session.zedbg"
    script.write_text(SESSION)
    runs = [debugger.batch([], vadd, "-x", str(script)) for _ in range(2)]
    assert without_pids(runs[0].out) == without_pids(runs[1].out)
    assert runs[0].err == runs[1].err != ""
    assert "crc32 23844f07" in runs[0].out


def test_two_runs_give_the_same_json(debugger, vadd):
    commands = [line for line in SESSION.splitlines() if line != "info threads"]
    runs = [debugger.json(commands, vadd).objects for _ in range(2)]
    for each in (each for run in runs for each in run):
        each.pop("pid", None)
    for is_output in (True, False):  # the two come on ways of their own
        first, second = (
            [each for each in run if (each.get("event") == "output") is is_output] for run in runs
        )
        assert first == second


MANDELBROT = """\
break mandel.cl:12
run
info threads
info registers
next
continue
info threads
delete
break mandel.cl:10 if i == 150
continue
info threads
kill
"""


def test_what_other_threads_do_at_a_stop_is_the_same_every_time(debugger, tmp_path, kernel_command):
    """Some threads stop early, others are in the midst of their loop: always at the same place."""
    script = tmp_path / "mandelbrot.zedbg"
    script.write_text(MANDELBROT)
    sizes = ["--global", "32,8", "--local", "8,1"]
    numbers = ["i32=32", "i32=8", "f32=-2", "f32=-1", "f32=0.1", "i32=20000"]
    program = kernel_command("mandel", *sizes, "u8[1024]", *numbers)
    words = ["zedbg", "--batch", "--sim=dg2", "-x", str(script), "--", *program]
    # At once: each has another share of the machine.
    runs = [debugger.spawn(words, stdout=-1, stderr=-1, text=True) for _ in range(3)]
    texts = [without_pids(run.communicate(timeout=60)[0]) for run in runs]
    assert texts[0] == texts[1] == texts[2]
    assert "(halted)" in texts[0] and "[20 threads" in texts[0]


def test_session_that_kills_its_program_leaves_no_file(
    debugger, tmp_path, vadd, monkeypatch, user_environment
):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setitem(user_environment, "TMPDIR", str(temporary))
    done = debugger.batch(["break vadd", "run", "print n", "kill"], vadd)
    assert done.code == 0
    assert list(temporary.iterdir()) == []


def test_script_stops_at_its_first_error_and_says_where(debugger, tmp_path, vadd):
    script = tmp_path / "wrong.zedbg"
    script.write_text("break vadd\nrun\nprint nothing_of_that_name\ncontinue\n")
    done = debugger.batch([], vadd, "-x", str(script))
    assert done.code == 1
    assert done.err.splitlines() == [
        f'{script}:3: No symbol "nothing_of_that_name" in current context.',
    ]
    assert "crc32" not in done.out  # the program was killed, not run to its end


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("prnt 1", 'Undefined command: "prnt".'),
        ("next", "The program is not being run."),
        ("break", ""),
        ("thread 1.1", "The program is not being run."),
        ("source /no/such/file", "/no/such/file: No such file or directory"),
        ("continue 2 3", ""),
    ],
)
def test_command_that_fails_is_one_line_and_an_exit_status(debugger, command, message):
    done = debugger.batch([command])
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    assert message in done.err


def test_commands_and_scripts_run_in_the_order_given(debugger, tmp_path):
    script = tmp_path / "two"
    script.write_text("echo two\n")
    done = debugger.run("--batch", "-ex", "echo one", "-x", str(script), "-ex", "echo three")
    assert done.lines == ["one", "two", "three"]


def test_output_without_a_reader_ends_zedbg_quietly(debugger, vadd):
    line = "zedbg --batch --sim=dg2 -ex 'break vadd' -ex run -ex disassemble -ex disassemble"
    line += " -ex 'info registers' -- " + " ".join(vadd) + " | head -1"
    done = debugger.spawn(["bash", "-c", line], stdout=-1, stderr=-1, text=True)
    out, err = done.communicate(timeout=60)
    assert out == "Breakpoint 1 (vadd) pending: no module has it yet.\n"
    assert err == ""


def test_zedbg_kernel_ends_quietly_without_a_reader(debugger, vadd):
    line = " ".join(vadd) + " --device dg2 | true"
    done = debugger.spawn(["bash", "-c", line], stdout=-1, stderr=-1, text=True)
    assert done.communicate(timeout=60) == ("", "")


def test_standard_input_is_a_script_too(debugger, vadd):
    running = debugger.start(vadd)
    running("tbreak vadd")
    running("run")
    running.expect("hit Temporary breakpoint 1")
    running("print $_thread_workgroup")
    running("continue")
    done = running.finish()
    assert "[Process exited normally]" in done.out
    assert (done.code, done.err) == (0, "")


def test_examining_more_than_there_is_shows_what_is_there(debugger, vadd):
    stop = ["break vadd.cl:3", "run"]
    text = debugger.batch([*stop, "x/4000000xg c", "x/1xb"], vadd)
    problem = text.err.splitlines()[-1]
    end = int(problem.removeprefix("Cannot access memory at address "), 0)
    assert text.err.splitlines()[-2:] == [problem, problem]
    assert text.lines[-2].startswith(f"{end - 16:#x}:\t")
    found = debugger.json([*stop, f"x/9xg {end - 24}", "x/1xb"], vadd)
    examined, nothing = (each for each in found.objects if each.get("command") == "x")
    assert [each["address"] for each in examined["rows"]] == [end - 24, end - 8]
    assert [len(each["values"]) for each in examined["rows"]] == [2, 1]
    assert (examined["ok"], examined["error"]) == (False, problem)
    assert nothing == {"command": "x", "line": "x/1xb", "ok": False, "error": problem}
    assert found.code == text.code == 1
