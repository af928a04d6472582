"""Non-stop mode over the simulated GPU: from scripts, as JSON, and in a real terminal."""

import json
import re

import pytest

from tests.support.frontends.debugger_process import assert_no_traceback
from tests.support.frontends.terminal import Terminal


@pytest.fixture
def groups(kernel_command):
    """Four work-groups of one thread each, that run until a debugger writes to ``stop[0]``."""
    sizes = ["--global", "64", "--local", "16"]
    return kernel_command("endless", *sizes, "i32[1]=0", "i32[64]", build="igc2-dg2-O2")


def test_threads_stop_and_go_on_one_by_one(debugger, groups):
    done = debugger.batch(
        [
            "set non-stop on",
            "tbreak endless",
            "run",
            "continue -a &",
            "interrupt -a",
            "continue -a &",
            "interrupt workgroup 2,0,0",
            "info threads",
            "print $_workgroup",
            "step &",
            "wait 10",
            "thread 1.1",
            "interrupt 1.1",
            "interrupt 1.2,1.4",
            "interrupt -a",
            "thread 1.3",
            "set var *stop = 1",
            "continue -a",
        ],
        groups,
    )
    text = "\n".join(done.lines)
    assert "[4 threads, 4 work-groups (0,0,0)-(3,0,0)]" in text
    assert re.search(
        r"^Thread 1\.3 .* interrupted, with lanes \[0-15\].*cl:\d+$", text, re.MULTILINE
    )
    rows = [line.split() for line in done.lines if re.match(r"[* ] 1\.\d", line)]
    assert [(row[-1] == "(running)") for row in rows] == [True, True, False, True]
    assert "= 2, 0, 0" in text or "(2, 0, 0)" in text or "{2, 0, 0}" in text, text
    assert "Thread 1.1 (ZE 0.0.0.0) is not stopped." in done.err
    assert "[2 threads, 2 work-groups (1,0,0)-(3,0,0)]" in text
    assert "Nothing runs." in text
    assert "[Process exited normally]" in text


def test_commands_that_need_non_stop_mode_say_so(debugger, vadd):
    done = debugger.batch(["run &"], vadd)
    assert done.err.splitlines() == [
        "Threads go on and stop one by one in non-stop mode only: set non-stop on, before the "
        "program runs."
    ]
    done = debugger.batch(["break vadd", "run", "set non-stop on"], vadd)
    assert done.err.splitlines()[0].startswith("Non-stop mode is chosen before a program runs")


def test_a_script_that_reads_json_gets_stops_between_its_commands(debugger, vadd):
    zedbg = debugger.start(vadd, "--json")
    for command in ("set non-stop on", "break vadd.cl:3", "run &"):
        zedbg(command)
    stop = json.loads(zedbg.expect(r'^.*"event": "stop".*$')[0])
    assert (stop["reason"], len(stop["threads"])) == ("breakpoint", 8)
    zedbg("continue -a &")
    assert json.loads(zedbg.expect(r'^.*"event": "exit".*$')[0])["code"] == 0
    zedbg.finish()


def test_stops_are_shown_above_the_idle_prompt(tmp_path, user_environment, debugger, vadd):
    terminal = Terminal(tmp_path, ["zedbg", "--sim=dg2", "--", *vadd], user_environment)
    try:
        terminal.command("set non-stop on")
        terminal.command("break vadd.cl:3 thread 1.2")
        terminal.ready()
        terminal.type("run &")
        terminal.key("Enter")
        terminal.expect(r"^Thread 1\.2 hit Breakpoint 1, .*$")
        terminal.ready()
        rows = [line.split() for line in terminal.command("info threads")]
        assert [(row[1].partition(":")[0], row[-1]) for row in rows if row[0] == "*"] == [
            ("1.2", "vadd.cl:3")
        ]
        terminal.type("continue &")
        terminal.key("Enter")
        terminal.expect(r"^\[Process exited normally\]$")
        terminal.ready()
        assert_no_traceback(terminal.text())
    finally:
        terminal.close()
