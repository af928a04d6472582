"""A place in a source file is looked for in the units of that file, and in no others: of every
version of line programs, in both formats, of two compilers for the processor."""

import itertools
import struct
import subprocess

import pytest
from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.dwarf.units.sections import DebugSections
from zedbg.zebin import Module

BUILDS = [*itertools.product(("gcc", "clang"), ("4", "5"), ("32", "64")), ("gcc", "45", "32")]
FILES = ("first.c", "second.c", "third.c", "shared.h")
_MACHINE = 18  # offset of e_machine in an ELF file's header
_INTELGT = 205


@pytest.fixture(params=BUILDS, ids=["-".join(each) for each in BUILDS])
def module(request, tmp_path):
    """Three sources linked into one file; the second and the third include a header from a folder.

    Versions take turns where several are wanted.
    """
    compiler, versions, bits = request.param
    (tmp_path / "folder").mkdir()
    header = "static inline int twice(int x) {\n  return 2 * x;\n}\n"
    (tmp_path / "folder" / "shared.h").write_text(header)
    (tmp_path / "first.c").write_text("int first(int x) {\n  return x + 1;\n}\n")
    for name in ("second", "third"):
        source = f'#include "folder/shared.h"\nint {name}(int x) {{\n  return twice(x);\n}}\n'
        (tmp_path / f"{name}.c").write_text(source)
    objects = []
    for name, version in zip(("first", "second", "third"), itertools.cycle(versions)):
        options = ["-g", f"-gdwarf-{version}", f"-gdwarf{bits}", "-O0", "-c", f"{name}.c"]
        subprocess.run([compiler, *options], cwd=tmp_path, check=True)
        objects.append(f"{name}.o")
    link = [compiler, "-nostdlib", "-no-pie", "-Wl,-efirst", *objects, "-o", "linked"]
    subprocess.run(link, cwd=tmp_path, check=True)
    data = bytearray((tmp_path / "linked").read_bytes())
    struct.pack_into("<H", data, _MACHINE, _INTELGT)
    return Module.from_bytes(bytes(data), "linked")


def named_by(program: LineProgram) -> set[bytes]:
    """Every file name in a line program, as pyelftools reads all of it."""
    return {entry.name.split(b"/")[-1] for entry in program.header.file_entry}


def test_only_units_of_the_file_are_read(module, monkeypatch):
    expected = {file: [] for file in FILES}
    everything = DebugSections(module)
    for unit in everything.units():
        for name in named_by(everything.line_program(unit)):
            expected[name.decode()].append(unit.cu_offset)
    sizes = {file: len(units) for file, units in expected.items()}
    assert sizes == {"first.c": 1, "second.c": 1, "third.c": 1, "shared.h": 2}

    for file in FILES:
        read = set()
        unit = DebugSections.unit
        monkeypatch.setattr(
            DebugSections,
            "unit",
            lambda self, start, read=read, unit=unit: read.add(start) or unit(self, start),
        )
        assert DebugSections(module).search.of_file(file) == expected[file]
        assert read == set(expected[file])
        monkeypatch.undo()
    assert DebugSections(module).search.of_file("fourth.c") == []


def test_a_line_is_found_in_the_file_that_has_it(module):
    info = DebugInfo.of(module)
    for name in ("first", "second", "third"):
        line = 2 if name == "first" else 3
        (place,) = CodePlaces(info).of_line(f"{name}.c", line)
        assert place.function.name == name
    places = CodePlaces(info).of_line("shared.h", 2)
    assert len(places) == 2
