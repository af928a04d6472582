"""zedbg fetch: libraries of a newer system on an older one, made with the C compiler."""

import ctypes
import subprocess
import sys

import pytest

from zedbg.levelzero.newest import COMPILER, Newest
from zedbg.levelzero.selection import native_file
from zedbg.tools.fetch import older_system
from zedbg.tools.fetch.older_system import adapt
from zedbg.tools.fetch.packages import FetchError
from zedbg.tools.fetch.placing import SUPPORT_LIBRARY_NAME, SUPPORT_LIBRARY_OVERRIDE, SUPPORTED

NEWER = "int old(void) { return 1; }\nint later(void) { return 2; }\n"
OLDER = "int old(void) { return 1; }\n"
USER = "int old(void); int later(void);\nint both(void) { return old() * 10 + later(); }\n"
VERSIONS = "OLD_1 { old; };\nNEW_2 { later; } OLD_1;\n"
SUPPORT = "int later(void) { return 5; }\n"


def library(folder, name, source, *options):
    text = folder / f"{name}.c"
    text.write_text(source)
    made = folder / f"lib{name}.so.1"
    flags = ["-shared", "-fPIC", f"-Wl,-soname,lib{name}.so.1", "-o", str(made)]
    subprocess.run(["gcc", str(text), *flags, *options], check=True)
    return made


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A library that was built with a newer libbase than the one that is there."""
    versions = tmp_path / "versions"
    versions.write_text(VERSIONS)
    script = f"-Wl,--version-script={versions}"
    base = library(tmp_path, "base", NEWER, script)
    made = library(tmp_path, "user", USER, str(base))
    versions.write_text("OLD_1 { old; };\n")
    library(tmp_path, "base", OLDER, script)
    monkeypatch.setattr(older_system, "_system_library", lambda name: tmp_path / name)
    return made


def result_of(folder, name="libuser.so.1"):
    code = f"import ctypes; print(ctypes.CDLL('{name}').both())"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"LD_LIBRARY_PATH": str(folder)},
        capture_output=True,
        text=True,
    )


def test_a_library_of_a_newer_system_opens_and_finds_the_functions(user, tmp_path):
    assert "NEW_2' not found" in result_of(tmp_path).stderr
    changed, needed = adapt(user.read_bytes(), frozenset({"later"}))
    assert needed == "user.so.1"
    user.write_bytes(changed)
    library(tmp_path, "support", SUPPORT).rename(tmp_path / needed)
    done = result_of(tmp_path)
    assert done.stdout == "15\n", done.stderr


def test_what_the_support_library_lacks_is_named(user):
    with pytest.raises(FetchError, match="no later"):
        adapt(user.read_bytes(), frozenset())


def test_a_library_that_opens_is_left_alone(tmp_path):
    made = library(tmp_path, "plain", "#include <stdlib.h>\nint both(void) { return abs(-7); }\n")
    assert adapt(made.read_bytes(), frozenset()) == (made.read_bytes(), "")


@pytest.mark.parametrize("size", [0, 3, 64, 600])
def test_a_damaged_library_is_refused(user, size):
    with pytest.raises(FetchError):
        adapt(user.read_bytes()[:size], frozenset({"later"}))


def test_the_support_library_has_what_the_loader_is_promised():
    library = native_file(SUPPORT_LIBRARY_NAME, SUPPORT_LIBRARY_OVERRIDE)
    support = ctypes.CDLL(str(library))
    assert all(hasattr(support, name) for name in SUPPORTED)
    assert support["__isoc23_strtoul"](b"1234", None, 0) == 1234


def test_a_compiler_that_reads_no_opencl_c_is_not_put_before_the_systems(tmp_path):
    """As earlier versions fetched it: `zedbg kernel FILE.cl` failed in programs of a session."""
    made = Newest(tmp_path)
    made.compiler.write_text("#!/bin/sh\n")
    assert COMPILER not in made.added_to({})
    made.front_end.parent.mkdir(parents=True)
    made.front_end.touch()
    assert made.added_to({})[COMPILER] == str(made.compiler)
