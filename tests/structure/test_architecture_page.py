"""The table of docs/architecture.md says what each folder knows: compared with the code."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `((?:native|zedbg)/\w+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "(\w+)/', re.MULTILINE)


def rows_of_the_page():
    return {
        folder: set(re.findall(r"`(\w+)`", known))
        for folder, known in ROW.findall(PAGE.read_text())
    }


def folders_of(parent):
    return {
        path.name
        for path in (ROOT / parent).iterdir()
        if path.is_dir() and path.name != "__pycache__" and any(path.rglob("*.[cp][py]*"))
    }


def imported_folders(folder):
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "zedbg" and len(parts) > 1 and (folder.parent / parts[1]).is_dir():
                    yield parts[1]


def included_folders(folder):
    for path in folder.rglob("*.[ch]pp"):
        if "tests" not in path.relative_to(folder).parts:
            yield from INCLUDE.findall(path.read_text())


def test_the_page_lists_every_folder():
    there = {f"zedbg/{each}" for each in folders_of("zedbg")}
    there |= {f"native/{each}" for each in folders_of("native")}
    assert set(rows_of_the_page()) == there


def test_the_page_says_what_each_folder_knows():
    listed = rows_of_the_page()
    found = {}
    for name in listed:
        folder = ROOT / name
        known = imported_folders if name.startswith("zedbg/") else included_folders
        siblings = folders_of(folder.parent)
        found[name] = {each for each in known(folder) if each != folder.name and each in siblings}
    assert found == listed
