"""A docstring of a public function names the errors that the function raises."""

import ast
from pathlib import Path

import zedbg

PACKAGE = Path(zedbg.__file__).parent
# What stands for a defect of the caller, or for a protocol of Python's own.
NOT_NAMED = {"AssertionError", "AttributeError", "NotImplementedError"}


def raised_by(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = ast.unparse(raised).rpartition(".")[2]
            if name[0].isupper() and name not in NOT_NAMED:
                yield name


def unnamed_errors():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            text = ast.get_docstring(node)
            missing = {name for name in raised_by(node) if text and name not in text}
            if missing:
                yield f"{path.relative_to(PACKAGE)}: {node.name} raises {', '.join(missing)}"


def test_docstrings_name_the_errors_that_are_raised():
    assert list(unnamed_errors()) == []
