"""Types lie on the device as GDB shows those of the same source, which gcc compiled.

Where the ABIs agree, which they do for all of these types, ``ptype/o`` has to be the same, line by
line, and ``info scope`` has to name the same variables, of the same sizes, in the same order.
"""

import re
import subprocess

import pytest

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.values.formats.layout import type_lines
from zedbg.zebin import Module

LAYOUTS = KERNELS / "layouts" / "layouts.cl"
SOURCE = LAYOUTS.read_text()
STRUCTURES = [*re.findall(r"^(struct \w+|union \w+) \{", SOURCE, re.MULTILINE), "struct tight"]
PLACES = [n for n, text in enumerate(SOURCE.splitlines(), 1) if re.search(r"; +// ", text)]
# GDB 13 counts the bytes in front of a union that is a member as padding at its end.
FULL_UNION = ["struct inner", "struct outer"]
PADDING_THAT_IS_NONE = "/* XXX  4-byte padding   */"


@pytest.fixture(scope="module")
def gdb(tmp_path_factory):
    """What GDB says to a command, about the source as C."""
    folder = tmp_path_factory.mktemp("layouts")
    command = ["gcc", "-g", "-O0", "-x", "c", "-c", str(LAYOUTS), "-o", "layouts.o"]
    subprocess.run(command, cwd=folder, check=True)

    def ask(command):
        words = ["gdb", "-q", "-nx", "-batch", "-ex", command, str(folder / "layouts.o")]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    return ask


@pytest.fixture(scope="module")
def info():
    return DebugInfo.of(Module.open(MODULES / "layouts" / "layouts.zebin"))


@pytest.mark.parametrize("name", [*STRUCTURES, "enum colour"])
@pytest.mark.parametrize("command", ["ptype/o", "ptype"])
def test_types_lie_as_those_of_the_processor(name, command, info, gdb):
    expected = gdb(f"{command} {name}").splitlines()
    if name in FULL_UNION and command == "ptype/o":
        expected.remove(PADDING_THAT_IS_NONE)
    assert type_lines(info.type_named(name.split()[1]), command == "ptype/o") == expected


@pytest.mark.parametrize("line", PLACES)
def test_the_same_variables_are_in_scope(line, info, gdb):
    shown = gdb(f"info scope layouts.cl:{line}")
    names = re.findall(r"Symbol (\w+) is", shown)
    sizes = re.findall(r"length (\d+)\.", shown)
    place = CodePlaces(info).of_line("layouts.cl", line)[0]
    assert place.line == line
    found = [
        (variable.name, variable.type.size) for _, variable in info.variables_at(place.address)
    ]
    assert found == list(zip(names, map(int, sizes), strict=True))


def test_there_is_something_to_hold():
    assert len(STRUCTURES) == 10
    assert len(PLACES) == 3
