"""Kernels with one planted bug each, found by a script of at most eight commands: what the commands
show says what is wrong."""

import pytest

from tests.support.kernels.planted_bugs import BUGS, FOLDER, FOLDER_OF_MODULES


def test_every_kernel_has_its_script():
    assert {path.stem for path in FOLDER.glob("*.cl")} == set(BUGS)
    assert all(len(script) <= 8 for _, script, _ in BUGS.values())


@pytest.mark.parametrize("name", BUGS)
@pytest.mark.cases(3)
def test_a_short_script_shows_what_is_wrong(debugger, name):
    launch, script, shown = BUGS[name]
    program = ["zedbg", "kernel", str(FOLDER_OF_MODULES / f"{name}.zebin"), *launch]
    done = debugger.batch([*script], program)
    for text in shown:
        assert text in done.out
    assert done.err == ""
