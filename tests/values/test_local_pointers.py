"""Pointers that a kernel gets to shared local memory, where optimised code keeps them nowhere."""

import pytest

from tests.support.packed_modules import ZEBINS


def answers(debugger, build):
    """What zedbg says of ``tmp`` when its elements are summed up first: itself, and 16 elements."""
    module = ZEBINS / build / "reduce.zebin"
    program = ["zedbg", "kernel", f"{module}:reduce_slm", "--global", "32", "--local", "16"]
    program += ["f32[32]=iota", "f32[2]", "local[64]", "i32=32"]
    commands = ["break reduce.cl:7", "run", "print *tmp@16", "print tmp"]
    found = debugger.json(commands, program, f"--sim={build.split('-')[1]}")
    elements, pointer = (each for each in found.objects if each.get("command") == "print")
    return elements["rows"][0], pointer["rows"][0]


@pytest.mark.parametrize(
    "build", ["igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O2", "igc2-bmg-O2", "igc2-pvc-O2"]
)
def test_what_they_point_to_is_known(debugger, build):
    elements, pointer = answers(debugger, build)
    assert elements["value"] == [float(each) for each in range(16)]
    assert pointer["source"] == "recomputed"
    assert "doubtful" not in pointer
