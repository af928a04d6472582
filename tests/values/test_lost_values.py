"""``explain`` and ``print`` say of a value whose place the compiler lost which line gave it."""

from tests.support.packed_modules import MODULES

MODULE = MODULES / "truth" / "igc2-dg2-O2" / "branches_7"
REASON = (
    "the value that line 418 gives it has no place in the debug information: "
    "its register has that of line 355"
)


def test_a_lost_value_is_explained(debugger):
    program = ["zedbg", "kernel", f"{MODULE}:branches_7", "--global", "64"]
    program += ["--local", "16", "u32[128]=random:1", "u64[4096]", "i32=64"]
    finished = debugger.json(["break random.cl:419", "run", "explain a", "print a"], program)
    explained, printed = [each for each in finished.objects if "command" in each][2:]
    (row,) = explained["rows"]
    assert [each["where"] for each in row["places"] if each["live"]] == [REASON]
    assert printed["rows"][0]["value"] == {"missing": REASON}
