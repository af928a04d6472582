"""What is advised where a module has no debug information."""

import pytest

from tests.support.sycl.ocloc import compiled
from zedbg.zebin import Module
from zedbg.zebin.build_options import debug_info_advice

_DEBUG = ("-options", "-g", "-internal_options", "-cl-intel-allow-zebin")
_PLAIN = "kernel void one(global uint *out) { out[0] = 1; }"


@pytest.mark.parametrize(
    ("options", "kernels", "has_own_data", "advice"),
    [
        (None, 2, False, "compile with -g"),
        ("-cl-std=CL3.0 -gN", 1, True, "compile with -g"),
        ("-g -cl-opt-disable", 2, True, "several kernels: compile each kernel alone"),
        ("-g", 1, True, "take that out, or use a newer compiler"),
        ("-g", 1, False, "left it out: use a newer compiler"),
    ],
)
def test_the_advice_is_not_what_was_done_already(options, kernels, has_own_data, advice):
    assert debug_info_advice(options, kernels, has_own_data).endswith(advice)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (_PLAIN + _PLAIN.replace("one", "two"), "several kernels"),
        ('kernel void one() { printf("one"); }', "strings of printf"),
        ("constant uint T[] = {3, 5};" + _PLAIN.replace("= 1", "= T[out[1]]"), "tables of"),
    ],
)
def test_what_a_compiler_left_debug_info_out_for_is_what_the_advice_says(tmp_path, source, why):
    module = Module.from_bytes(compiled(tmp_path, source, *_DEBUG), "module")
    assert module.has_debug_info or why in module.debug_info_advice


def test_a_compiler_leaves_it_in_where_nothing_of_that_is_in_the_module(tmp_path):
    assert Module.from_bytes(compiled(tmp_path, _PLAIN, *_DEBUG), "module").has_debug_info
