"""``finish`` shows structures that functions return, or says where they are: compared with the
variables that they are assigned to, in each lane; both compilers, three devices, O0."""

import pytest

from tests.support.packed_modules import MODULES

RETURNS = MODULES / "returns"
BUILDS = sorted(path.stem for path in RETURNS.glob("*.zebin"))
LANES = 8
LAST = 42  # the line after all calls
VALUES = {
    "pair": lambda a: {"a": a, "b": 3 * a},
    "mixed": lambda a: {"c": a, "i": 100 * a, "s": -a},
    "wide": lambda a: {"l": a << 33, "f": a + 0.5},
    "three": lambda a: {"x": a, "y": a + 1, "z": a + 2},
    "inner": lambda a: {"p": {"a": a, "b": a + 1}, "q": a + 2},
    "big": lambda a: {"a": [a, 1, 2, 3, 4, 5, 6, a]},
}
# The older compiler returns 16 bytes in memory; both do so with what is not flat, or larger.
IN_MEMORY = {"igc1": {"wide", "inner", "big"}, "igc2": {"inner", "big"}}


@pytest.mark.cases(2)
@pytest.mark.parametrize("build", BUILDS)
def test_structures_are_shown_as_they_are_assigned(build, debugger):
    compiler, device, _level = build.split("-")
    commands = [f"break make_{name}" for name in VALUES]
    for index in range(len(VALUES)):
        commands += ["continue" if index else "run", "finish/l"]
    # The last call may end where the line after it begins.
    commands += ["stepi", f"tbreak returns.cl:{LAST + 1}", "continue"]
    commands += [f"print/l {name}" for name in VALUES]
    program = ["zedbg", "kernel", f"{RETURNS / build}.zebin", "--global", str(LANES)]
    program += ["--local", str(LANES), f"i32[{LANES}]=iota", f"i64[{LANES}]"]
    finished = debugger.json(commands, program, f"--sim={device}")
    answers = [each for each in finished.objects if "command" in each]
    assert [each["error"] for each in answers if not each["ok"]] == []
    shown = [each["rows"] for each in answers if each["command"] == "finish"]
    assigned = [each["rows"] for each in answers if each["command"] == "print"]
    for name, returned, kept in zip(VALUES, shown, assigned, strict=True):
        truth = [VALUES[name](lane) for lane in range(LANES)]
        assert [row["value"] for row in kept] == truth
        if name in IN_MEMORY[compiler]:
            assert all("memory" in row["value"]["missing"] for row in returned)
        else:
            assert [row["value"] for row in returned] == truth
        assert len(returned) == LANES


def test_both_compilers_are_there():
    assert len(BUILDS) == 5
