"""Frames of real stack calls: with -O2 what nothing confirms is marked, as in a kernel."""

import pytest

from tests.support.packed_modules import MODULES


def frames(debugger, build):
    """The rows of the arguments of ``leaf``, of those of ``mid``, which calls it, and of the locals
    of the kernel that calls that."""
    device = build.split("-")[1]
    module = MODULES / "zebin" / build / "calls.zebin"
    program = ["zedbg", "kernel", f"{module}:calls", "--global", "32", "--local", "16"]
    program += ["i32[32]=random:1", "f32[128]"]
    commands = ["break calls.cl:5", "run", "info args", "up", "info args", "up", "info locals"]
    answers = [
        each
        for each in debugger.json(commands, program, f"--sim={device}").objects
        if "command" in each
    ]
    return [{row["name"]: row for row in each["rows"]} for each in answers[2::2]]


# On bmg the kernel's arguments travel in registers, which it has used for other things since: they
# are those of the launch that was noted.
@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-bmg-O2"])
def test_what_was_passed_is_known_by_the_callers_frames(debugger, build):
    passed_on, passed, locals_ = frames(debugger, build)
    assert passed_on["b"]["value"] == 3  # in no register
    assert passed_on["b"]["source"] == "recomputed"
    assert passed["p"].get("doubtful") is None
    assert passed["a"].get("doubtful") is None
    assert locals_["i"]["value"] == 0
    assert locals_["i"].get("doubtful") is None


def test_without_optimisation_nothing_is_doubtful(debugger):
    _, arguments, locals_ = frames(debugger, "igc2-dg2-O0")
    _, optimised, _ = frames(debugger, "igc2-dg2-O2")
    assert arguments["p"]["value"] == optimised["p"]["value"]
    assert arguments["a"]["value"] == optimised["a"]["value"]
    assert [each.get("doubtful") for each in (*arguments.values(), *locals_.values())] == [None] * 3
