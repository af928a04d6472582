"""The line editor in a real terminal, and what it loads while the user types."""

import json
import re

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually
from tests.support.frontends.terminal import Terminal


@pytest.fixture
def screen(tmp_path, user_environment, debugger, vadd, kernel_sources):
    terminal = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *vadd], user_environment)
    terminal.command(f"directory {kernel_sources}")
    yield terminal
    if terminal.is_open:
        assert_no_traceback(terminal.text())
    terminal.close()


def test_completion_knows_places_variables_and_lanes(screen):
    def completed(line, shown):
        screen.ready()
        screen.type(line)
        screen.key("Tab")
        screen.expect(rf"^\(zedbg\) {shown}")
        screen.key("C-u")

    completed("set editing-mode v", r"set editing-mode vi\Z")
    screen.command("break vadd.cl:3")
    screen.command("run")
    screen.type("bre")
    screen.expect(r"^\(zedbg\) break vadd\.cl:3\Z")  # suggested, from the history
    screen.key("C-u")
    screen.command("set plain on")
    completed("break va", r"break vadd\n +vadd\n +vadd\.cl:$")
    completed("break vadd.cl:", r"break vadd\.cl:\n +1\n +2\n +3$")
    completed("tbreak vadd.cl:4 if n", r"tbreak vadd\.cl:4 if n\Z")
    completed("thread 1.4:", r"thread 1\.4:\n +0\n +1\n")
    completed("print $_glo", r"print \$_global_\n +\$_global_id\n +\$_global_size$")


def test_pasted_lines_run_one_by_one_and_answer_questions(screen):
    screen.command("break vadd.cl:3")
    screen.command("run")
    screen.ready()
    screen.paste("delete\ny\ninfo breakpoints\n")
    screen.key("Enter")
    screen.expect(
        r"^Delete all breakpoints\? \(y or n\) y\n\(zedbg\) info breakpoints\nNo breakpoints\.\n"
    )


def test_what_is_written_meanwhile_appears_above_the_line(screen):
    later = "python import threading; threading.Timer(0.3, print, ['news', {}]).start()"
    for number in range(2):
        screen.command(later.format(number))
        screen.type("help")
        screen.expect(rf"^news {number}\n\(zedbg\) help\Z")
        screen.key("C-u")
        screen.command("echo at once\\n")
        screen.expect(r"^at once\n\(zedbg\)")


def test_toolbar_says_where_one_is_and_ctrl_c_clears_then_asks(screen):
    screen.command("break vadd.cl:3")
    screen.command("run")
    screen.command("thread 1.4:2")
    bar = re.compile(r"^ .*A770.* \| 1\.4:2 \| stopped \| scheduler-locking step *\Z", re.MULTILINE)
    eventually(lambda: bar.search(screen.screen()), "the toolbar")
    screen.command("set toolbar off")
    screen.ready()
    assert "scheduler-locking" not in screen.screen().splitlines()[-1]
    screen.type("print i")
    dropped(screen)
    dropped(screen)
    screen.key("C-c")
    screen.expect(r"^Quit zedbg\? Process \d+ will be killed\. \(y or n\)\Z")
    screen.type("n")
    screen.key("Enter")
    assert screen.command("print i") == ["$1 = 26"]
    dropped(screen)
    screen.key("C-c")
    screen.expect(r"\(y or n\)\Z")
    screen.type("y")
    screen.key("Enter")
    assert screen.exit_code() == 0


def dropped(screen):
    """Presses Ctrl-C at the prompt, and waits for the next one."""
    start = len(screen.text())
    screen.key("C-c")
    screen.expect(r"\n\(zedbg\)\Z", start)


def test_bare_zedbg_leads_to_a_value_in_one_lane(tmp_path, user_environment, debugger):
    """By commands that the screen itself suggests, fewer than ten."""
    screen = Terminal(tmp_path, ["zedbg"], user_environment)
    try:
        screen.ready()
        typed = ["demo"]
        assert "  demo  " in screen.text()
        suggested = [line.split("  ")[1] for line in screen.command("demo") if line[:2] == "  "]
        for command in suggested:
            shown = screen.command(command)
            typed.append(command)
            if any(line.startswith("value = ") for line in shown):
                break
        assert len(typed) < 10
        assert "work-item (37,0,0)" in screen.text()
    finally:
        assert_no_traceback(screen.text())
        screen.close()


SCRIPT = """
import asyncio, json, sys
import zedbg.levelzero.scheduling, zedbg.frontends.shared.scheduling
import zedbg.frontends.options, zedbg.frontends.session, zedbg.engine.sessions.session
from zedbg.frontends.main import main
from zedbg.frontends.shell.preloading import preload
asyncio.run(preload())
before = set(sys.modules)
commands = ["break vadd.cl:3", "run", "print i", "info locals", "next", "backtrace", "info threads"]
given = [word for command in commands for word in ("-ex", command)]
main(["--batch", "--sim=dg2", *given, "--", *sys.argv[1:]])
print(json.dumps(sorted(name for name in sys.modules if name not in before and "zedbg" in name)))
"""


def test_nothing_is_left_to_load_for_the_first_stop(debugger, vadd):
    left = debugger.run_script(SCRIPT, *vadd)
    assert json.dumps(left) == "[]"


def test_a_block_is_one_entry_of_the_editor(screen):
    """Its lines can be gone back to, and come back from the history together."""
    screen.ready()
    for line in ("python", "for word in ('on', 'tow'):"):
        screen.type(line)
        screen.key("Enter")
    screen.expect(r"^>\Z")
    screen.type("    print(word * 2)")
    screen.key("Enter")
    for key in (
        "Up",
        "Up",
        "End",
        "Left",
        "Left",
        "Left",
        "BSpace",
        "Left",
    ):  # mends the line before
        screen.key(key)
    screen.type("w")
    for key in ("Down", "Down", "C-d"):  # an end
        screen.key(key)
    screen.expect(r"^> *end\nonon\ntwotwo\n\(zedbg\) ?\Z")
    first = screen.text().count("onon")
    screen.key("Up")
    screen.expect(r"^\(zedbg\) python\n>for word .*\n>    print\(word \* 2\)\n> *end\Z")
    screen.key("Enter")
    screen.expect(r"^> *end\nonon\ntwotwo\n\(zedbg\) ?\Z")
    assert screen.text().count("onon") == first + 1
    for line in ("commands 99", "echo body", "end"):  # the command fails: its lines are none
        screen.type(line)
        screen.key("Enter")
    screen.expect(r"^> *end\nNo breakpoint number 99\.\n\(zedbg\) ?\Z")
    shown = screen.command("show commands")
    assert [line.split(maxsplit=1)[1] for line in shown][-2:] == ["commands 99", "show commands"]
    screen.ready()
    screen.paste("define twice\necho $arg0$arg0\nend\ntwice ab\n")
    screen.key("Enter")
    screen.expect(r"^abab\n\(zedbg\) ?\Z")
