"""Which threads run with the focused one: all, none during a step, none at all."""

import pytest

# Eight threads of eight lanes, in two work-groups: the breakpoint at line 4 is after line 2.
AT_4 = "break vadd.cl:4 thread 1.5"


def stops(finished):
    return [each for each in finished.objects if each.get("event") == "stop"]


def places(finished):
    """Where each thread is, from the last ``info threads``."""
    listed = [each for each in finished.objects if each.get("command") == "info threads"][-1]
    return {row["id"]: row["line"] for row in listed["rows"]}


def test_a_step_keeps_to_its_thread(debugger, vadd):
    done = debugger.json(["break vadd", AT_4, "run", "next", "next", "info threads"], vadd)
    assert [stop["reason"] for stop in stops(done)] == ["breakpoint", "step", "step"]
    lines = places(done)
    assert len(lines) == 8 and set(lines.values()) == {lines["1.1"], lines["1.2"]}
    assert lines["1.1"] != lines["1.2"]


def test_with_locking_off_others_run_during_a_step_and_their_breakpoints_count(debugger, vadd):
    done = debugger.json(
        ["set scheduler-locking off", "break vadd", AT_4, "run", "next", "next", "next"], vadd
    )
    hits = [stop for stop in stops(done) if stop["breakpoint"] == 2]
    assert len(hits) == 1 and hits[0]["threads"][0]["id"] == "1.5"


def test_with_locking_off_a_step_without_others_in_the_way_ends_where_it_should(debugger, vadd):
    done = debugger.json(["set scheduler-locking off", "break vadd", "run", "next", "next"], vadd)
    lines = [stop["line"] for stop in stops(done)]
    assert len(set(lines)) == 3 and lines == sorted(lines)
    assert {stop["threads"][0]["id"] for stop in stops(done)[1:]} == {"1.1"}


def test_with_locking_on_continue_moves_the_focused_thread_alone(debugger, vadd):
    done = debugger.json(
        [
            *["set scheduler-locking on", "break vadd", "break vadd.cl:4", "run", "continue"],
            *["info threads", "continue", "set scheduler-locking step", "delete", "continue"],
        ],
        vadd,
    )
    start, hit, ended = stops(done)
    assert (hit["breakpoint"], [each["id"] for each in hit["threads"]]) == (2, ["1.1"])
    assert set(places(done).values()) == {start["line"], 4}
    assert ended["reason"] == "thread-ended"
    assert [each["code"] for each in done.objects if each.get("event") == "exit"] == [0]


@pytest.mark.parametrize("value", ["", "maybe", "ON"])
def test_what_the_setting_does_not_take_is_one_line(debugger, value):
    done = debugger.batch([f"set scheduler-locking {value}"], ["true"])
    assert done.err == '"set scheduler-locking" takes off or step or on.\n'
