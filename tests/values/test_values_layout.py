"""Types with their members, as GDB shows those of the same program in C."""

import shutil
import subprocess

import pytest

from zedbg.dwarf.types.program_types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    SHORT,
    UINT,
    ArrayType,
    EnumType,
    Member,
    PointerType,
    StructType,
)
from zedbg.values.formats.layout import type_lines

SOURCE = """
struct In { short h; char c; };
union U { int i; float f; };
enum E { A = 1, B = 4 };
struct T {
  char c; int i[2]; short h; double d; struct In in; union U u;
  unsigned bf : 3; int bg : 7; char *p; char z;
} t;
enum E e;
int main() { return 0; }
"""
IN = StructType(4, "In", "struct", [Member("h", SHORT, 0), Member("c", CHAR, 2)])
U = StructType(4, "U", "union", [Member("i", INT, 0), Member("f", FLOAT, 0)])
T = StructType(
    56,
    "T",
    "struct",
    [
        Member("c", CHAR, 0),
        Member("i", ArrayType(8, INT, 2), 4),
        Member("h", SHORT, 12),
        Member("d", DOUBLE, 16),
        Member("in", IN, 24),
        Member("u", U, 28),
        Member("bf", UINT, 32, 0, 3),
        Member("bg", INT, 32, 3, 7),
        Member("p", PointerType(8, CHAR), 40),
        Member("z", CHAR, 48),
    ],
)
E = EnumType(4, "E", {"A": 1, "B": 4})
ASKED = {
    "ptype/o struct T": (T, True),
    "ptype struct T": (T, False),
    "ptype struct T (*)[4]": (PointerType(8, ArrayType(224, T, 4)), False),
    "ptype struct In *": (PointerType(8, IN), False),
    "ptype enum E": (E, False),
    "ptype unsigned int": (UINT, False),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    if shutil.which("gdb") is None:
        pytest.skip("GDB is not installed")
    folder = tmp_path_factory.mktemp("layout")
    (folder / "program.c").write_text(SOURCE)
    command = ["gcc", "-g", "program.c", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program"


@pytest.mark.parametrize("command", ASKED)
def test_types_are_shown_as_gdb_shows_them(program, command):
    gdb = ["gdb", "-q", "-nx", "-batch", "-ex", command, str(program)]
    shown = subprocess.run(gdb, capture_output=True, text=True, check=True).stdout
    value_type, offsets = ASKED[command]
    assert type_lines(value_type, offsets) == shown.splitlines()
