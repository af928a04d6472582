"""Work that takes longer than half a second: the terminal says how it goes, and Ctrl-C ends it."""

import _thread
import re
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback, eventually
from tests.support.frontends.terminal import Terminal
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.engine.ground.session_state import SessionState
from zedbg.frontends.shell.progress import Progress


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
    screen.expect(r"^\[[\d,]+ hits tried, [\d,]+ lanes, [\d,]+ a second; Ctrl-C stops\]$")
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


@pytest.mark.parametrize("place", ["start_new_thread", "erase"])
def test_ctrl_c_as_a_command_begins_or_ends_leaves_no_progress_line(monkeypatch, capsys, place):
    """A command that was not ended would show its line in the middle of the next prompt."""
    owner = Progress if place == "erase" else _thread
    real, main = getattr(owner, place), threading.get_ident()
    signals = ["SIGINT"]

    def interrupted(*arguments):
        if threading.get_ident() == main and _called_by_progress() and signals:
            if owner is _thread:
                real(*arguments)
            signals.pop()
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(owner, place, interrupted)
    monkeypatch.setattr("zedbg.frontends.shell.progress._LINGERS_SECONDS", 1.0)
    context = _context()
    before = _thread._count()
    progress = Progress()
    with pytest.raises(KeyboardInterrupt):
        try:
            progress.begin("continue", context)
        finally:
            progress.end()
    eventually(lambda: _thread._count() == before, "no thread is left", 5)
    assert not signals
    assert "Ctrl-C stops" not in capsys.readouterr().out


def test_one_thread_watches_many_commands_and_shows_the_long_ones(monkeypatch, capsys):
    monkeypatch.setattr("zedbg.frontends.shell.progress._LINGERS_SECONDS", 1.0)
    real, started = _thread.start_new_thread, []

    def start(function, arguments):
        def run(*given):
            function(*given)
            started[number] = "ended"

        number = len(started)
        started.append("runs")
        return real(run, arguments)

    monkeypatch.setattr(_thread, "start_new_thread", start)
    context, progress = _context(), Progress()
    for name in ("next", "finish"):
        context.registry.find([name])  # loads its module, which takes long on a busy machine
    for _ in range(50):
        progress.begin("continue", context)
        time.sleep(0.01)
        progress.end()
    assert started == ["runs"]
    assert capsys.readouterr().out == ""
    progress.begin("next", context)
    time.sleep(1.4)
    assert "[next: 1 s; Ctrl-C stops]" in capsys.readouterr().out
    progress.end()
    assert started == ["runs"]
    eventually(lambda: started == ["ended"], "no thread is left", 5)
    progress.begin("finish", context)
    time.sleep(1.4)
    assert "[finish: 1 s; Ctrl-C stops]" in capsys.readouterr().out
    progress.end()
    assert started == ["ended", "runs"]


def _context():
    session = SimpleNamespace(breakpoints=[], state=SessionState.STOPPED)
    return SimpleNamespace(registry=catalogue(), session=session, has_session=True)


def _called_by_progress():
    return sys._getframe(2).f_globals["__name__"] == Progress.__module__
