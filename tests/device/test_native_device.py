"""The bare device: native programs that check themselves, of debug control one case a process."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS

pytestmark = pytest.mark.native

MODULE = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
CASES = [
    "breakpoint_stops_every_thread",
    "step_executes_one_instruction",
    "pause_gets_into_an_endless_loop",
    "every_resident_group_goes_on",
    "a_debugger_comes_into_a_launch",
    "a_launch_without_a_debugger_is_saved_and_restored",
    "a_fault_without_a_debugger_loses_the_launch",
    "waiting_for_a_debugger_costs_nothing",
    "groups_are_dispatched_past_a_stopped_thread",
    "fault_stops_the_thread_and_then_loses_the_launch",
    "a_jump_out_of_all_code_is_a_page_fault",
    "a_barrier_that_cannot_complete_loses_the_launch",
    "launches_on_different_slices_stop_at_once",
    "launches_on_different_slices_are_lost_for_reasons_of_their_own",
    "state_base_addresses_locate_the_code",
]


@pytest.mark.parametrize("case", CASES)
def test_debug_control(case: str) -> None:
    program = native_program("xesim_device_debug_control")
    done = subprocess.run([program, case, MODULE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_every_case_is_run() -> None:
    program = native_program("xesim_device_debug_control")
    listing = subprocess.run([program, "--list"], check=True, capture_output=True, text=True)
    assert listing.stdout.split() == CASES


def test_memory_and_surfaces_are_the_same_in_every_process() -> None:
    program = native_program("xesim_device_memory")
    runs = [subprocess.run([program], capture_output=True, text=True) for _ in range(2)]
    assert all(done.returncode == 0 for done in runs), runs[0].stderr
    assert runs[0].stdout == runs[1].stdout


def test_memory_of_the_program_is_looked_at_without_signals() -> None:
    program = native_program("xesim_device_program_memory")
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
