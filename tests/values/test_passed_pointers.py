"""What a kernel passes on by value or by reference, or gets twice: what may be computed again."""

import pytest

from tests.support.driver.program_debug_hosts import host_program
from tests.support.packed_modules import MODULES

WIDTH, ROW = 40, 3


def device(build):
    return build.split("-")[1]


def printed(finished):
    """The rows of each ``print``."""
    return [each["rows"] for each in finished.objects if each.get("command") == "print"]


def rows(debugger, build, line, kernel, *arguments):
    """What ``print/l sum`` gives where the kernel ends."""
    program = ["zedbg", "kernel", f"{MODULES / 'passed' / build}.zebin:{kernel}"]
    program += ["--global", "64", "--local", "16", *arguments]
    commands = [f"break passed.cl:{line}", "run", "print/l sum"]
    (found,) = printed(debugger.json(commands, program, f"--sim={device(build)}"))
    return found


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-bmg-O2"])
def test_what_is_passed_by_value_is_computed_again(debugger, build):
    arguments = [f"f32[{4 * WIDTH}]=iota", "f32[64]", f"i32={WIDTH}", "local[64]"]
    found = rows(debugger, build, f"19 if row == {ROW}", "by_value", *arguments)
    # Half of each, for that is what a row has from the third one on.
    sums = [sum((ROW * WIDTH + x) / 2 for x in range(lane, WIDTH, 16)) for lane in range(16)]
    assert [each["value"] for each in found] == sums[: len(found)]
    assert not any("doubtful" in each for each in found)


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-bmg-O2"])
def test_what_functions_write_through_a_pointer_in_a_structure_is_computed_again(debugger, build):
    found = rows(debugger, build, 36, "by_reference", "i32[64]", "i32=4")
    assert [each["value"] for each in found] == [lane + sum(range(4)) for lane in range(16)]
    assert not any("doubtful" in each for each in found)


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-bmg-O2"])
def test_what_another_pointer_into_the_same_buffer_changed_is_not_loaded_again(debugger, build):
    program = [str(host_program("overlapping")), str(MODULES / "passed" / f"{build}.zebin")]
    commands = ["break passed.cl:44", "run", "print/l value", "print in", "print out"]
    live = debugger.json([*commands, "generate-core-file core"], program, f"--sim={device(build)}")
    values = printed(live)
    assert [each["value"] for each in values[0]] == [10 * lane for lane in range(16)]
    # A core file knows of the same buffers.
    assert printed(debugger.json(["core-file core", *commands[2:]])) == values


def test_no_address_is_taken_from_the_register_of_another_argument(debugger):
    # igc1 says of both parameters that their address is in the register of what is returned.
    program = ["zedbg", "kernel", f"{MODULES / 'passed' / 'igc1-dg2-O0'}.zebin:ranges"]
    program += ["--global", "8", "--local", "8", "i32[8]", "local[192]"]
    commands = ["break ranges.cl:14", "run", "print/l a.most", "print/l b.most", "explain b"]
    finished = debugger.json(commands, program, "--sim=dg2")
    own, other = ([row["value"] for row in rows] for rows in printed(finished))
    assert own == [10 * lane for lane in range(8)]
    assert other == [10 * (lane ^ 1) for lane in range(8)]
    (explained,) = (each for each in finished.objects if each.get("command") == "explain")
    assert "another argument" in str(explained)
