"""Where variables of local memory lie, where debug information says it and where it does not."""

from functools import cache

import pytest

from tests.support.packed_modules import MODULES
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS
from zedbg.spirv.analysis.local_layout import local_places
from zedbg.spirv.module.code import SpirvCode
from zedbg.zebin import Module

ADDRESSES = (0x03, 0x0E)  # DW_OP_addr, DW_OP_const8u
OFFSET = (1 << 24) - 1
#: Of the corpus: those with several variables in local memory.
SOURCES = (
    *("async_copies", "cosine_transform", "huffman", "jacobi", "local_atomics", "local_pointers"),
    *("local_structs", "matrix_bytes", "radix_sort", "union_find"),
)


@cache
def module(build, source):
    path = MODULES / "corpus" / build / source
    return Module.from_bytes(path.read_bytes(), path.name)


def shown(build, source):
    """The offsets and sizes of the variables in local memory by name, as zedbg has them."""
    info = DebugInfo(module(build, source))
    found = {}
    for kernel in info.module.kernels:
        for eighth in range(1, 8):
            for _, each in info.variables_at(kernel.address + kernel.size * eighth // 8 // 16 * 16):
                if each.address_class == SLM_ADDRESS_CLASS and each.expression[0] in ADDRESSES:
                    address = int.from_bytes(each.expression[1:9], "little")
                    found[each.name] = address & OFFSET, each.type.size
    return found


def laid_out(build, source):
    """The same by the order of the SPIR-V."""
    compiled = module(build, source)
    code = SpirvCode(compiled.section_bytes(compiled.section(".spv")), source)
    sizes = {each.name: each.info.execution.slm_size for each in compiled.kernels}
    places = local_places(code, sizes)
    return {name: (each.offset, each.size) for (name, _), each in places.items()}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc1-pvc-O0", "igc2-bmg-O0", "igc2-pvc-O2"])
def test_it_is_that_of_the_debug_information(build, source):
    places = laid_out(build, source)
    assert len(places) > 1
    assert shown(build, source) == places


@pytest.mark.parametrize("source", SOURCES)
def test_it_is_known_where_the_compiler_does_not_say_it(source):
    assert shown("igc1-dg2-O2", source) == shown("igc2-dg2-O2", source)


def test_nothing_is_said_where_a_variable_has_gone():
    compiled = module("igc1-dg2-O2", "jacobi")
    code = SpirvCode(compiled.section_bytes(compiled.section(".spv")), "jacobi")
    assert local_places(code, {"jacobi": 160})
    assert not local_places(code, {"jacobi": 128})
    assert not local_places(code, {"jacobi": 0})
