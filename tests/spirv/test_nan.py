"""Comparisons with what is not a number are computed where compilers keep to the source."""

import numpy as np
import pytest

from tests.support.kernels.kernel_case import Case
from tests.support.sycl.ocloc import compiled
from tests.support.truth.stored_numbers import compared
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

OPTIONS = ("-options", "-g", "-internal_options", "-cl-intel-allow-zebin")
SOURCE = """kernel void compares(global const float *a, global const float *b, global int *found) {
  int i = get_global_id(0);
  float one = a[i], other = b[i];
  int equal = 0, sized = 0;
  equal = (one == other) | (one != other) << 1 | (one != one) << 2 | isordered(one, other) << 3;
  equal |= isunordered(one, other) << 4 | isnan(one) << 5 | isinf(one) << 6;
  equal |= isfinite(one) << 7 | isnormal(one) << 8;
  sized = (one < other) | !(one < other) << 1 | (one >= other) << 2;
  sized |= isgreater(one, other) << 3 | islessgreater(one, other) << 4;
  found[2 * i] = equal;
  found[2 * i + 1] = sized;
}"""
# The same, with a choice of the greater number, of which compilers make one instruction.
GREATER = SOURCE.replace(
    "  found[2 * i] ",
    "  one = select(one, other, other >= one);\n  sized += one > 5.0f;\n  found[2 * i] ",
)
NUMBERS = np.array([np.nan, 1, np.inf, -np.inf, 0, -0.0, 2, -3], np.float32)


def known(tmp_path, source, *options):
    """How many numbers are known of what the kernel stores; all of them must be right."""
    choices = np.array([*np.meshgrid(NUMBERS, NUMBERS)]).reshape(2, -1)
    arguments = [*choices, np.zeros(2 * choices.shape[1], np.int32)]
    case = Case("compares", "compares", (64,), (16,), arguments)
    path = tmp_path / "compares.zebin"
    path.write_bytes(
        compiled(tmp_path, source, *OPTIONS[:1], " ".join(["-g", *options]), *OPTIONS[2:])
    )
    info = DebugInfo(Module.from_bytes(path.read_bytes(), path.name))
    info.code.function_at(info.module.kernels[0].address)
    count, wrong = compared(case, path, tmp_path, info.spirv)
    assert not wrong
    return count


@pytest.mark.parametrize(
    ("source", "options", "equal", "sized"),
    [
        (SOURCE, [], 64, 64),
        (GREATER, [], 64, 49),  # 15 of 64 pairs have a NaN
        (SOURCE, ["-cl-finite-math-only"], 35, 49),  # the first is finite, the other no NaN
    ],
)
def test_comparisons_with_nan_are_what_the_device_computes(source, options, equal, sized, tmp_path):
    assert known(tmp_path, source, *options) == equal + sized
