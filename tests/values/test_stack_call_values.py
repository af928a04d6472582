"""Frames of real stack calls: with -O2 what nothing confirms is marked, as in a kernel."""

from tests.support.packed_modules import MODULES

PASSED = "nothing confirms the compiler's place: it depends on what was passed in a call"


def frames(debugger, build):
    """The rows of the arguments of ``mid``, and those of the locals of the kernel that calls it."""
    module = MODULES / "zebin" / build / "calls.zebin"
    program = ["zedbg", "kernel", f"{module}:calls", "--global", "32", "--local", "16"]
    program += ["i32[32]=random:1", "f32[128]"]
    commands = ["break calls.cl:5", "run", "up", "info args", "up", "info locals"]
    answers = [each for each in debugger.json(commands, program).objects if "command" in each]
    return [{row["name"]: row for row in each["rows"]} for each in (answers[3], answers[5])]


def test_what_was_passed_is_marked_and_what_can_be_computed_is_not(debugger):
    arguments, locals_ = frames(debugger, "igc2-dg2-O2")
    assert arguments["a"]["doubtful"] == PASSED
    assert arguments["p"]["doubtful"] == PASSED
    assert locals_["i"]["value"] == 0
    assert locals_["i"].get("doubtful") is None


def test_without_optimisation_nothing_is_doubtful(debugger):
    arguments, locals_ = frames(debugger, "igc2-dg2-O0")
    optimised, _ = frames(debugger, "igc2-dg2-O2")
    assert arguments["a"]["value"] == optimised["a"]["value"]
    assert [each.get("doubtful") for each in (*arguments.values(), *locals_.values())] == [None] * 3
