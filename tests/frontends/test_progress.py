"""Work that takes longer than half a second: the terminal says how it goes, and Ctrl-C ends it."""

import re
import time

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback
from tests.support.frontends.terminal import Terminal


@pytest.fixture
def screen(tmp_path, user_environment, debugger, kernel_command):
    # Each work-item goes around a loop until a debugger writes to stop[0].
    sizes = ["--global", "8192", "--local", "64"]
    program = kernel_command("endless", *sizes, "i32[1]=0", "i32[8192]", build="igc2-dg2-O2")
    terminal = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *program], user_environment)
    yield terminal
    assert_no_traceback(terminal.text())
    terminal.close()


def test_conditions_that_are_never_true_say_so_and_end_with_ctrl_c(screen):
    screen.command("break endless.cl:6 if count == -1")
    screen.ready()
    screen.type("run")
    screen.key("Enter")
    screen.expect(r"^\[[\d,]+ hits tried, [\d,]+ a second; Ctrl-C stops\]$")
    begin = time.monotonic()
    screen.key("C-c")
    screen.expect(r"interrupted, with lanes")
    assert time.monotonic() - begin < 5  # a fraction of a second where nothing else runs
    screen.ready()
    assert "hits tried" not in screen.text()
    # Nothing was lost: the threads whose condition was not tried are there, and go on.
    rows = [re.match(r"[* ] (\d+) ", row) for row in screen.command("info threads/g")]
    assert sum(int(row[1]) for row in rows if row) == 256
    assert screen.command("set var stop[0] = 1") == []
    screen.command("set confirm off")
    screen.command("delete")
    screen.ready()
    screen.type("continue")
    screen.key("Enter")
    screen.expect(r"^\[Process exited normally\]")


def test_quick_commands_show_no_progress_and_questions_have_the_terminal(screen):
    screen.command("tbreak endless")
    screen.command("run")
    screen.ready()
    screen.type("kill")
    screen.key("Enter")
    screen.expect(r"Kill the program being debugged\? \(y or n\)\s*\Z")
    time.sleep(1.2)
    assert screen.text().rstrip().endswith("(y or n)")
    screen.type("y")
    screen.key("Enter")
    screen.ready()
    assert "Ctrl-C stops" not in screen.text()
