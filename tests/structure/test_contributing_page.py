"""docs/contributing.md: its recipes name what is there, and the command of its recipe works."""

import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.support.places import REPOSITORY

PAGE = (REPOSITORY / "docs" / "contributing.md").read_text()
RECIPES = ("A command", "An opcode", "A Level Zero call", "A zeinfo attribute", "A device")
NAME = "info subslices"


def recipe(name):
    found = re.search(rf"^### {name}\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no recipe: {name}"
    return found[1]


@pytest.mark.parametrize("name", RECIPES)
def test_the_places_of_a_recipe_exist(name):
    places = re.findall(r"`((?:zedbg|native|tests|docs)/[\w./-]+)`", recipe(name))
    assert places
    assert [each for each in places if not (REPOSITORY / each).exists()] == []


@pytest.fixture
def followed(tmp_path, debugger):
    """The recipe for a command, followed in a copy: what it changed is there, and is what runs."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "zedbg", copy / "zedbg", ignore=ignored)
    (copy / "docs").mkdir()
    (source,) = re.findall(r"^   ```python\n(.*?)^   ```$", recipe("A command"), re.M | re.S)
    (copy / "zedbg" / "commands" / "subslices.py").write_text(textwrap.dedent(source))
    debugger.environment["PYTHONPATH"] = str(copy)
    module = re.search(r"`python -m (zedbg\.\S+)` writes", recipe("A command"))[1]
    command = [sys.executable, "-m", module]
    subprocess.run(command, cwd=copy, env=debugger.environment, check=True)
    return copy


def test_the_command_of_the_recipe_works(followed, debugger, vadd):
    page = (followed / "docs" / "commands.md").read_text()
    assert f"### {NAME}\n\nCount the stopped threads of each subslice" in page
    completed = "from zedbg.commands.catalogue.catalogue import catalogue\n"
    completed += "from zedbg.commands.framework.completion import suggest\n"
    completed += "print(*suggest('info s', catalogue()).words)\n"
    words = subprocess.run(
        [sys.executable, "-c", completed],
        cwd=followed,
        env=debugger.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "subslices" in words.stdout.split()
    text = debugger.batch([f"help {NAME}", "break vadd.cl:4", "run", NAME], vadd).out
    assert "Count the stopped threads of each subslice" in text
    rows = debugger.json(["break vadd.cl:4", "run", NAME], vadd)
    (answer,) = [each for each in rows.objects if each.get("command") == NAME]
    assert [(row["subslice"], row["threads"]) for row in answer["rows"]] == [("0.0", 8)]
