"""``info args`` of kernels: from the payload, as the host passed them, where debug information is
missing or has no value."""

import pytest

COMMAND = ["vadd", "--global", "64", "--local", "16", "f32[64]", "f32[64]", "f32[64]", "i32=37"]


@pytest.fixture
def stopped(debugger, kernel_command):
    program = kernel_command(*COMMAND, build="igc2-dg2-nodebug")

    def commands(*wanted):
        objects = debugger.json(["break vadd", "run", *wanted], program).objects
        return {each["command"]: each for each in objects if "command" in each}

    return commands


def test_values_and_types_at_the_kernels_beginning(stopped):
    rows = stopped("info args")["info args"]["rows"]
    assert [row["type"] for row in rows[:3]] == ["float*"] * 3
    assert (rows[3]["name"], rows[3]["value"], rows[3]["size"]) == ("n", 37, 4)
    addresses = [row["value"] for row in rows[:3]]
    assert len(set(addresses)) == 3 and all(isinstance(each, int) for each in addresses)


def test_what_came_in_a_register_is_known_while_nothing_has_written_there(stopped):
    rows = stopped("stepi", "info args")["info args"]["rows"]
    first = stopped("info args")["info args"]["rows"]
    assert [row["value"] for row in rows] == [row["value"] for row in first]
    assert rows[3]["value"] == 37


def test_what_was_passed_is_shown_where_optimised_code_has_no_value_any_more(
    debugger, kernel_command
):
    commands = ["break vadd.cl:4", "run", "info args"]
    optimised = debugger.json(commands, kernel_command(*COMMAND, build="igc2-dg2-O2")).objects
    whole = debugger.json(commands, kernel_command(*COMMAND, build="igc2-dg2-O0")).objects
    found, expected = (
        next(each["rows"] for each in objects if each.get("command") == "info args")
        for objects in (optimised, whole)
    )
    assert [row["value"] for row in found] == [row["value"] for row in expected]
    assert {row["source"] for row in found} <= {"recomputed", "register"}
    assert {row["source"] for row in expected} == {"memory"}
