"""A breakpoint on a template or an inlined function stops in each instance and each copy of it."""

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import MODULES

CPP = MODULES / "cpp"
ITEMS = 8  # one thread on every device
DEVICES = EACH_PLATFORM
pytestmark = pytest.mark.cases(1)
# By function and by line, with how many places there are at least: two instances of Box.
TEMPLATES = {"width": 2, "grow": 2, "objects.clcpp:15": 2, "objects.clcpp:12": 2}
INLINED_BUILDS = ["igc1-dg2-O2", "igc2-dg2-O2", "igc1-pvc-O2", "igc2-pvc-O2", "igc2-bmg-O2"]
# scaled is called in three places, folded in one; what line 5 does is merged with its surroundings.
INLINED = {"scaled": 3, "inlined.cl:2": 3, "inlined.cl:3": 3, "inlined.cl:5": 1, "folded": 1}
MOST_STOPS = 60


def check_that_every_location_is_hit(debugger, device, places, program):
    """Runs the program to its end from stop to stop of breakpoints at ``places``."""
    commands = [f"break {place}" for place in places]
    commands += ["run", "info breakpoints", *["continue"] * MOST_STOPS]
    finished = debugger.json(commands, program, f"--sim={device}")
    (table,) = (each for each in finished.objects if each.get("command") == "info breakpoints")
    stops = [each for each in finished.objects if each.get("event") == "stop"]
    assert [each["code"] for each in finished.objects if each.get("event") == "exit"] == [0]
    assert {each["reason"] for each in stops} == {"breakpoint"}
    wanted = set()
    for row, least in zip(table["rows"], places.values(), strict=True):
        assert len(row["locations"]) >= least, row
        wanted |= {(each["address"], each["line"]) for each in row["locations"]}
    assert {(each["pc"], each["line"]) for each in stops} == wanted


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("device", DEVICES)
def test_every_instance_of_a_template_is_hit(debugger, device, level):
    module = CPP / f"objects-{device}-{level}.zebin"
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    program = ["zedbg", "kernel", f"{module}:objects", *sizes, f"i32[{ITEMS}]", "i32=3"]
    check_that_every_location_is_hit(debugger, device, TEMPLATES, program)


@pytest.mark.parametrize("build", INLINED_BUILDS)
def test_every_inlined_copy_is_hit(debugger, kernel_command, build):
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    arguments = [f"i32[{ITEMS}]", f"i32[{ITEMS}]=iota", f"i32={ITEMS}"]
    program = kernel_command("inlined", *sizes, *arguments, build=build)
    check_that_every_location_is_hit(debugger, build.split("-")[1], INLINED, program)
