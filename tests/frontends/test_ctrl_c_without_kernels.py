"""Ctrl-C in a real terminal while no kernel is there: in attach, in run, in what reads files."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import eventually
from tests.support.frontends.terminal import PROMPT, Terminal
from tests.support.kernels.many_kernels import many_kernels
from tests.support.packed_modules import ZEBINS

KERNELS = 4096  # reading them takes longer than a test


@pytest.fixture
def opened(tmp_path, user_environment):
    """Opens a terminal with a command in it; it is closed at the end."""
    terminals = []

    def open_terminal(*command):
        terminals.append(Terminal(tmp_path, command, user_environment))
        return terminals[-1]

    yield open_terminal
    for each in terminals:
        each.close()


def interrupted(terminal, command, begun=""):
    """Presses Ctrl-C when ``command`` runs and ``begun`` is shown; the last two lines."""
    terminal.ready()
    terminal.type(command)
    start = len(terminal.text())
    terminal.key("Enter")
    terminal.started()
    terminal.expect(begun, start)
    terminal.key("C-c")
    terminal.expect(rf"^{re.escape(PROMPT)}\Z", start)
    return [line for line in terminal.text()[start:].splitlines() if line][-3:-1]


def test_attach_to_a_program_that_is_not_ready_ends_at_once(opened, user_environment):
    # It never initialises Level Zero.
    with subprocess.Popen(
        ["sleep", "1000"], env=user_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"}
    ) as program:
        try:
            terminal = opened("zedbg", "--sim=dg2")
            assert interrupted(terminal, f"attach {program.pid}") == ["^C", "Interrupted."]
            assert program.poll() is None
            assert terminal.command("info threads") == ["The program is not being run."]
            (refused,) = terminal.command(f"attach {program.pid}")
            assert refused.endswith("it has not initialised Level Zero yet; try again later.")
        finally:
            program.kill()


def test_run_before_there_is_a_kernel_gives_the_prompt_back(opened, vadd, tmp_path):
    go = tmp_path / "go"
    # By then zedbg has started it, and waits.
    waits = f'sleep 0.5; echo begun; until [ -e {go} ]; do sleep 0.05; done; exec "$@"'
    terminal = opened("zedbg", "--sim=dg2", "--", "sh", "-c", waits, "sh", *vadd)
    nothing = "[No thread is stopped: nothing runs on a device.]"
    assert interrupted(terminal, "run", "^begun") == ["^C", nothing]
    assert interrupted(terminal, "continue") == ["^C", nothing]
    terminal.command("tbreak vadd")
    go.touch()  # and the program, which was not harmed, gets to its kernel
    assert any("hit Temporary breakpoint 1" in line for line in terminal.command("continue"))
    terminal.command("continue")
    terminal.expect(r"^\[Process exited normally\]")


@pytest.fixture(scope="module")
def large_module(tmp_path_factory):
    template = ZEBINS / "igc2-dg2-O0" / "mandel.zebin"
    path = tmp_path_factory.mktemp("large") / "many.zebin"
    path.write_bytes(many_kernels(template.read_bytes(), KERNELS))
    return path


def resident_bytes(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def test_inspecting_a_large_file_ends_at_once(opened, large_module):
    size = large_module.stat().st_size
    command = 'echo "process $$"; exec zedbg inspect "$1"'
    terminal = opened("sh", "-c", command, "sh", str(large_module))
    pid = int(terminal.expect(r"^process (\d+)")[1])
    eventually(lambda: resident_bytes(pid) > size, "zedbg has read the file")
    terminal.key("C-c")
    assert terminal.exit_code() == 130
    shown = [line for line in terminal.text().splitlines() if line]
    assert shown[1:4] == ["^C", "Interrupted.", "exit code 130"]
