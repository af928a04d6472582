"""Values that the driver watches wherever they lie: it reports what stepping the thread finds."""

import re
from functools import partial

import pytest

from tests.support.engine.watched_launches import launched, without_watches
from tests.support.packed_modules import MODULES, ZEBINS
from zedbg.engine.breakpoints.breakpoint_specs import LaunchSpec
from zedbg.engine.breakpoints.expression_sample import ExpressionSample
from zedbg.engine.engine_errors import PastError
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.values.formats.formatting import without_mark

COMPUTED = [
    ("prefix:prefix_hs", "igc2-dg2-O2", "prefix.cl:8", "o"),
    ("prefix:prefix_hs", "igc2-dg2-O2", "prefix.cl:8", "l + s"),
    ("reduce:reduce_slm", "igc2-bmg-O2", "reduce.cl:6", "l * n"),
    ("reduce:reduce_slm", "igc2-bmg-O2", "reduce.cl:6", "s"),
    ("diverge:diverge", "igc2-dg2-O2", "diverge.cl:10", "acc"),
    ("diverge:diverge", "igc2-dg2-O2", "diverge.cl:10", "x"),
    ("mandel:mandel", "igc2-dg2-O2", "mandel.cl:7", "zr"),
    ("mandel:mandel", "igc2-dg2-O2", "mandel.cl:7", "x"),
    ("mandel:mandel", "igc2-dg2-O2", "mandel.cl:7", "i"),
]
COMPUTED_ARGUMENTS = {
    "prefix": ["i32[32]=iota", "i32[32]"],
    "reduce": ["f32[32]=iota", "f32[2]", "local[64]", "i32=32"],
    "diverge": ["i32[32]=2", "i32[32]=iota", "i32=32"],
    "mandel": ["u8[64]", "i32=16", "i32=1", "f32=0.1", "f32=0.1", "f32=0.2", "i32=12"],
}
COMPUTED_SIZES = ["--global", "16", "--local", "16"]
HIST = ["u8[64]=3", "u32[256]", "i32=64"]
HIST_SIZES = ["--global", "32", "--local", "16"]


def stopped(session, kernel):
    session.catch(f"launch {kernel}", LaunchSpec(kernel), temporary=True)
    return session.continue_().focus.thread


def changes_of(session, thread, move):
    """Where ``thread`` was at each stop for a watched value, and what changed; the last stop."""
    found = []
    while isinstance(stop := move(), Stop) and stop.reason is StopReason.WATCHPOINT:
        hits = [(each.lane, each.old, each.new) for group in stop.groups for each in group.changes]
        found.append((thread.pc, hits))
    return found, stop


@pytest.mark.parametrize(
    "kernel,build,expression",
    [
        ("calls", "igc2-dg2-O0", "i"),
        ("hist", "igc2-dg2-O2", "$r12.d[3]"),
        ("hist", "igc2-dg2-O2", "$f0"),
    ],
)
def test_driver_and_stepping_find_the_same_changes_in_both_directions(
    kernel, build, expression, monkeypatch
):
    arguments = HIST if kernel == "hist" else ["i32[64]=iota", "f32[64]=2"]
    launch = partial(launched, f"{kernel}:{kernel}", *arguments, build=build, sizes=HIST_SIZES)
    with launch() as session:
        thread = stopped(session, kernel)
        watchpoint = session.watch(expression)
        assert watchpoint.watch.by_driver
        forward, last = changes_of(session, thread, session.continue_)
        assert forward
        # It stands in front of its last instruction, and the watchpoint has ended.
        assert last.reason is StopReason.WATCHPOINT_SCOPE
        assert thread.device.code.instruction(thread.pc).ends_thread
        assert watchpoint not in list(session.breakpoints)
        session.watch(expression)
        backward, _ = changes_of(session, thread, session.time.continue_)
        # The earliest are of the time before it was watched.
        undone = [[(lane, new, old) for lane, old, new in each] for _, each in reversed(backward)]
        assert undone[len(undone) - len(forward) :] == [each for _, each in forward]
        session.kill()

    without_watches(monkeypatch)
    with launch() as session:
        thread = stopped(session, kernel)
        assert not session.watch(expression).watch.by_driver
        stepped, last = changes_of(session, thread, session.continue_)
        assert last.reason is StopReason.WATCHPOINT_SCOPE
        assert stepped == forward
        session.kill()


FORMS = {
    "*(to + at)": {},  # also in a function that is called, and in some lanes only
    "to[at]": {"lane": 3},
    "to[at] * 1": {"condition": "k > 1"},
    "from[gid] + to[at]": {"work_item": (19, 0, 0)},
    "own": {},
    "own.sum": {},
    "at + own.n": {},
    "to[at] ": {"location": True, "lane": 3},
    "to[at]  ": {"location": True, "work_item": (19, 0, 0)},
}
# Of a variable that is computed again by the line: compilers mix the instructions of several lines,
# between which stepping sees it change there and back.
MIXED = ("own", "own.sum", "at + own.n")
LOCAL_FORMS = {
    "tile[lid]": {},
    "tile[3]": {"location": True},  # lane 3 writes it
    "tile[3] ": {"location": True, "lane": 3},
    "tile[3]  ": {"location": True, "lane": 4},
}


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "build,forms",
    [
        ("igc2-dg2-O0", FORMS | LOCAL_FORMS),
        ("igc2-dg2-O2", FORMS | LOCAL_FORMS),
        ("igc1-pvc-O0", FORMS),  # says nothing of local memory
    ],
)
def test_all_forms_change_alike_by_the_driver_and_by_stepping(build, forms, monkeypatch):
    arguments = ["f32[64]", "f32[32]=iota", "i32=5"]
    sizes = ["--global", "32", "--local", "16"]
    folder = MODULES / "watched"

    def hits():
        """Of each form: where, by which lanes, what they changed."""
        with launched("watched:watched", *arguments, build=build, sizes=sizes, folder=folder) as s:
            s.break_at("watched.cl:20", temporary=True)
            s.select(s.continue_().focus.thread)
            numbers = {s.watch(form, **options).number: form for form, options in forms.items()}
            found = {form: [] for form in forms}
            ends = (StopReason.WATCHPOINT, StopReason.WATCHPOINT_SCOPE, StopReason.THREAD_ENDED)
            while isinstance(stop := s.continue_(), Stop) and stop.reason in ends:
                for group in stop.groups:
                    if group.changes:
                        (actor,) = group.threads
                        changes = [
                            (each.lane, without_mark(each.old), without_mark(each.new))
                            for each in group.changes
                        ]
                        made = actor.thread.id, actor.thread.pc, actor.lanes, sorted(changes)
                        found[numbers[group.breakpoint.number]].append(made)
            return found

    by_driver = hits()
    without_watches(monkeypatch)
    by_stepping = hits()
    silent = {form for form, seen in by_driver.items() if not seen}
    for form in MIXED if build.endswith("O2") else ():
        found, stepped = (
            {(lane, new) for *_, changes in some.pop(form) for lane, _, new in changes}
            for some in (by_driver, by_stepping)
        )
        assert found and found <= stepped
    assert by_stepping == by_driver
    assert silent == {"tile[3]  "} & set(forms)


def test_going_back_all_lanes_that_a_called_function_wrote_for_are_seen():
    arguments = ["f32[64]", "f32[32]=iota", "i32=5"]
    options = {"sizes": ["--global", "32", "--local", "16"], "folder": MODULES / "watched"}
    with launched("watched:watched", *arguments, build="igc2-dg2-O0", **options) as session:
        session.break_at("watched.cl:20", temporary=True)
        thread = session.continue_().focus.thread
        session.watch("*(to + at)")
        forward, last = changes_of(session, thread, session.continue_)
        assert last.reason is StopReason.WATCHPOINT_SCOPE
        inside = [
            hits for _, hits in forward if [lane for lane, _, _ in hits] == [1, 2, 3, 4, 6, 7]
        ]
        assert len(inside) == 4  # three times in the function, then by the kernel
        session.watch("*(to + at)")
        backward, _ = changes_of(session, thread, session.time.continue_)
        undone = [[(lane, new, old) for lane, old, new in each] for _, each in reversed(backward)]
        assert undone == [each for _, each in forward]
        again, _ = changes_of(session, thread, session.continue_)
        assert again == forward
        session.kill()


@pytest.mark.cases(1)
@pytest.mark.parametrize("kernel,build,place,expression", COMPUTED)
def test_a_value_that_is_computed_again_changes_where_stepping_finds_it(
    kernel, build, place, expression, monkeypatch
):
    """The driver stops the thread only where the value can become another one."""
    arguments = COMPUTED_ARGUMENTS[kernel.partition(":")[0]]
    launch = partial(launched, kernel, *arguments, build=build, sizes=COMPUTED_SIZES)
    evaluated = 0
    called = ExpressionSample.__call__

    def counted(sample, thread):
        nonlocal evaluated
        evaluated += 1
        return called(sample, thread)

    def walked():
        nonlocal evaluated
        session.break_at(place, temporary=True)
        thread = session.continue_().focus.thread
        session.watch(expression)
        evaluated = 0
        changes, _ = changes_of(session, thread, session.continue_)
        # The mark of an old value is of when it was evaluated last: stepping does so more often.
        plain = [
            [(lane, old.removesuffix(" (?)"), new) for lane, old, new in each]
            for _, each in changes
        ]
        return [sorted(each) for each in plain], evaluated

    monkeypatch.setattr(ExpressionSample, "__call__", counted)
    with launch() as session:
        found, looked_at = walked()
        session.kill()
    without_watches(monkeypatch)
    with launch() as session:
        stepped, steps = walked()
        session.kill()
    assert found == stepped
    assert looked_at < steps


def test_one_lane_one_work_item_and_a_range_of_shared_local_memory():
    with launched("hist:hist", *HIST, build="igc2-pvc-O0", sizes=HIST_SIZES) as session:
        session.break_at("hist.cl:5", temporary=True)
        stop = session.continue_()
        session.select(stop.focus.thread)
        group = stop.focus.thread.workgroup
        whole = session.watch("*(char (*)[16])(@slm 0)", location=True)
        own = session.watch("lh[3]", location=True, lane=2)
        item = session.watch("h[3]", location=True, work_item=(3, 0, 0))
        seen = {whole.number: [], own.number: [], item.number: []}
        while isinstance(stop := session.continue_(), Stop):
            assert all(each.workgroup == group for each in stop.groups)
            assert stop.breakpoint is stop.groups[0].breakpoint
            for each in stop.groups:
                seen[each.breakpoint.number].append(each.threads[0].lanes)
        assert len(seen[whole.number]) > 0
        assert whole.hits >= own.hits > 0 and item.hits == 1
        assert len(seen[own.number]) == own.hits
        assert all(lanes & 4 for lanes in seen[own.number])


def test_the_shell_takes_lanes_and_work_items(debugger, kernel_command):
    program = kernel_command("calls", "--global", "8", "--local", "8", "i32[64]=iota", "f32[64]=2")
    commands = ["break leaf if a == 5", "run", "watch -lane 6 r", "continue", "watch -lane 9 r"]
    commands += ["watch -lane 1 -workitem 3 r", "watch -workitem 3,0,0 b", "watch $pc", "continue"]
    done = debugger.batch(commands, program)
    assert re.search(r"hit Hardware watchpoint 2: r, with lane 6\n\nOld value = 0\nNew", done.out)
    said = done.out + done.err
    assert "Thread 1.1 has no work-item in lane 9." in said
    assert "A work-item is one lane: give -lane or -workitem." in said
    assert "Hardware watchpoint 3: b" in said
    assert "Watchpoint 4: $pc" in said
    assert "by stepping thread 1.1: continue is slow, and what other threads write is not" in said


def test_another_thread_that_changes_a_followed_value_is_named():
    """Each group counts itself in the same element; the last one waits for its turn. A value that
    is made from it lies nowhere itself."""
    with launched("races:lost_update", "i32[1]=5") as session:
        session.break_at("lost_update", temporary=True)
        session.continue_()
        thread = session.stopped_threads()[-1]
        session.select(thread)
        watchpoint = session.watch("count[0]")
        made = session.watch("count[0] + 1")
        assert watchpoint.watch.by_driver and made.watch.by_driver
        threads = set()
        while (stop := session.continue_()).reason is StopReason.WATCHPOINT:
            threads |= {each.thread.id for each in stop}
        assert stop.reason is StopReason.WATCHPOINT_SCOPE
        assert len(threads) > 1 and thread.id in threads

        # Back again: the one that is made from it changes with it, by the same instruction.
        watchpoint = session.watch("count[0]", location=True)
        made = session.watch("count[0] + 1", lane=0)
        changed = []
        while (stop := session.time.continue_()).reason is StopReason.WATCHPOINT:
            place, value = stop.groups
            assert (place.breakpoint, value.breakpoint) == (watchpoint, made)
            (before,) = place.changes
            assert all(
                (int(each.old), int(each.new)) == (int(before.old) + 1, int(before.new) + 1)
                for each in value.changes
            )
            changed.append(stop.focus.thread.id)
        assert len(set(changed)) > 1 and thread.id in changed

        # With scheduler locking, only what the focused thread did counts.
        session.time.go_to_present()
        session.select(thread)
        session.settings.scheduler_locking = SchedulerLocking.ON
        stop = session.time.continue_()
        assert [each.breakpoint for each in stop.groups] == [watchpoint, made]
        assert stop.focus.thread is thread
        assert session.time.continue_().reason is StopReason.NO_HISTORY
        session.kill()


def test_the_first_moment_at_which_work_items_disagree():
    """All lanes agree on i until the thread has stored it: the instruction before it did not."""
    arguments = ["i32[64]=iota", "f32[64]=2"]
    sizes = ["--global", "8", "--local", "8"]
    with launched("calls:calls", *arguments, build="igc2-dg2-O0", sizes=sizes) as session:
        stopped(session, "calls")
        session.break_at("calls.cl:20", temporary=True)
        thread = session.continue_().focus.thread
        session.time.go_to_first_where("i", differs=True)
        assert session.time.is_in_past
        assert {value.number for _, value in thread.evaluate("i")} == set(range(8))
        session.time.step_instruction()
        assert len({value.number for _, value in thread.evaluate("i")}) == 1
        with pytest.raises(PastError):
            session.time.set_recording(True, 1 << 20)
        assert session.time.go_to_first_where("p", differs=True) is None
        session.kill()


def test_what_only_the_last_instruction_made_true_holds_in_the_present():
    arguments = ["i32[64]=iota", "f32[64]=2"]
    sizes = ["--global", "8", "--local", "8"]
    with launched("calls:calls", *arguments, build="igc2-dg2-O0", sizes=sizes) as session:
        thread = stopped(session, "calls")
        session.watch("i")
        session.continue_()  # to where it has just been stored
        here = thread.pc
        assert session.time.go_to_first_where("i == 3") is not None
        assert thread.pc == here
        assert session.time.go_to_first_where("i == 8") is None
        session.kill()


def test_the_first_moment_at_which_work_items_of_different_threads_disagree(debugger):
    """Each group has one thread, whose lanes have one local variable; those of groups differ."""
    program = ["zedbg", "kernel", f"{ZEBINS / 'igc2-dg2-O0' / 'races'}.zebin:with_barrier"]
    program += ["--global", "16", "--local", "8", "i32[16]"]
    commands = ["tbreak races.cl:16", "run"]
    searches = ["first/d value", "first/da value", "print value", "info threads"]
    searches += ["first/da item", "when", "first/da out", "first/a value"]
    done = debugger.batch([*commands, *searches], program)
    assert "$1 = 107" in done.lines
    assert re.search(r"^\* 1\.2.*\(1,0,0\) .*races\.cl:16$", done.out, re.M)
    assert re.search(r"^Time \d+ of launch 1 \(with_barrier\), in the past", done.out, re.M)
    assert done.err.splitlines() == [
        "value has one value in all lanes, at each time of the thread that is recorded.",
        "out has one value in all work-items, at each statement.",
        "/a is for different values alone. Use: first/da EXPRESSION",
    ]
