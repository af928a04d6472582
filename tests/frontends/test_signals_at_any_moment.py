"""Ctrl-C and a terminal that is closed, at random moments: before a command has begun,
in the middle of it, while the line editor comes and goes. None is lost, and no process is left."""

import os
import random

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually, processes_with
from tests.support.frontends.pseudo_terminal import PseudoTerminal

CTRL_C_ROUNDS = int(os.environ.get("ZEDBG_SIGNAL_ROUNDS", "40"))
START_ROUNDS = CLOSE_ROUNDS = max(12, CTRL_C_ROUNDS // 4)
SEED = int(os.environ.get("ZEDBG_SIGNAL_SEED", "1"))


@pytest.fixture
def open_terminal(user_environment):
    terminals = []

    def start(*command):
        terminals.append(PseudoTerminal(command, user_environment))
        return terminals[-1]

    yield start
    for each in terminals:
        each.end()


def test_ctrl_c_gives_the_prompt_back_whenever_it_comes(open_terminal, endless):
    choice = random.Random(SEED)
    terminal = open_terminal("zedbg", "--sim=dg2", "--", *endless)
    terminal.enter("tbreak endless")
    terminal.enter("run")
    terminal.wait("hit Temporary breakpoint")
    for _ in range(CTRL_C_ROUNDS):
        terminal.enter(choice.choice(("continue", "stepi 100000000", "next 100000000")))
        terminal.wait_for_command()
        terminal.read(choice.uniform(0, 0.01))
        terminal.press_ctrl_c()
        terminal.wait_for_prompt()
        assert_no_traceback(terminal.shown)
        assert "interrupted" in terminal.shown.lower()
    terminal.enter("set var *stop = 1")
    terminal.enter("continue")
    terminal.wait("[Process exited normally]")


def test_ctrl_c_leaves_a_program_that_can_be_started_again_whenever_it_comes(
    open_terminal, user_environment, endless
):
    """While it is started and attached to; what was started is known, and killed."""
    choice = random.Random(SEED)
    terminal = open_terminal("zedbg", "--sim=dg2", "-ex", "set confirm off", "--", *endless)
    terminal.wait_for_prompt()
    state = user_environment["XDG_STATE_HOME"]
    alone = processes_with(state)
    for _ in range(START_ROUNDS):
        terminal.enter("run")
        terminal.wait_for_command()
        terminal.read(choice.choice((0.05, 0.5)) * choice.random())
        terminal.press_ctrl_c()
        terminal.wait_for_prompt()
        assert_no_traceback(terminal.shown)
        terminal.enter("kill")
        terminal.wait_for_prompt()
        assert_no_traceback(terminal.shown)
        eventually(lambda: processes_with(state) == alone, "the program has ended", 20)
    terminal.enter("tbreak endless")
    terminal.enter("run")
    terminal.wait("hit Temporary breakpoint")


def test_closed_terminal_leaves_nothing_running_whenever_it_is_closed(
    open_terminal, user_environment, endless
):
    state = user_environment["XDG_STATE_HOME"]
    choice = random.Random(SEED)
    for _ in range(CLOSE_ROUNDS):
        terminal = open_terminal("zedbg", "--sim=dg2", "--", *endless)
        for line in ("tbreak endless", "run", "continue")[: choice.randint(0, 3)]:
            terminal.enter(line)
        terminal.read(choice.choice((0.05, 0.5)) * choice.random())
        terminal.close()
        eventually(lambda: not processes_with(state), "everything has ended", 20)
