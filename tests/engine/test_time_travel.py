"""Moves in the recorded launch of a kernel, in both directions."""

import subprocess

import pytest

from tests.support.engine.debug_double import DebugDouble, stopped_in_kernel
from tests.support.module_command import module_command
from zedbg.engine.engine_errors import TimeTravelError

RESULT = "-0.333333 1 2 3 -4 5 6 7"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_way_leads_to_the_same_state_and_leaves_the_present_as_it_was(seed):
    command = module_command("engine.time_travels", seed, "15")
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert RESULT in done.stdout  # what the program writes after a detach in the past


def test_a_device_that_records_nothing_says_so_in_one_line():
    with stopped_in_kernel(DebugDouble()) as session:
        for move in (
            session.time.step_line,
            session.time.continue_,
            session.time.moment,
            session.time.recording,
            lambda: session.time.go_to(1),
            session.time.add_checkpoint,
            lambda: session.time.go_to_first_where("1"),
        ):
            with pytest.raises(TimeTravelError) as caught:
                move()
            assert str(caught.value) == "Device 1 cannot go back: its driver records no launches."
