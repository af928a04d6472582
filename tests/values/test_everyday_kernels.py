"""Kernels as people write them: what is shown of their variables at -O2 is what they are without
optimisation, and most of them are shown."""

import json
import subprocess
import sys

import pytest

from tests.support.kernels.kernel_folder import EVERYDAY
from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

# The least share of values that are right: others depend on a division whose result is in no
# register (reduction), on what the device has not computed yet (options), or are of loops that
# nothing counts and of which the compiler made copies (divisor), or are loaded from memory that
# other work-groups write to (alignment), or have addresses of what is in no memory (writers), or of
# several iterations one instruction loads (tax_lots).
RIGHT = {
    "alignment": 0.93,
    "backtracking": 0.98,
    "bilateral": 0.93,
    "bitonic": 0.97,
    "blend": 0.92,
    "bodies": 0.99,
    "boxes": 0.98,
    "cells": 0.82,
    "clashes": 0.98,
    "codes": 0.97,
    "convolution": 0.97,
    "decoder": 0.9,
    "descent": 0.97,
    "divisor": 0.89,
    "draws": 0.97,
    "drift": 0.97,
    "edits": 0.99,
    "escape_time": 0.99,
    "faces": 0.93,
    "facets": 0.89,
    "field": 0.98,
    "frontier": 0.98,
    "galois": 0.89,
    "gradient": 0.91,
    "halving": 0.97,
    "histogram": 0.97,
    "in_place": 0.99,
    "kalman": 0.93,
    "layer": 0.98,
    "matmul": 0.92,
    "minimizers": 0.9,
    "mobility": 0.9,
    "mtf_runs": 0.97,
    "nearest": 0.99,
    "options": 0.93,
    "packets": 0.9,
    "parts": 0.92,
    "pathfinder": 0.99,
    "phasors": 0.92,
    "pi": 0.98,
    "potential": 0.96,
    "probe": 0.91,
    "red_black": 0.99,
    "reduction": 0.96,
    "relax": 0.92,
    "rounds": 0.94,
    "rotations": 0.8,
    "scan": 0.99,
    "search": 0.99,
    "sets": 0.99,
    "smooth": 0.9,
    "sort_tile": 0.99,
    "sparse": 0.97,
    "speckle": 0.92,
    "spectrum": 0.98,
    "spheres": 0.94,
    "springs": 0.97,
    "stencil": 0.99,
    "tax_lots": 0.75,
    "terrain": 0.9,
    "tickets": 0.98,
    "topics": 0.95,
    "transpose": 0.99,
    "tumble": 0.81,
    "varints": 0.99,
    "weighing": 0.97,
    "window": 0.82,
    "winds": 0.9,
    "winners": 0.99,
    "words": 0.98,
    "worldline": 0.94,
    "wrapped": 0.99,
    "writers": 0.89,
}


MATCHES = "--global 32 --local 16 u8[300]=random:1 u8[4]=iota i32[64] i32=300 i32=3 i32=9"
NEWEST = ("igc2-dg2", "igc2-pvc", "igc2-bmg")
# Each is run for the older compiler and for one of these in turn, but for those that take long.
_TWO = ("alignment", "field", "frontier", "galois", "layer", "options", "potential", "red_black")
_TWO += ("smooth", "springs", "terrain", "tumble")
FEW = dict.fromkeys(_TWO, ("igc1-dg2", "igc2-pvc"))
FEW |= dict.fromkeys(("bilateral", "kalman", "pi"), ("igc2-pvc",))
FEW |= dict.fromkeys(("backtracking", "boxes", "tax_lots", "worldline"), ("igc2-dg2",))
FEW["mtf_runs"] = ("igc2-dg2", "igc2-pvc")
# Of kernels that call functions on the stack igc1 says hardly any line.
FEW |= {"draws": ("igc2-dg2", "igc2-pvc"), "mobility": ("igc2-dg2",)}
# Nor of those with a table of constants, which it makes of a switch.
FEW["weighing"] = ("igc2-dg2", "igc2-pvc")
_THREE = ("gradient", "relax", "tickets", "varints", "winds", "winners")
_THREE += ("wrapped", "writers", "phasors")
FEW |= dict.fromkeys(_THREE, ("igc1-dg2", "igc2-dg2", "igc2-pvc"))
FEW |= dict.fromkeys(("codes", "speckle", "topics"), ("igc1-dg2", "igc2-dg2"))
_ONE = (
    "blend",
    "cells",
    "clashes",
    "decoder",
    "descent",
    "drift",
    "edits",
    "faces",
    "facets",
    "minimizers",
    "packets",
)
_ONE += ("rotations", "rounds", "spectrum", "spheres", "window", "words")
FEW |= dict.fromkeys(_ONE, ("igc1-dg2",))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "build, name",
    [
        (each, name)
        for number, name in enumerate(sorted(RIGHT))
        for each in FEW.get(name, ("igc1-dg2", NEWEST[number % len(NEWEST)]))
    ],
)
def test_optimised_values_are_those_without_optimisation(build, name, record_property):
    done = subprocess.run(
        module_command("truth.both_levels", EVERYDAY, MODULES / "everyday", build, name),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    wrong, _ = found.pop("wrong"), found.pop("reasons")
    record_property("shares", found)
    assert wrong == []
    assert found["right"] >= RIGHT[name] * sum(found.values()) > 0


def test_a_lane_that_does_not_come_to_a_line_has_nothing_that_changes_on_its_way():
    """The compiler has made predicates of the condition, so that all lanes stop in the code of
    line 34, in each iteration of a loop that a register counts: ``count`` has grown for those only
    that come there, in the iterations in which they do."""
    module = MODULES / "everyday" / "igc1-dg2-O2" / "matches.zebin"
    zedbg = [sys.executable, "-m", "zedbg.frontends.main"]
    kernel = [*zedbg, "kernel", "--device", "dg2", f"{module}:matches", *MATCHES.split()]
    commands = ["break matches.cl:34", "run", "print count", "print i"]
    options = [each for command in commands for each in ("-ex", command)]
    done = subprocess.run(
        [*zedbg, "--sim", "dg2", "--batch", *options, "--", *kernel],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "$1 = 0 (?)\n$2 = 0 (?)\n" in done.stdout, done
