"""What ``zedbg --batch`` exits with, and what stands before the program on its command line."""

import subprocess
import sys


def test_the_status_says_what_went_wrong(debugger):
    """A command, the program, a breakpoint that was never hit, the user, the time."""
    statuses = {
        ("run", "print nothing"): (["true"], 1),
        ("run",): (["sh", "-c", "exit 7"], 3),
        ("break nowhere", "run"): (["true"], 5),
        ("quit 2 + 40",): (["true"], 42),
        ("print nothing", "quit"): (["true"], 1),
    }
    for commands, (program, status) in statuses.items():
        assert debugger.batch(list(commands), program).code == status, commands
    words = ["--return-child-result", "-ex", "run", "--args", "sh", "-c", "exit 7"]
    done = debugger.run("--batch", *words)
    assert done.code == 7
    late = debugger.run("--batch", "--timeout", "1.5", "-ex", "run", "--", "sleep", "30")
    assert late.code == 124 and "Not finished within 1.5 s." in late.out + late.err


def test_first_commands_come_first_and_options_of_gdb_are_taken(debugger):
    done = debugger.run("-q", "-nx", "--batch", "-ex", "p 2", "-iex", "p 1", "-eval-command", "p 3")
    assert done.lines == ["$1 = 1", "$2 = 2", "$3 = 3"] and done.code == 0
    wrong = debugger.run("-p", "99999999999999999999999")
    assert wrong.code == 2 and len(wrong.err.splitlines()) == 1
    zero = debugger.run("--batch", "-x", "/dev/zero")
    assert (zero.code, zero.err) == (1, "/dev/zero: is not text.\n")


def test_output_that_is_full_closed_or_plain_is_no_traceback(user_environment):
    command = [sys.executable, "-m", "zedbg.frontends.main", "--batch", "-ex"]
    for redirection, shown, status in (
        (">/dev/full", "zedbg: standard output: No space left on device\n", 1),
        (">&-", "", 0),
    ):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {redirection}', "sh", *command, "echo a"],
            capture_output=True,
            text=True,
            env=user_environment,
        )
        assert (done.stderr, done.returncode) == (shown, status)
    plain = user_environment | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*command, "echo \N{GREEK SMALL LETTER ALPHA}"], capture_output=True,
                          env=plain | {"PYTHONCOERCECLOCALE": "0"})  # fmt: skip
    assert done.returncode == 0 and done.stderr == b""
    assert done.stdout.isascii()
