"""Ctrl-C in a real terminal during each command that takes time: the prompt is back, nothing broke,
and the program goes on where it was."""

import re

import pytest

from tests.support.frontends.terminal import PROMPT, Terminal

#: What takes longer than a test, of a kernel that is stopped.
COMMANDS = (
    "continue",
    "stepi 100000000",
    "step 100000000",
    "next 100000000",
    "advance endless.cl:8",
    "until endless.cl:8",
    "continue",  # while a value is watched
)


@pytest.fixture
def terminal(tmp_path, user_environment, endless):
    opened = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *endless], user_environment)
    yield opened
    opened.close()


def interrupted(terminal, command):
    """Presses Ctrl-C when ``command`` runs; what was shown until the prompt was back."""
    terminal.ready()
    terminal.type(command)
    start = len(terminal.text())
    terminal.key("Enter")
    terminal.started()
    terminal.key("C-c")
    terminal.expect(rf"^{re.escape(PROMPT)}\Z", start)
    return terminal.text()[start:]


def test_ctrl_c_gives_the_prompt_back_whatever_runs(terminal):
    terminal.command("tbreak endless")
    terminal.command("run")
    for number, command in enumerate(COMMANDS, 1):
        if number == len(COMMANDS):
            terminal.command("watch *stop")
        shown = interrupted(terminal, command)
        assert "Traceback" not in shown
        assert terminal.command("print 6 * 7")[-1].endswith("= 42"), command
        assert any("endless" in line for line in terminal.command("info threads")), command
    terminal.command("delete 2")
    terminal.command("set var *stop = 1")
    terminal.command("continue")
    terminal.expect(r"^\[Process exited normally\]")
    terminal.type("quit")
    terminal.key("Enter")
    assert terminal.exit_code() == 0
