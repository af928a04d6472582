"""What is advised where a module has no debug information."""

import pytest

from zedbg.zebin.build_options import debug_info_advice


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (None, "compile with -g"),
        ("-cl-std=CL3.0 -gN", "compile with -g"),
        ("-g -cl-opt-disable", "compile each kernel alone"),
    ],
)
def test_the_advice_is_not_what_was_done_already(options, advice):
    assert debug_info_advice(options).endswith(advice)
