"""Variables of optimised code that lie nowhere: they have values, and cannot be written to."""

from tests.support.kernels.kernel_folder import launch_of
from tests.support.packed_modules import MODULES


def test_a_variable_that_lies_nowhere_is_not_written(debugger):
    module = MODULES / "everyday" / "igc1-dg2-O2" / "transpose.zebin"
    program = ["zedbg", "kernel", f"{module}:transpose", *launch_of("transpose")]
    # The compiler says what lx is, and nothing of y.
    commands = ["break transpose.cl:13", "run", "set var lx = 1", "set var y = 1", "print/l lx"]
    finished = debugger.json(commands, program, "--sim=dg2")
    errors = [each["error"] for each in finished.objects if "error" in each]
    assert [each.split()[0] for each in errors] == ["lx", "y"]
    assert all("has no place here: its value is computed." in each for each in errors), errors
    (rows,) = [each["rows"] for each in finished.objects if each.get("command") == "print"]
    assert [each["value"] for each in rows] == list(range(8)) * (len(rows) // 8)
