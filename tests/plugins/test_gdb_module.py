"""A script for GDB's Python prints in zedbg what it prints in GDB."""

import subprocess

import pytest

from tests.support.plugins.in_both import HERE, in_both

COMMANDS = [
    "show-everything",
    "mine says 'a b' c",
    "mine says nothing",
    "output first",
    "output corner",
    "output numbers",
    "output $twice(byte)",
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gdb")
    program = folder / "program"
    command = ["gcc", "-g", "-O0", "-no-pie", str(HERE / "program.c"), "-o", str(program)]
    subprocess.run(command, check=True)
    return in_both(program, "stop", HERE / "gdb_script.py", COMMANDS, folder)


def test_the_script_is_loaded_and_stays_on(shown):
    assert [each for each in shown.messages if "switched off" in each] == []
    assert len(shown.gdb["show-everything"].splitlines()) > 40


@pytest.mark.cases(len(COMMANDS))
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_print_what_they_print_in_gdb(shown, command):
    theirs, ours = (text[command].splitlines() for text in (shown.gdb, shown.zedbg))
    different = [pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]]
    assert different == [] and len(theirs) == len(ours)
