"""Pointers that a kernel gets to shared local memory, where optimised code keeps them nowhere."""

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.dwarf import DebugInfo
from zedbg.values.source.debug_quality import debug_quality
from zedbg.zebin import Module


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


@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-bmg-O2"])
def test_they_do_not_count_as_lost(build):
    info = DebugInfo.of(Module.open(ZEBINS / build / "reduce.zebin"))
    (kernel,) = (each for each in info.functions if each.name == "reduce_slm")
    assert "tmp" not in dict(debug_quality(info, kernel).lost_variables)


def test_a_write_by_hand_marks_what_it_may_have_changed(debugger):
    module = ZEBINS / "igc2-bmg-O2" / "reduce.zebin"
    program = ["zedbg", "kernel", f"{module}:reduce_slm", "--global", "32", "--local", "16"]
    program += ["f32[32]=iota", "f32[2]", "local[64]", "i32=32"]
    commands = ["break reduce.cl:7", "run", "set var tmp[1] = 7.5", "info locals"]
    commands += ["set var in[1] = 3", "info locals", "print tmp[1]", "set var l = 2", "print l"]
    commands += ["info locals"]
    found = debugger.json(commands, program, "--sim=bmg").objects
    local, other, last = (each["rows"] for each in found if each.get("command") == "info locals")
    element, variable = (each["rows"][0] for each in found if each.get("command") == "print")
    # Nothing is computed from local memory, and ids from no memory.
    for rows in local, other:
        assert [each.get("doubtful") for each in rows if each["name"] in "lg"] == [None, None]
    assert all("you changed" in each["doubtful"] for each in last if each["name"] in "lg")
    assert element["value"] == 7.5
    assert variable["value"] == 2
