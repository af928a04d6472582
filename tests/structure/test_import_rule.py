"""The layering of docs/architecture.md: imports run downwards only, cffi stays in one place."""

import ast
from pathlib import Path

import zedbg

PACKAGE = Path(zedbg.__file__).parent
LAYERS = [
    {"frontends", "tools", "testing"},
    {"commands"},
    {"engine"},
    {"values"},
    {"dwarf"},
    {"zebin", "sycl", "xe"},
    {"levelzero"},
]
LEVEL = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
        elif isinstance(node, ast.ImportFrom):
            raise AssertionError(f"{path}: relative import")


def sources():
    for path in PACKAGE.rglob("*.py"):
        folder = path.relative_to(PACKAGE).parts[0]
        if folder in LEVEL:
            yield folder, path


def test_every_folder_of_the_package_has_a_level():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(LEVEL)


def test_imports_run_downwards_only():
    upward = []
    for folder, path in sources():
        for module in imported_modules(path):
            parts = module.split(".")
            if parts[0] != "zedbg" or len(parts) == 1 or parts[1] == folder:
                continue
            if parts[1] in LEVEL and LEVEL[parts[1]] < LEVEL[folder]:
                upward.append(f"{path.relative_to(PACKAGE)} imports {module}")
    assert upward == []


def test_only_levelzero_touches_cffi():
    users = {
        folder
        for folder, path in sources()
        if any(
            module.split(".")[0] in ("cffi", "_cffi_backend", "ctypes")
            for module in imported_modules(path)
        )
    }
    assert users <= {"levelzero"}
