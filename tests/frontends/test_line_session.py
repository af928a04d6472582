"""The line editor is suspended between lines: what was left from the line before, keys that come at
any moment, and what a command finds meanwhile."""

import asyncio
import os
import pty
import re
import time
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually
from tests.support.frontends.pseudo_terminal import PseudoTerminal
from tests.support.frontends.terminal import Terminal
from zedbg.frontends.shell.line_session import LineInput

_COLUMNS = 240


@pytest.fixture
def screen(tmp_path, user_environment):
    terminal = Terminal(tmp_path, ["zedbg", "--sim=dg2"], user_environment, (_COLUMNS, 24))
    terminal.ready()
    yield terminal
    if terminal.is_open:
        assert_no_traceback(terminal.text())
    terminal.close()


def lines(terminal):
    """Of the text without the greeting."""
    return terminal.text().partition("Ctrl-D\n")[2].splitlines()


def test_lines_typed_at_once_are_shown_and_carried_out_in_order(screen):
    """Drawings of a line are due when Enter comes; they must not come out with the next one."""
    screen.command("python order = []")
    for number in range(40):
        screen.type(f"python order.append({number})")
        screen.key("Enter")
    screen.type("echo over\\n")
    screen.key("Enter")
    screen.expect(r"over\n\(zedbg\)\Z")
    assert screen.command("python print(order)") == [str(list(range(40)))]
    for number in range(20):  # each after the prompt
        screen.command(f"echo +{number}+\\n")
    assert [line for line in lines(screen) if "+" in line] == [
        line for number in range(20) for line in (f"(zedbg) echo +{number}+\\n", f"+{number}+")
    ]


def test_keys_that_come_with_the_prompt_are_taken(user_environment):
    """As soon as its text is there, also before all is drawn."""
    terminal = PseudoTerminal(["zedbg", "--sim=dg2"], user_environment)
    try:
        terminal.wait_for_prompt()
        for number in range(60):
            terminal.enter(f"echo <{number}\\n")
            end = time.monotonic() + 10
            while not re.search(rf"\n<{number}\r\n\(zedbg\) ", terminal.shown):
                assert time.monotonic() < end, terminal.shown
                terminal.read(0.001)
            for key in f"echo {number}>\\n\r":
                terminal.type(key.encode())
            terminal.wait(f"\n{number}>\r")
        terminal.wait_for_prompt()
        assert_no_traceback(terminal.shown)
    finally:
        terminal.end()


def test_a_line_that_comes_with_the_terminals_answer_is_taken(user_environment):
    """The line before has ended, and its editor waits for the answer only."""
    terminal = PseudoTerminal(["zedbg", "--sim=dg2"], user_environment)
    try:
        for number in range(60):
            terminal.answers_later = False
            terminal.enter("echo\\n")
            terminal.answers_later = True
            terminal.wait_for_question()
            terminal.type(f"echo <{number}\\n\r".encode())
            time.sleep(0.02)
            terminal.answer()
            _busy(number * 20e-6)  # the loop of the editor goes round a few times
            terminal.type(f"echo {number}>\\n\r".encode())
            terminal.answers_later = False
            terminal.wait(f"\n{number}>\r", 10)
    finally:
        terminal.end()


def _busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def test_keys_are_left_in_the_terminal_unless_they_are_wanted():
    terminal, inner = pty.openpty()
    got = []

    async def edit():
        with os.fdopen(inner) as stdin:
            keys = LineInput(stdin)
            with keys.raw_mode(), keys.attach(lambda: got.extend(keys.read_keys())):
                for keys.takes_keys in (lambda: False, lambda: True):
                    os.write(terminal, b"ab")
                    await asyncio.sleep(0.05)
                    taken.append("".join(each.key for each in got))

    taken = []
    asyncio.run(edit())
    os.close(terminal)
    assert taken == ["", "abab"]


def test_enter_leaves_the_whole_line_wherever_the_cursor_is(screen):
    def entered(*keys, typed="echo abc\\n"):
        start = len(screen.text())
        screen.type(typed)
        eventually(lambda: typed in screen.text()[start:].replace("\n>", ""), "what is typed")
        for key in keys:
            screen.key(key)
            time.sleep(0.05)
        screen.expect(r"\n\(zedbg\)\Z", start)
        return screen.text()[start:].strip().splitlines()

    def joined(typed):
        """Where the editor itself breaks the line."""
        return "".join(line.removeprefix(">") for line in entered("Home", "Enter", typed=typed))

    whole = ["echo abc\\n", "abc", "(zedbg)"]
    assert entered("Left", "Left", "Left", "Enter") == whole
    assert entered("Home", "Enter") == whole
    assert entered("M-3", "Left", "Enter") == whole
    assert entered("M-2", "Enter") == whole
    assert entered("C-Space", "Home", "Enter") == whole  # a selection
    assert entered("C-r", "Enter", "C-a", "C-k", "Up", "Enter")[-2:] == whole[1:]
    assert entered("C-u", "C-r", "a", "b", "c", "Enter", "Enter")[-2:] == whole[1:]
    assert entered("Tab", "Enter") == whole
    long = "x" * _COLUMNS  # two rows
    assert joined(f"echo {long}\\n") == f"echo {long}\\n{long}(zedbg)"
    exact = "y" * (_COLUMNS - len("(zedbg) echo \\n"))  # the row is full
    assert joined(f"echo {exact}\\n") == f"echo {exact}\\n{exact}(zedbg)"
    wide = "日本" * 4
    assert entered("Home", "Enter", typed=f"echo {wide}\\n") == [f"echo {wide}\\n", wide, "(zedbg)"]
    screen.command("set editing-mode vi")
    assert entered("Escape", "b", "Enter") == whole
    assert entered("Escape", "0", "i", "Enter") == whole
    # A suggestion is no part of the line.
    assert entered("Enter", typed="echo ab") == ["echo ab", "ab", "(zedbg)"]


def test_enter_after_the_screen_was_cleared_shows_the_line(screen):
    screen.type("echo abc\\n")
    screen.expect(r"abc\\n\Z")
    screen._tmux("send-keys", "C-l", "Enter")
    screen.expect(r"\nabc\n\(zedbg\)\Z")
    assert screen.screen().splitlines()[:3] == ["(zedbg) echo abc\\n", "abc", "(zedbg)"]


def test_questions_know_no_commands_and_commands_no_answers(screen):
    screen.command("echo command\\n")
    screen.command("break nosuch")
    screen.type("delete")
    screen.key("Enter")
    screen.expect(r"\(y or n\)\Z")
    screen.key("Up")
    screen.type("del")
    screen.key("Tab")
    time.sleep(0.3)
    assert screen.text().splitlines()[-1] == "Delete all breakpoints? (y or n) del"
    screen.key("C-u")
    screen.type("y")
    screen.key("Enter")
    screen.ready()
    screen.key("Up")
    screen.expect(r"^\(zedbg\) delete\Z")
    screen.key("C-u")
    assert screen.command("info breakpoints") == ["No breakpoints."]


def test_commands_find_the_terminal_as_it_was(screen):
    """Whatever the suspended editor has taken for itself."""
    code = (
        "import signal, sys, termios; "
        "print(signal.set_wakeup_fd(-1), "
        "sys.breakpointhook is sys.__breakpointhook__, "
        "bool(termios.tcgetattr(0)[3] & termios.ICANON))"
    )
    for _ in range(2):
        assert "".join(screen.command(f"python {code}")) == "-1 True True"
    # What keeps the stream of a time when a line was edited can still write to it.
    later = "threading.Timer(0.2, lambda: setattr(sys, 'kept', sys.stdout)).start()"
    screen.command(f"python import sys, threading; {later}")
    time.sleep(0.5)
    assert screen.command("python sys.kept.write('kept\\n'); None") == ["kept"]


def test_the_next_prompt_is_drawn_for_the_terminal_as_it_is_then(screen):
    def bar():
        return [line for line in screen.screen().splitlines() if "scheduler-locking" in line]

    screen.type("shell sleep 1")
    screen.key("Enter")
    screen.started()
    screen._tmux("resize-window", "-x", "60", "-y", "20")
    screen.ready()
    eventually(lambda: len(bar()) == 1, "the toolbar")
    screen._tmux("resize-window", "-x", "100", "-y", "30")  # while a line is edited
    screen.type("echo wide\\n")
    screen.key("Enter")
    screen.expect(r"^wide\n\(zedbg\)\Z")
    eventually(lambda: len(bar()) == 1, "the toolbar")


def test_lines_are_in_the_history_file_when_the_next_prompt_is_there(screen, user_environment):
    path = Path(user_environment["XDG_STATE_HOME"]) / "zedbg" / "history"
    screen.command("echo first\\n")
    eventually(lambda: "+echo first\\n\n" in path.read_text(), "the line is written")
    screen.type("quit")
    screen.key("Enter")
    assert screen.exit_code() == 0
    assert path.read_text().count("+quit\n") == 1


def test_a_dumb_terminal_gets_text_only(user_environment):
    terminal = PseudoTerminal(["zedbg", "--sim=dg2"], user_environment, "dumb")
    try:
        terminal.wait_for_prompt()
        assert "zedbg" in terminal.shown
        assert terminal.control_sequences == []
        terminal.enter("echo one\\n")
        terminal.wait("\none\r")
        terminal.wait_for_prompt()
        assert terminal.control_sequences == []
        assert_no_traceback(terminal.shown)
    finally:
        terminal.end()
