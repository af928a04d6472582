"""Tests share what is in tests/support: no test module is imported by another file."""

import ast
import re

from tests.support.places import TESTS

# What makes the tree importable: for pytest, for programs of tests, and inside GDB.
FINDS_THE_TREE = {
    "conftest.py",
    "support/run_module.py",
    "support/driver/intel_gdb_stops.py",
    "support/dwarf/processor_stops.py",
}


def files():
    """Every Python file of the tests, by its place among them."""
    return {str(path.relative_to(TESTS)): path.read_text() for path in TESTS.rglob("*.py")}


def imported(text):
    """The last parts of all names that a file imports, or imports from."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(each.name for each in node.names)]
        else:
            continue
        yield from (name.rpartition(".")[2] for name in names)


def test_no_file_imports_a_test_module():
    tests = {path.stem for path in TESTS.rglob("test_*.py")}
    assert len(tests) > 150
    assert [name for name, text in files().items() if tests & {*imported(text)}] == []


def test_no_file_changes_where_imports_are_looked_for():
    changes = re.compile(r"^ *sys\.path(\.(append|insert|extend)\(|\[.*\] =| \+?= )", re.MULTILINE)
    assert {name for name, text in files().items() if changes.search(text)} == FINDS_THE_TREE
