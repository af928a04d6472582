"""The layering of docs/architecture.md: imports run downwards only, cffi stays in one place."""

import ast
from pathlib import Path

import pytest

import zedbg

PACKAGE = Path(zedbg.__file__).parent
LAYERS = [
    {"frontends", "tools", "testing", "api"},
    {"commands"},
    {"cores"},
    {"engine"},
    {"values"},
    {"dwarf", "host"},
    {"spirv"},
    {"zebin", "sycl", "xe"},
    {"levelzero"},
]
ROOMS = {
    "engine": "ground modules process threads memory breakpoints time origins events running"
    " stepping sessions",
    "spirv": "module numbers analysis work_item group",
    "values": "typed threads formats tables counters source inputs loops copies recomputed operands"
    " expressions",
}  # from below
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


#: Call CPython and the C library themselves, for what Python does not offer.
CALL_C = (
    PACKAGE / "commands" / "extending" / "time_limit.py",
    PACKAGE / "frontends" / "shell" / "large_pages.py",
    PACKAGE / "host" / "thread_registers.py",
)


def test_only_levelzero_touches_cffi():
    users = {
        folder
        for folder, path in sources()
        if path not in CALL_C
        and any(
            module.split(".")[0] in ("cffi", "_cffi_backend", "ctypes")
            for module in imported_modules(path)
        )
    }
    assert users <= {"levelzero"}


@pytest.mark.parametrize("folder", ROOMS)
def test_rooms_import_downwards_only(folder):
    rooms = ROOMS[folder].split()
    assert {path.parent.name for path in (PACKAGE / folder).glob("*/__init__.py")} == set(rooms)
    upward = []
    for level, room in enumerate(rooms):
        for path in (PACKAGE / folder / room).glob("*.py"):
            for module in imported_modules(path):
                parts = module.split(".")
                # From zedbg.engine itself a room takes its errors only.
                if parts[:2] != ["zedbg", folder] or parts[2:] == ["engine_errors"]:
                    continue
                if len(parts) < 3 or rooms.index(parts[2]) > level:
                    upward.append(f"{path.relative_to(PACKAGE)} imports {module}")
    assert upward == []


@pytest.mark.parametrize("folder", ["spirv", "values"])
def test_every_module_is_in_a_room(folder):
    assert [path.name for path in (PACKAGE / folder).glob("*.py")] == ["__init__.py"]
