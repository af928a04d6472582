"""The rules of program debug against a scripted device, and both ends against hostile bytes."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.native_programs import native_program

pytestmark = pytest.mark.native

CASES = {
    "xesim_debug_session_events": (
        "attach_before_the_first_context_is_quiet",
        "second_debugger_is_refused_until_the_first_leaves",
        "process_events_follow_the_queues",
        "module_waits_for_its_acknowledge",
        "module_acknowledged_by_address_alone_goes_on",
        "detach_releases_modules_and_threads",
        "read_event_waits_as_long_as_asked",
        "end_of_the_debuggee_is_reported_once_and_in_order",
    ),
    "xesim_debug_session_threads": (
        "stopped_thread_is_accessible_only_after_its_event_was_read",
        "interrupt_of_nothing_is_answered_unavailable",
        "interrupt_is_answered_once_and_makes_threads_accessible_at_once",
        "reason_of_an_illegal_instruction_goes_with_its_stop",
        "what_stopped_by_itself_is_reported_after_the_answer",
        "wildcards_select_threads",
        "thread_that_steps_reports_each_step",
        "every_thread_of_the_device_stops_and_is_read_quickly",
    ),
    "xesim_debug_session_access": (
        "registers_are_those_of_the_stop_and_writes_are_seen",
        "threads_are_read_in_a_row",
        "register_arguments_are_checked",
        "register_sets_are_those_of_the_platform",
        "memory_spaces_keep_their_rules",
    ),
}


def run(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [native_program(program), *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", CASES)
def test_no_case_is_left_out(program: str) -> None:
    assert tuple(run(program, "--list").split()) == CASES[program]


@pytest.mark.parametrize(
    ("program", "case"), [(program, case) for program, cases in CASES.items() for case in cases]
)
def test_session(program: str, case: str) -> None:
    run(program, case)


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_hostile_bytes_end_a_connection_and_nothing_else(seed: str) -> None:
    run("xesim_debug_wire_fuzz", seed, "150")
