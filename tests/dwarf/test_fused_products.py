"""Where the compiler makes one instruction of a multiplication and an addition."""

import pytest

from tests.support.packed_modules import MODULES
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module


@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O2"])
def test_places_are_told_apart_by_the_code_of_functions_that_were_asked_for(build):
    info = DebugInfo(Module.open(MODULES / "everyday" / build / "escape_time.zebin"))
    fused = [("escape_time.cl", 10, 19), ("escape_time.cl", 3, 17)]  # the additions
    others = [("escape_time.cl", 8, 12), ("escape_time.cl", 7, 18), ("other.cl", 10, 19)]
    assert not any(info.code.maths.is_fused(*each) for each in fused)  # nothing is decoded yet
    (function,) = info.functions_named("escape_time")
    assert info.code.function_at(function.low) is not None
    assert all(info.code.maths.is_fused(*each) for each in fused)
    assert not any(info.code.maths.is_fused(*each) for each in others)
