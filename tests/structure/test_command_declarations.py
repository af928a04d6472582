"""The declarations are complete, and the documents that derive from them are up to date."""

import pytest

from tests.support.places import REPOSITORY
from zedbg.commands.framework.catalogue import catalogue
from zedbg.commands.framework.reference import reference


def test_the_command_reference_is_what_the_declarations_say():
    assert (REPOSITORY / "docs" / "commands.md").read_text() == reference()


@pytest.mark.parametrize("declaration", list(catalogue()), ids=lambda each: each.name)
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
