"""Variables of a block come in the order of the source, whatever order the compiler left."""

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module


@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O0"])
def test_parameters_come_first_and_then_what_each_line_declares(build):
    info = DebugInfo.of(Module.open(ZEBINS / build / "mandel.zebin"))
    (function,) = (each for each in info.functions if each.is_kernel)
    rows = info.lines.rows_between(function.low, function.high)
    address = next(row.address for row in rows if row.line == 7 and row.is_stmt)
    found = [variable for _, variable in info.variables_at(address)]
    names = [each.name for each in found]
    assert names[0] == "t"  # of the innermost block
    assert names[1:8] == ["img", "w", "h", "x0", "y0", "s", "maxit"]
    assert sorted(names[8:]) == ["ci", "cr", "i", "x", "y", "zi", "zr"]
    lines = [each.line for each in found[8:]]
    assert lines == sorted(lines)
