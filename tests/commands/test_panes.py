"""Panes: what they show after each stop, in the user's order, here and in another terminal."""

import os
import pty

import pytest

from tests.support.frontends.debugger_process import eventually
from zedbg.commands.framework.pane_names import BUILTIN_PANES
from zedbg.commands.panes import PANES
from zedbg.frontends.text.appearance import cut


def test_completion_offers_every_pane():
    assert tuple(PANES) == BUILTIN_PANES


def headings(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith("-- ")]


def test_panes_are_shown_after_each_stop_in_the_order_that_was_asked_for(debugger, vadd):
    commands = ["display i", "break vadd.cl:3", "run", "layout stack locals:3 watch regs asm:5"]
    done = debugger.batch([*commands, "next", "layout off", "next"], vadd)
    assert headings(done.out) == ["stack", "locals", "watch", "regs", "asm"] * 2
    after = done.out.partition("-- locals")[2].splitlines()
    assert after[1].startswith("a = ") and after[3] == "... 3 more lines (layout locals:5)"
    code = after[after.index(next(line for line in after if line.startswith("-- asm"))) + 1 :][:5]
    assert [line.startswith("=> ") for line in code] == [False, False, True, False, False]
    assert "illegal" not in done.out
    assert (done.err, done.code) == ("", 0)


def test_panes_as_data_and_only_those_that_were_asked_for(debugger, vadd):
    done = debugger.json(["break vadd.cl:3", "run", "layout threads slm", "next"], vadd)
    (event,) = [each for each in done.objects if each.get("event") == "layout"]
    assert [pane["name"] for pane in event["panes"]] == ["threads", "slm"]
    assert [row["count"] for row in event["panes"][0]["rows"]] == [7, 1]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("layout nosuch", 'No pane "nosuch": one of src, asm, regs'),
        ("layout src:", 'No pane "src:"'),
        ("layout src >", "Name the terminal after >"),
        ("layout src > /dev/null", "/dev/null is not a terminal."),
        ("layout src > /nosuch", "/nosuch: No such file or directory"),
        ("layout > /dev/null", "/dev/null is not a terminal."),
    ],
)
def test_wrong_layouts_are_refused(debugger, command, error):
    assert debugger.batch([command]).err.startswith(error)


def test_panes_in_another_terminal(debugger, vadd, kernel_sources):
    ours, theirs = pty.openpty()
    try:
        path = os.ttyname(theirs)
        session = debugger.start(vadd)
        for command in (f"directory {kernel_sources}", "break vadd.cl:3", "run"):
            session(command)
        session(f"layout src stack > {path}")
        shown = b""

        def has_panes():
            nonlocal shown
            os.set_blocking(ours, False)
            try:
                shown += os.read(ours, 65536)
            except BlockingIOError:
                return False
            return b"-- stack" in shown and b"#0  vadd" in shown

        eventually(has_panes, "the panes in the other terminal")
        assert b"=> 3 " in shown and b"\x1b[2J" in shown
        finished = session.finish()
        assert "-- stack" not in finished.out
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_line_is_cut_where_it_is_seen():
    assert cut("\x1b[1mabcdef\x1b[0m", 3) == "\x1b[1mabc\x1b[0m"
    assert cut("abc", 3) == "abc"
