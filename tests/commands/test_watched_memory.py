"""Memory that the driver watches: what is said of each access is what the kernel does, forward and
backward."""

import re

import pytest

from tests.support.engine.watched_launches import Hit, hits_of, launched
from zedbg.engine.breakpoints.breakpoint_specs import LaunchSpec
from zedbg.engine.breakpoints.watch import WatchAccess
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.stop_reason import StopReason

GROUPS = 6


def begun(session, kernel, expression, access):
    """Stopped at the beginning of the launch, with memory watched."""
    session.catch(f"launch {kernel}", LaunchSpec(kernel), temporary=True)
    session.continue_()
    return session.watch(expression, location=True, access=access)


def to_the_end(session):
    """The stops at watched memory until the program ends: what each has."""
    stops = []
    while isinstance(stop := session.continue_(), Stop):
        stops.append(hits_of(stop))
    return stops


def back_to_the_beginning(session):
    hits = []
    while (stop := session.time.continue_()).reason is not StopReason.NO_HISTORY:
        hits += hits_of(stop)
    return hits


def test_a_race_is_seen_by_each_read_and_write():
    """Groups count themselves without an atomic: each reads, then writes one more than it read."""
    with launched("races:lost_update", "i32[1]=5") as session:
        begun(session, "lost_update", "count[0]", WatchAccess.ACCESS)
        stops = to_the_end(session)
    hits = [hit for stop in stops for hit in stop]
    read, value = {}, 5
    for hit in hits:
        assert hit.lanes == 1
        if hit.thread not in read:
            assert hit.old == hit.new == str(value)
            read[hit.thread] = value
        else:
            assert hit.old == str(value)
            value = read.pop(hit.thread) + 1
            assert hit.new == str(value)
    assert not read and len(hits) == 2 * GROUPS
    assert value < 5 + GROUPS  # an update was lost

    with launched("races:lost_update", "i32[1]=5") as session:
        begun(session, "lost_update", "count[0]", WatchAccess.ACCESS)
        for expected in stops:
            assert hits_of(session.continue_()) == expected
        backward = back_to_the_beginning(session)
        assert [(hit.thread, hit.lanes) for hit in reversed(backward)] == [
            (hit.thread, hit.lanes) for hit in hits
        ]
        assert [{hit.old, hit.new} for hit in reversed(backward)] == [
            {hit.old, hit.new} for hit in hits
        ]
        session.kill()


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-pvc-O0", "igc2-bmg-O2"])
def test_atomics_of_all_lanes_and_shared_local_memory(build):
    """The histogram of 64 bytes, all 3, in the memory of each of two groups, then in one."""
    arguments = ["u8[64]=3", "u32[256]", "i32=64"]
    sizes = ("--global", "32", "--local", "16")
    with launched("hist:hist", *arguments, build=build, sizes=sizes) as session:
        begun(session, "hist", "h[3]", WatchAccess.WRITE)
        changes = [(hit.old, hit.new) for stop in to_the_end(session) for hit in stop]
    assert changes == [("0", "32"), ("32", "64")]

    with launched("hist:hist", *arguments, build=build, sizes=sizes) as session:
        at_barrier = session.break_at("hist.cl:5")
        stop = session.continue_()
        thread, group = stop.focus.thread, stop.focus.thread.workgroup
        session.breakpoints.delete(at_barrier)
        session.select(thread)
        session.watch("lh[3]", location=True)
        value = lanes = 0
        while isinstance(stop := session.continue_(), Stop):
            assert all(each.workgroup == group for each in stop.groups)
            for hit in hits_of(stop):
                count = hit.lanes.bit_count()
                assert (hit.old, hit.new) == (str(value), str(value + count))
                value, lanes = value + count, lanes + count
        assert lanes == 32


def test_a_condition_and_one_that_is_disabled_or_deleted():
    with launched("races:lost_update", "i32[1]=5") as session:
        watchpoint = begun(session, "lost_update", "count[0]", WatchAccess.WRITE)
        session.breakpoints.set_condition(watchpoint, "count[0] > 5")
        first = hits_of(session.continue_())
        assert [hit.new for hit in first] and all(int(hit.new) > 5 for hit in first)
        session.breakpoints.set_enabled(watchpoint, False)
        assert not isinstance(session.continue_(), Stop)


def test_a_breakpoint_of_the_next_instruction_is_not_passed():
    with launched("races:lost_update", "i32[1]=5") as session:
        watchpoint = begun(session, "lost_update", "count[0]", WatchAccess.WRITE)
        thread = session.continue_().focus.thread
        session.breakpoints.delete(watchpoint)
        place = f"*{thread.pc:#x}"
        again = session.break_at(place)
        session.watch("count[0]", location=True)
        stop = session.continue_()
        assert stop.reason is StopReason.BREAKPOINT and thread in [each.thread for each in stop]
        assert again.hits
        session.kill()


def test_a_step_that_writes_says_so():
    with launched("races:lost_update", "i32[1]=5") as session:
        begun(session, "lost_update", "count[0]", WatchAccess.ACCESS)
        for _ in range(60):
            stop = session.step_instruction()
            if stop.reason is StopReason.WATCHPOINT:
                break
        assert hits_of(stop) == [Hit(stop.focus.thread.id, 1, "5", "5")]
        session.kill()


def test_the_shell_names_them_as_gdb_does(debugger, kernel_command):
    program = kernel_command("vadd", "--global", "64", "--local", "32", "f32[64]=iota", "f32[64]=2",
                             "f32[64]", "i32=64")  # fmt: skip
    commands = ["break vadd.cl:3", "run", "lane 3", "watch -l c[i]", "rwatch b[i]", "awatch a[i]"]
    commands += ["rwatch i + 1", "info watchpoints", "delete 1", *["continue"] * 3]
    done = debugger.batch(commands, program)
    shown = done.out
    for line in (
        "Hardware watchpoint 2: -location c[i]",
        "Hardware read watchpoint 3: b[i]",
        "Hardware access (read/write) watchpoint 4: a[i]",
    ):
        assert line in shown
    assert "i + 1 is not in memory: use watch." in done.out + done.err
    assert re.search(r"^4 +acc watchpoint +keep y +a\[i\]", shown, re.MULTILINE)
    assert re.search(
        r"hit Hardware read watchpoint 3: b\[i\], with lanes? .*\n\nValue = 2\n", shown
    )
    assert re.search(
        r"hit Hardware watchpoint 2: -location c\[i\], .*\n\nOld value = 0\nNew value = 5\n", shown
    )
