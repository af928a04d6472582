"""Names in the debug information of C++, compared with the linker's names, demangled."""

import re

import cpp_demangle
import pytest

from tests.support.packed_modules import MODULES
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

PATHS = sorted((MODULES / "cpp").glob("*.zebin"))


def demangled(name):
    """A function's name without its address space, parameters and constness."""
    # Methods carry the address space of `this` as a vendor's qualifier, which demanglers refuse.
    return re.sub(r"\(.*$", "", cpp_demangle.demangle(re.sub(r"U3AS\d", "", name)))


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_functions_have_the_names_that_their_symbols_have(path):
    info = DebugInfo.of(Module.open(path))
    mangled = [each for each in info.functions if (each.linkage_name or "").startswith("_ZN")]
    assert len(mangled) >= 7
    for function in mangled:
        assert function.name == demangled(function.linkage_name)
        assert function in info.functions_named(function.name)
        assert function in info.functions_named(re.sub(r"<\w+>", "", function.name))
        assert function in info.functions_named(function.name.partition("::")[2])
