"""A session in terminals of two sizes: what is on the screen is the text that was reviewed, and the
same commands in batch say the same facts.

``ZEDBG_RECORD_SCREENS=1`` writes the texts anew; look at them before they are committed.
"""

import os
import re
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually
from tests.support.frontends.terminal import PROMPT, Terminal
from zedbg.commands.demonstration import FOLDER, PROGRAM

SCREENS = Path(__file__).parent / "screens"
COMMANDS = (
    "break blur.cl:15",
    "run",
    "info threads/g",
    "workitem 37",
    "info locals",
    "next",
    "info locals",
    "grid in 8x2",
    "info lanes",
    "x/3i $pc",
    "backtrace",
)


# Each shows more than 80 columns where there are more.
WIDE_VIEWS = (
    "info threads", "info workgroups", "info devices", "info kernels", "info modules",
    "info breakpoints", "info registers", "disassemble", "disassemble/s", "info sharedlibrary",
    "info files", "info proc", "info line", "zeinfo", "help break", "help status", "show",
    "apropos thread", "thread", "info record", "host", "break nosuchfile_of_a_long_name.cl:12",
    "up", "print $nosuch + undefined_name_that_is_long_enough_to_need_two_lines_of_the_terminal",
)  # fmt: skip


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"process \d+", "process PID", text)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=["80x24", "200x60"])
def test_screens_are_as_reviewed(tmp_path, user_environment, debugger, size):
    columns, rows = size
    words = ["zedbg", "--sim=dg2", "--", *PROGRAM]
    terminal = Terminal(tmp_path, words, user_environment, size)
    try:
        terminal.command(f"directory {FOLDER}")
        terminal.command("set pagination off")
        screens = []
        for command in COMMANDS:
            terminal.key("C-l")
            eventually(
                lambda: terminal.screen().split("\n")[0].strip() == "(zedbg)", "a clear screen"
            )
            terminal.command(command)
            eventually(lambda: "scheduler-locking" in terminal.screen(), "the toolbar")
            screens.append(re.sub(r"[ \t]+$", "", terminal.screen(), flags=re.MULTILINE))
        shown = steady("\n\n".join(re.sub(r"\n{3,}", "\n\n", each) for each in screens)) + "\n"
        assert_no_traceback(shown)
        start = len(terminal.text())
        for command in WIDE_VIEWS if columns == 80 else ():
            terminal.command(command)
        # Only a word may be longer than a line, such as the path of a file.
        wide = [line for line in terminal.text()[start:].splitlines() if len(line) > columns]
        assert [line for line in wide if len(line.split()) > 1 and PROMPT not in line] == []
    finally:
        terminal.close()
    path = SCREENS / f"{columns}x{rows}.txt"
    if os.environ.get("ZEDBG_RECORD_SCREENS") == "1":
        path.write_text(shown)
    assert shown == path.read_text()


def test_batch_says_the_same_facts(debugger):
    done = debugger.batch([f"directory {FOLDER}", *COMMANDS], PROGRAM)
    reviewed = " ".join((SCREENS / "200x60.txt").read_text().split())
    for line in steady(done.out).splitlines():
        facts = line.removeprefix("=>").split("//")[0].split()
        assert " ".join(facts) in reviewed or line.startswith("[Killed"), line
