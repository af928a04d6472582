"""The declarations are complete, and the documents that derive from them are up to date."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import REPOSITORY
from zedbg.commands.catalogue import index
from zedbg.commands.catalogue.catalogue import catalogue, declared, index_source
from zedbg.commands.catalogue.reference import reference

GENERATE = "python -m zedbg.commands.catalogue.reference"


def test_the_command_reference_is_what_the_declarations_say():
    current = (REPOSITORY / "docs" / "commands.md").read_text() == reference()
    assert current, f"run: {GENERATE}"


def test_the_index_of_commands_is_what_the_declarations_say():
    current = Path(index.__file__).read_text() == index_source()
    assert current, f"run: {GENERATE}"


def test_a_command_is_loaded_when_it_is_looked_up_and_no_other_module_with_it():
    registry = catalogue()
    assert registry.declarations == {}
    declaration, count = registry.find(["info", "br", "extra"])
    assert (declaration.name, count) == ("info breakpoints", 2)
    assert set(registry.declarations) == {
        each.name for each in declared() if each.handler.__module__ == "zedbg.commands.breakpoints"
    }


def test_a_plugin_replaces_a_command_that_is_not_loaded():
    registry = catalogue()
    mine = dataclasses.replace(declared()["break"], summary="Mine", aliases=())
    with pytest.raises(ValueError, match="exists already"):
        registry.add(mine)
    registry.add(mine, replace=True)
    registry.find(["delete"])  # of the same module
    assert registry["break"] is mine
    assert len(registry.names) == len(set(registry.names)) == len(declared().names)


def test_looking_a_name_up_loads_nothing_of_the_debugger():
    code = """
import sys
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.completion import suggest
assert "breakpoints" in suggest("info br", catalogue()).words
loaded = [name for name in sys.modules if name.startswith(("zedbg.engine.sessions", "zedbg.dwarf"))]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)


@pytest.mark.parametrize("declaration", list(declared()), ids=lambda each: each.name)
def test_every_command_explains_itself(declaration):
    assert declaration.summary and not declaration.summary.endswith(".")
    for argument in declaration.arguments:
        assert argument.help
    rest = [argument.rest for argument in declaration.arguments]
    assert not any(rest[:-1]), "only the last argument may take the rest of the line"


def test_the_commands_that_the_design_names_exist():
    names = {each.name for each in catalogue()}
    wanted = "run attach detach kill quit continue interrupt break tbreak delete thread lane"
    wanted += " workitem stepi step next x print backtrace list disassemble help"
    info = "threads lanes breakpoints devices modules registers locals args kernels"
    assert set(wanted.split()) <= names
    assert {f"info {each}" for each in info.split()} <= names
    assert "set var" in names
