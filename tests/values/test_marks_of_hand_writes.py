"""What was written by hand is doubted as far as it can reach, and no further: the thread, the
launch, the allocation."""

import pytest

from tests.support.kernels.kernel_folder import launch_of
from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

ITEM = 5  # whose variables are looked at
KERNEL, OTHER = "inlined", "scalars"
AT_LINE = ["break calls.cl:30", "run"]
NEXT_LAUNCH = ["delete", "tbreak calls.cl:30", "continue"]  # of the same kernel: another is between


def shown(debugger, build, commands):
    """Of each ``info locals``: the value of each variable, and why it is doubtful."""
    device = build.split("-")[1]
    folder = MODULES / "truth" / build
    program = module_command("engine.launches_again", folder / KERNEL, folder / OTHER)
    finished = debugger.json(["set breakpoint pending on", *commands], program, f"--sim={device}")
    answers = [each for each in finished.objects if each.get("command") == "info locals"]
    return [
        {row["name"]: (row["value"], row.get("doubtful")) for row in each["rows"]}
        for each in answers
    ]


WRITE = ["set var x = 9", "info locals"]
LOOK = [f"workitem {ITEM}", "info locals"]
RIGHT = {"gid": (5, None), "x": (5, None)}


def right(variables):
    return {name: variables[name] for name in RIGHT}


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc1-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_registers_that_were_written_are_those_of_one_thread_until_it_ends(debugger, build):
    before, mine, another, again = shown(
        debugger,
        build,
        [*AT_LINE, *LOOK, *WRITE, "workitem 40", "info locals", *NEXT_LAUNCH, *LOOK],
    )
    assert right(before) == RIGHT
    assert mine["x"][0] == 9
    assert all("you changed" in doubt for _, doubt in mine.values())
    # It loads x from memory that the written thread may have been led to write to.
    assert another["gid"] == (40, None)
    value, doubt = another["x"]
    assert value == 40 or doubt is not None
    assert right(again) == RIGHT


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc1-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_memory_that_was_written_counts_for_launches_that_begin_later(debugger, build):
    before, now, again = shown(
        debugger,
        build,
        [*AT_LINE, *LOOK, f"set var in[{ITEM}] = 77", "info locals", *NEXT_LAUNCH, *LOOK],
    )
    assert right(before) == RIGHT
    # It had loaded the old value; nothing else that it has depends on memory.
    assert now["gid"] == (5, None)
    assert now["x"][0] == 5
    assert right(again) == {"gid": (5, None), "x": (77, None)}


def test_a_thread_is_changed_in_all_of_its_launch(debugger):
    first, *later = shown(
        debugger,
        "igc2-dg2-O2",
        [*AT_LINE, *LOOK, *WRITE, "stepi", "info locals", "stepi 4", "info locals"],
    )
    assert right(first) == RIGHT
    for each in later:
        assert all(doubt is not None for value, doubt in each.values() if not _missing(value))


def test_other_memory_that_was_written_is_doubted_in_the_whole_launch(debugger):
    # Arguments that the launch passed lie in no allocation of the program.
    write = ["set var $at = (int *)($genstbase + 0x20000)", "set var *$at = *$at", "info locals"]
    first, second, again = shown(
        debugger, "igc2-dg2-O2", [*AT_LINE, *LOOK, *write, *NEXT_LAUNCH, *LOOK]
    )
    assert right(first) == RIGHT
    assert all(doubt is not None for value, doubt in second.values() if not _missing(value))
    assert right(again) == RIGHT


@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O2"])
def test_nothing_is_computed_from_local_memory_that_was_written(debugger, build):
    module = MODULES / "everyday" / build / "scan.zebin"
    program = ["zedbg", "kernel", f"{module}:scan", *launch_of("scan")]
    commands = ["break scan.cl:12", "run", "info locals", "set var work[20] = 7", "info locals"]
    finished = debugger.json(commands, program, f"--sim={build.split('-')[1]}")
    before, after = (
        {row["name"]: row for row in each["rows"]}
        for each in finished.objects
        if each.get("command") == "info locals"
    )
    assert before["total"]["value"] == 0
    assert "doubtful" not in before["total"]
    assert _missing(after["total"]["value"]) or "doubtful" in after["total"]
    assert "doubtful" not in after["own"]


def _missing(value):
    return isinstance(value, dict)
