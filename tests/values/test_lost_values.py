"""A value whose place the compiler lost is marked where it is shown; ``explain`` says why."""

from tests.support.kernels.kernel_folder import launch_of
from tests.support.packed_modules import MODULES

MODULE = MODULES / "truth" / "igc2-dg2-O2" / "branches_7"
DOUBT = (
    "nothing confirms the compiler's place: it changes in a loop, and which iteration this is is "
    "not known"
)
PROGRAM = ["zedbg", "kernel", f"{MODULE}:branches_7", "--global", "64", "--local", "16"]
PROGRAM += ["u32[128]=random:1", "u64[4096]", "i32=64"]


def test_a_lost_value_is_marked_and_explained(debugger):
    commands = ["break random.cl:406", "run", "print a", "print a + 1", "info locals"]
    commands += ["print/w a", "explain a"]
    finished = debugger.json(commands, PROGRAM)
    answers = [each for each in finished.objects if "command" in each][2:]
    printed, computed, locals_, items, explained = answers
    assert printed["rows"][0]["doubtful"] == DOUBT
    assert computed["rows"][0]["doubtful"] == DOUBT
    (local,) = (each for each in locals_["rows"] if each.get("name") == "a")
    assert local["doubtful"] == DOUBT
    assert items["rows"][0]["doubtful"] == DOUBT
    assert DOUBT in str(explained)


def test_a_lost_value_has_a_mark_in_text(debugger):
    finished = debugger.batch(["break random.cl:406", "run", "print a"], PROGRAM)
    assert any(line.startswith("$1 = ") and line.endswith(" (?)") for line in finished.lines)


def test_a_variable_without_a_value_says_so(debugger):
    module = MODULES / "everyday" / "igc1-dg2-O2" / "decoder.zebin"
    program = ["zedbg", "kernel", f"{module}:decoder", *launch_of("decoder")]
    finished = debugger.json(["break decoder.cl:31", "run", "print decisions"], program)
    (answer,) = (each for each in finished.objects if each.get("command") == "print")
    (row,) = answer["rows"]
    assert row["value"] == {"missing": "the program has not set it"}
