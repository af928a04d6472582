"""Every command and setting of GDB is one of zedbg, or answered: compared with GDB's own lists."""

import re
import subprocess

import pytest

from tests.support.places import REPOSITORY
from zedbg.commands.catalogue.catalogue import catalogue, declared
from zedbg.commands.catalogue.gdb_users import gdb_users_page
from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.gdb_commands import GDB_COMMANDS, GDB_SETTINGS, SHARED_COMMANDS
from zedbg.commands.framework.settings import Settings

GROUPS = "info,unset,thread,frame,delete,disable,enable,catch,tcatch,skip,save,kill,detach"
GROUPS += ",dump,append,maintenance,record,tui"


@pytest.fixture(scope="module")
def completions():
    """What GDB completes, by the words before it."""
    commands = []
    for group in ("", *GROUPS.split(","), "set"):
        commands += ["-ex", f"echo @@{group}\\n", "-ex", f"complete {group}".rstrip() + " "]
    done = subprocess.run(["gdb", "-nx", "-batch", *commands], capture_output=True, text=True)
    found, group = {}, ""
    for line in done.stdout.splitlines():
        if line.startswith("@@"):
            group = line[2:]
        elif line.startswith(group):
            found.setdefault(group, []).append(line.strip())
    return found


def test_every_command_of_gdb_is_one_or_is_answered(completions):
    registry = declared()
    known = {*registry.names, *registry.aliases, *registry.prefixes()}
    names = [name for group, members in completions.items() if group != "set" for name in members]
    assert len(names) > 300
    for name in names:
        if any(each.startswith(f"{name} ") for each in known) and name not in known:
            continue  # a group: its commands come by themselves
        if name in known:
            assert name in SHARED_COMMANDS, f"{name} is not in SHARED_COMMANDS"
        else:
            answered = name in GDB_COMMANDS or name.split()[0] in GDB_COMMANDS
            assert answered or name in SHARED_COMMANDS, f"nothing is said of GDB's {name}"


def test_every_setting_of_gdb_is_one_or_is_answered(completions):
    settings = Settings()
    for line in completions["set"]:
        name = line.removeprefix("set ")
        ours = [each for each in settings.known if each.split()[0] == name]
        command = f"set {name}" in {*declared().names, *declared().aliases}
        assert ours or command or name in GDB_SETTINGS, f"nothing is said of set {name}"


def test_what_is_shared_is_there_and_what_is_not_is_answered():
    registry = catalogue()
    for name in SHARED_COMMANDS:
        if name not in registry.prefixes():
            registry.find(name.split())
    for name, answer in GDB_COMMANDS.items():
        with pytest.raises(UnknownCommand) as caught:
            registry.find(name.split())
        assert str(caught.value) == f"zedbg has no command {name}: {answer}"
    assert not SHARED_COMMANDS.keys() & GDB_COMMANDS.keys()


def test_the_page_is_what_the_data_say():
    current = (REPOSITORY / "docs" / "gdb-users.md").read_text() == gdb_users_page()
    assert current, "run: python -m zedbg.commands.catalogue.reference"
    assert not re.search(r"\b(issue|TODO)\b", gdb_users_page())
