"""Watching values, not stepping into functions, and printing on the way: compared with what the
kernel computes and stores."""

import struct
import sys
import time

import pytest

from tests.support.engine.unchanging import Unchanging
from tests.support.engine.watched_launches import without_watches
from tests.support.packed_modules import ZEBINS
from zedbg.engine.breakpoints.watch import Watch, WatchAccess
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.sessions import opening

SIZES = ["--global", "8", "--local", "8"]


# p[i] of the kernel `calls` for the work-items with p = iota, from its source.
def leaf(a, b):
    return sum(b ^ i for i in range(a))


def stored(item):
    """What the kernel stores in p[item]."""
    total = leaf(item, 3)
    if item > total:  # p[a] > t, with p[a] == a
        total += leaf(total & 7, item)
    return total + leaf(item, 2)


@pytest.fixture
def calls(kernel_command):
    return kernel_command("calls", *SIZES, "i32[64]=iota", "f32[64]=2")


def of_command(finished, command):
    return [each["rows"] for each in finished.objects if each.get("command") == command]


def stops(finished):
    return [each for each in finished.objects if each.get("event") == "stop"]


def test_a_watched_local_shows_every_value_that_it_takes(debugger, calls):
    """r of leaf(a, 3) is 0, and then grows by 3 ^ i in each lane that still loops."""
    commands = ["break leaf if a == 5", "run", "watch r", *["continue"] * 3, "info breakpoints"]
    finished = debugger.json(commands, calls)
    changes = [stop["changes"] for stop in stops(finished) if stop["reason"] == "watchpoint"]
    assert [{(each["old"], each["new"]) for each in some} for some in changes] == [
        {("0", "3")},
        {("3", "5")},
        {("5", "6")},
    ]
    assert [[each["lane"] for each in some] for some in changes] == [
        [*range(1, 8)],
        [*range(2, 8)],
        [*range(3, 8)],
    ]
    (rows,) = of_command(finished, "info breakpoints")
    assert [(each["type"], each["hits"]) for each in rows] == [
        ("breakpoint", 1),
        ("hw watchpoint", 3),
    ]


def test_a_watched_place_changes_when_the_kernel_stores_to_it(debugger, calls):
    commands = ["break calls.cl:18", "run", "lane 5", "watch -l p[i]", "continue"]
    finished = debugger.json([*commands, "info breakpoints", "continue"], calls)
    (change,) = [stop for stop in stops(finished) if stop["reason"] == "watchpoint"]
    assert change["changes"] == [{"lane": 5, "old": "5", "new": str(stored(5))}]
    (rows,) = of_command(finished, "info breakpoints")
    assert [(each["type"], each["restriction"]) for each in rows] == [
        ("breakpoint", None),
        ("hw watchpoint", None),
    ]


def test_a_driver_that_cannot_watch_has_its_thread_stepped(calls, monkeypatch):
    without_watches(monkeypatch)
    with opening.launch(
        [sys.executable, "-m", "zedbg.frontends.main", *calls[1:]], sim="dg2"
    ) as session:
        session.break_at("calls.cl:18")
        thread = session.continue_().focus.thread
        session.select(thread, 5)
        watched = session.watch("p[i]", location=True)
        with pytest.raises(BreakpointError, match="cannot watch reads"):
            session.watch("p[i]", access=WatchAccess.READ)
        (change,) = session.continue_().group.changes
        assert (change.lane, change.old, change.new) == (5, "5", str(stored(5)))
        assert not watched.watch.by_driver
        session.continue_()
        assert watched not in list(session.breakpoints)


def test_a_condition_of_a_watchpoint_decides(debugger, calls):
    commands = ["break leaf if a == 5", "run", "watch r if r > 5", "continue"]
    (change,) = [s for s in stops(debugger.json(commands, calls)) if s["reason"] == "watchpoint"]
    assert {each["new"] for each in change["changes"]} == {"6"}


def test_watch_says_what_it_cannot_watch(debugger, calls):
    commands = ["break leaf", "run", "watch nothing", "watch -l a + 1", "watch r = 2"]
    finished = debugger.json(commands, calls)
    errors = [each["error"] for each in finished.objects if each.get("ok") is False]
    assert errors[0] == 'No symbol "nothing" in current context.'
    assert "not in memory" in errors[1]
    assert errors[2] == "A watch expression cannot assign."


@pytest.mark.cases(2)
@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc2-dg2-O0"])
@pytest.mark.parametrize(
    ("skip", "lines"),
    [
        (None, ["mid", "leaf"]),
        ("skip leaf", ["mid", "mid"]),
        ("skip -rfu ^l", ["mid", "mid"]),
        ("skip -gfi *.cl -fu mid", ["leaf", "leaf"]),
        ("skip file calls.cl", ["calls", "calls"]),
    ],
)
def test_a_step_does_not_stop_in_what_is_skipped(debugger, kernel_command, build, skip, lines):
    program = kernel_command("calls", *SIZES, "i32[64]=iota", "f32[64]=2", build=build)
    commands = ["break calls.cl:18", "run", *([skip] if skip else []), "step", "step"]
    finished = debugger.json(commands, program)
    assert [stop["function"] for stop in stops(finished)][1:] == lines


def test_skips_are_listed_disabled_and_deleted(debugger, calls):
    start = ["break calls.cl:18", "run", "skip mid", "skip function leaf", "info skip"]
    commands = [*start, "skip disable 1", "skip delete 2", "info skip", "step"]
    finished = debugger.json(commands, calls)
    infos = of_command(finished, "info skip")
    assert [(each["number"], each["function"], each["enabled"]) for each in infos[0]] == [
        (1, "mid", True),
        (2, "leaf", True),
    ]
    assert [(each["number"], each["enabled"]) for each in infos[1]] == [(1, False)]
    assert stops(finished)[-1]["function"] == "mid"


def test_dprintf_prints_what_each_lane_stores(debugger, calls):
    """At line 19 p[i] has been stored."""
    finished = debugger.json(['dprintf calls.cl:19,"%d:%5d|%g\\n",i,p[i],q[i].y', "run"], calls)
    logs = [each for each in finished.objects if each.get("event") == "log"]
    assert not stops(finished)
    shown = {lane: each["text"] for each in logs for lane in each["lanes"]}
    assert shown == {item: f"{item}:{stored(item):5}|2" for item in range(8)}


def test_printf_prints_in_the_focused_lane(debugger, calls):
    commands = ["break leaf", "run", 'printf "%d %s %.2f\\n", b, "text", 2.5', 'printf "%d"']
    finished = debugger.json(commands, calls)
    printed, refused = [each for each in finished.objects if each.get("command") == "printf"]
    assert printed["rows"] == [{"text": "3 text 2.50"}]
    assert refused["error"] == "Wrong number of arguments for specified format-string"


def test_floats_in_memory_are_watched_as_floats(debugger, calls):
    commands = ["break calls.cl:20", "run", "watch q[i].x", "continue"]
    (stop,) = [s for s in stops(debugger.json(commands, calls)) if s["reason"] == "watchpoint"]
    assert stop["changes"]
    for change in stop["changes"]:
        (expected,) = struct.unpack("<f", struct.pack("<f", 2.0 * stored(change["lane"]) + 1))
        assert float(change["new"]) == expected


@pytest.mark.cases(1)
@pytest.mark.parametrize("locking", ["off", "step", "on"])
def test_values_are_watched_in_several_threads_at_once(debugger, kernel_command, locking):
    """Each of two threads of 8 lanes computes r of leaf(a, 3), which begins with 3 ^ 0."""
    program = kernel_command(
        "calls", "--global", "16", "--local", "16", "i32[64]=iota", "f32[64]=2"
    )
    start = [f"set scheduler-locking {locking}", "break leaf", "run", "delete"]
    start += ["watch r", "thread 1.2", "watch r"]
    finished = debugger.json([*start, *["continue"] * 4], program)
    first = {}
    for stop in stops(finished):
        for each in (stop, *stop["others"]) if stop["reason"] == "watchpoint" else ():
            first.setdefault(each["threads"][0]["id"], each["changes"][0]["new"])
    # With locking on, only the thread in focus goes on.
    assert list(first.values()) == (["3"] if locking == "on" else ["3", "3"])


def test_watching_ends_when_its_time_is_over():
    module = ZEBINS / "igc2-dg2-O2" / "endless.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(module)]
    sizes = ["--global", "16", "--local", "16", "i32[1]=0", "i32[16]"]
    with opening.launch([*program, *sizes], sim="dg2") as session:
        session.break_at("endless")
        thread = session.continue_().focus.thread
        session.breakpoints.delete(next(iter(session.breakpoints)))
        watchpoint = session.breakpoints.add_watch("nothing", Watch(thread, Unchanging()))
        before = time.monotonic()
        assert session.continue_(timeout=0.5) is None
        assert 0.4 < time.monotonic() - before < 5
        assert thread.is_stopped
        assert watchpoint.hits == 0
        session.kill()
