"""A function's name, with the types of parameters or without, means what it means to GDB, which has
the same source as C++ for the processor."""

import re
import subprocess

import pytest

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.dwarf.types import overloads
from zedbg.zebin import Module

NAMES = [
    *("area", "shapes::area", "grow", "box::grow", "shapes::box::grow"),
    *("area(int)", "area(int, int)", "area(int,int)", "area( int , int )", "area(float)"),
    *("area(point const&)", "area(const point &)"),
    *("area(unsigned long)", "area(unsigned long int)", "area(long unsigned)"),
    *("area(unsigned)", "area(unsigned int)", "area(word)", "shapes::area(word)"),
    *("box::grow(int)", "grow(float)", "shapes::box::grow(float)", "grow() const"),
    *(
        "area(double)",
        "area()",
        "area(void)",
        "area(int, int, int)",
        "area(point)",
        "area(point *)",
    ),
    *("area(long)", "shapes::area(int)", "box::grow(int, int)", "grow(long)"),
    "overloads(int*)",
    "overloads(int)",
]


@pytest.fixture(scope="module")
def gdb_lines(tmp_path_factory):
    """The lines at which breakpoints on names stop in GDB, by name."""
    program = tmp_path_factory.mktemp("overloads") / "program"
    source = str(KERNELS / "overloads" / "overloads.clcpp")
    subprocess.run(["g++", "-g", "-O0", "-x", "c++", source, "-o", program], check=True)
    commands = []
    for name in NAMES:
        commands += ["-ex", "delete", "-ex", f"break {name}", "-ex", f"echo == {name}\\n"]
        commands += ["-ex", "info breakpoints"]
    words = ["gdb", "-q", "-nx", "-batch", *commands, program]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^== (.*)\n", shown, flags=re.MULTILINE)[1:]
    return {
        name: sorted(int(line) for line in re.findall(r"overloads\.clcpp:(\d+)", text))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


@pytest.fixture(scope="module")
def info():
    return DebugInfo.of(Module.open(MODULES / "overloads" / "overloads.zebin"))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_means_the_functions_that_it_means_to_gdb(name, info, gdb_lines):
    found = {place.function.line: place.line for place in CodePlaces(info).of_function(name)}
    # A kernel's body is a function of its own beside it; both are one in C++.
    assert sorted(found.values()) == gdb_lines[name]


def test_some_names_mean_one_function_and_some_none(gdb_lines):
    counts = [len(lines) for lines in gdb_lines.values()]
    assert counts.count(1) >= 15
    assert counts.count(0) >= 8
    assert max(counts) == 6


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("f", ("f", None)),
        ("f()", ("f", [])),
        ("f(void)", ("f", [])),
        ("f(int) const", ("f", ["int"])),
        ("operator()", ("operator()", None)),
        ("operator()(int, Map<int, long>)", ("operator()", ["int", "Map<int, long>"])),
        ("f(void (*)(int, int), char)", ("f", ["void (*)(int, int)", "char"])),
        ("<lambda>::operator()(int)", ("<lambda>::operator()", ["int"])),
        (")", (")", None)),
    ],
)
def test_names_are_parted_from_the_types_after_them(name, parts):
    assert overloads.parted(name) == parts


@pytest.mark.parametrize("name", ["area(ulong)", "area(const ulong)"])
def test_types_of_opencl_are_known(name, info):
    assert [place.line for place in CodePlaces(info).of_function(name)] == [27]


def test_keywords_of_types_may_be_written(info):
    plain = CodePlaces(info).of_function("area(const point &)")
    assert [place.line for place in plain] == [24]
    assert CodePlaces(info).of_function("area(struct point const &)") == plain


def test_address_spaces_may_be_written(info):
    plain = CodePlaces(info).of_function("overloads(int *)")
    assert plain
    assert CodePlaces(info).of_function("overloads(global int *)") == plain
    assert CodePlaces(info).of_function("overloads(__global int*)") == plain
