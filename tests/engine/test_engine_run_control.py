"""Run control over a double of program debug: stops, breakpoints, steps, interrupts, exits."""

import threading
import time

import pytest

from tests.support.engine.debug_double import DebugDouble, opened
from zedbg.engine import Exited, Session, SessionState, Stop, StopReason
from zedbg.engine.breakpoints.breakpoint import BreakpointChanged
from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange, ModuleSpec
from zedbg.engine.engine_errors import BreakpointError, NoThreadError, NotRunningError
from zedbg.engine.events.notifications import FocusChanged, ModuleLoaded
from zedbg.engine.ground.notifier import Message

pytestmark = pytest.mark.usefixtures("short_reads")


@pytest.fixture
def session(double, process):
    session = Session(lambda _pid, _patience: opened(double))
    double.load_module()
    session.attach(process.pid)
    yield session
    session.close()


def bits_in(double):
    """Addresses of instructions that carry a breakpoint bit, less those of the compiler."""
    clean = DebugDouble()
    return [
        i for i, (now, was) in enumerate(zip(double.code, clean.code, strict=True)) if now != was
    ]


def run(session, double):
    """Lets the program dispatch its kernel while the session waits."""
    threading.Timer(0.05, double.dispatch).start()
    return session.continue_(timeout=10)


def test_all_threads_that_hit_a_breakpoint_are_one_stop(session, double):
    breakpoint_ = session.break_at("vadd")
    stop = run(session, double)
    assert isinstance(stop, Stop)
    assert stop.reason is StopReason.BREAKPOINT
    assert stop.breakpoint is breakpoint_
    assert [group.workgroup for group in stop.groups] == [(n, 0, 0) for n in range(4)]
    assert [hit.thread.id for hit in stop] == ["1.1", "1.2", "1.3", "1.4"]
    assert {hit.lanes for hit in stop} == {0x0F}
    assert stop.location.kernel == "vadd"
    assert stop.location.line is not None
    assert breakpoint_.hits == 4
    assert double.calls["interrupt"] == 2  # one to attach, one to stop


def test_module_is_acknowledged_with_pending_breakpoints_in(double, process):
    session = Session(lambda _pid, _patience: opened(double))
    pending = session.break_at("vadd.cl:4")
    assert pending.pending
    seen = []
    double.acknowledge = lambda event: seen.append(list(bits_in(double)))
    subscription = session.subscribe()
    double.load_module()
    session.attach(process.pid)
    assert not pending.pending
    assert seen == [bits_in(double)] and len(seen[0]) == 1
    kinds = [type(n) for n in subscription.drain()]
    assert kinds.index(BreakpointChanged) < kinds.index(ModuleLoaded)
    session.close()


def test_module_that_cannot_be_read_is_acknowledged_all_the_same(double, process):
    double.elf = b"\x7fELF" + bytes(20)
    session = Session(lambda _pid, _patience: opened(double))
    session.break_at("vadd")
    subscription = session.subscribe()
    double.load_module()
    session.attach(process.pid)
    assert len(double.acknowledged) == 1
    assert any(isinstance(n, Message) and "cannot be read" in n.text for n in subscription.drain())
    session.close()


def test_memory_never_shows_own_breakpoints_and_writes_keep_them(session, double):
    address = session.break_at("vadd").locations or session.break_at("vadd")
    place = address[0]
    device = place.device
    clean = DebugDouble().code
    start = place.address - double.section.address
    assert double.code[start : start + 16] != clean[start : start + 16]
    shown = device.read_memory(place.address, 16)
    assert shown == bytes(clean[start : start + 16])
    device.write_memory(place.address, shown)
    assert double.code[start : start + 16] != clean[start : start + 16]


def test_continue_steps_over_the_breakpoint_and_the_threads_end(session, double):
    session.break_at("vadd")
    run(session, double)
    assert session.continue_(timeout=0.3) is None
    assert {thread.state for thread in double.threads} == {"ended"}
    assert session.state is SessionState.RUNNING


def test_two_breakpoints_stop_one_after_the_other(session, double):
    first = session.break_at("vadd")
    second = session.break_at(f"*{first.locations[0].address + 64}")
    assert run(session, double).breakpoint is first
    assert session.continue_(timeout=5).breakpoint is second


def test_condition_keeps_the_lanes_where_it_is_true(session, double):
    asked = []

    hit = session.break_at("vadd", condition="$_thread == 3 && (1 <= $_lane && $_lane <= 2)")
    real = hit.condition.lanes
    hit.condition.lanes = lambda thread, lanes: asked.append(lanes) or real(thread, lanes)
    stop = run(session, double)
    assert [(hit.thread.id, hit.lanes) for hit in stop] == [("1.3", 0b0110)]
    assert stop.focus.thread.number == 3
    assert session.focus.lane == 1
    assert asked == [0x0F] * 4
    # Those where it is false stopped with it: they wait for the next continue, as all do.
    assert [t.state for t in double.threads] == ["stopped"] * 4


def test_thread_and_lane_filters_and_ignore_counts(session, double):
    breakpoint_ = session.break_at("vadd", thread=(1, 2), lane=3)
    stop = run(session, double)
    assert [(hit.thread.id, hit.lanes) for hit in stop] == [("1.2", 0b1000)]
    assert breakpoint_.hits == 1


def test_ignore_count_lets_that_many_threads_pass(session, double):
    breakpoint_ = session.break_at("vadd")
    breakpoint_.ignore_count = 3
    stop = run(session, double)
    assert len(stop.threads) == 1
    assert (breakpoint_.hits, breakpoint_.ignore_count) == (4, 0)


def test_temporary_breakpoint_is_gone_after_its_hit(session, double):
    session.break_at("vadd", temporary=True)
    run(session, double)
    assert len(session.breakpoints) == 0
    assert bits_in(double) == []


def test_disabling_and_deleting_take_the_bit_out(session, double):
    breakpoint_, other = session.break_at("vadd"), session.break_at("vadd")
    assert len(bits_in(double)) == 1
    session.breakpoints.set_enabled(breakpoint_, False)
    assert len(bits_in(double)) == 1  # the other one is still there
    session.breakpoints.delete(other)
    assert bits_in(double) == []
    session.breakpoints.set_enabled(breakpoint_, True)
    assert len(bits_in(double)) == 1


def test_a_line_without_code_moves_to_the_next_and_says_so(process):
    double = DebugDouble("igc2-dg2-O0/mandel")  # its source has no code at line 2
    session = Session(lambda _pid, _patience: opened(double))
    double.load_module()
    session.attach(process.pid)
    breakpoint_ = session.break_at("mandel.cl:2")
    assert [place.code.line for place in breakpoint_.locations] == [3]
    assert breakpoint_.note == "No code at line 2: moved to line 3."
    session.close()


def test_stepping_an_instruction_moves_one_thread_only(session, double):
    session.break_at("vadd")
    run(session, double)
    before = [thread.ip for thread in double.threads]
    interrupts = double.calls["interrupt"]
    stop = session.step_instruction()
    assert stop.reason is StopReason.STEP
    assert [hit.thread.id for hit in stop] == ["1.1"]
    assert double.threads[0].ip > before[0]
    assert [thread.ip for thread in double.threads][1:] == before[1:]
    assert double.calls["interrupt"] == interrupts


def test_stepping_onto_a_breakpoint_reports_it(session, double):
    first = session.break_at("vadd")
    run(session, double)
    place = session.focus.thread
    size = place.device.code.instruction(place.pc).size
    second = session.break_at(f"*{first.locations[0].address + size}")
    stop = session.step_instruction(5)
    assert (stop.reason, stop.breakpoint) == (StopReason.BREAKPOINT, second)
    assert session.step_instruction().reason is StopReason.STEP


def test_stepping_a_line_ends_at_the_beginning_of_another(session, double):
    session.break_at("vadd")
    stop = run(session, double)
    lines = [stop.location.line]
    for _ in range(2):
        stop = session.step_line()
        assert stop.reason is StopReason.STEP
        module = stop.focus.thread.module
        assert module.starts_statement(stop.location.pc)
        lines.append(stop.location.line)
    assert len(set(lines)) == 3


def test_stepping_past_the_end_says_that_the_thread_ended(session, double):
    session.break_at("vadd")
    run(session, double)
    stop = session.step_instruction(10_000)
    assert stop.reason is StopReason.THREAD_ENDED
    assert "Thread 1.1" in stop.detail
    assert session.focus.thread.id == "1.2"


def test_focus_is_kept_where_it_still_holds(session, double):
    session.break_at("vadd")
    later = session.break_at(f"*{session.breakpoints.get(1).locations[0].address + 64}")
    run(session, double)
    thread = session.thread(1, 3)
    session.select(thread, 2)
    stop = session.continue_(timeout=5)
    assert stop.breakpoint is later
    assert (session.focus.thread.id, session.focus.lane) == ("1.3", 2)


def test_focus_moves_to_an_active_lane_and_says_so(session, double):
    session.break_at("vadd", condition="$_lane == 3")
    second = session.break_at(f"*{session.breakpoints.get(1).locations[0].address + 64}")
    session.breakpoints.set_condition(second, "$_lane == 0")
    run(session, double)
    assert session.focus.lane == 3
    subscription = session.subscribe()
    session.continue_(timeout=5)
    assert session.focus.lane == 0
    assert FocusChanged(0) in subscription.drain()


def test_interrupt_halts_threads_in_an_endless_loop_and_they_go_on(session, double):
    double.hang_at = double.section.address + 160
    threading.Timer(0.05, double.dispatch).start()
    threading.Timer(0.2, session.interrupt).start()
    stop = session.continue_(timeout=10)
    assert stop.reason is StopReason.INTERRUPT
    assert [hit.thread.id for hit in stop] == ["1.1", "1.2", "1.3", "1.4"]
    assert stop.location.pc == double.hang_at
    double.hang_at = None
    assert session.continue_(timeout=0.3) is None
    assert {thread.state for thread in double.threads} == {"ended"}


def test_a_thread_halted_in_front_of_a_breakpoint_still_hits_it(session, double):
    double.hang_at = double.section.address + 160
    threading.Timer(0.05, double.dispatch).start()
    threading.Timer(0.2, session.interrupt).start()
    session.continue_(timeout=10)
    breakpoint_ = session.break_at(f"*{double.hang_at}")
    double.hang_at = None
    stop = session.continue_(timeout=5)
    assert stop.breakpoint is breakpoint_
    assert len(stop.threads) == 4


def test_halted_threads_are_known_but_did_not_hit(session, double):
    breakpoint_ = session.break_at("vadd", thread=(1, 1))
    double.hang_at = breakpoint_.locations[0].address + 64
    stop = run(session, double)
    assert [hit.thread.id for hit in stop] == ["1.1"]
    assert stop.breakpoint is breakpoint_
    assert [t.id for t in session.stopped_threads()] == ["1.1", "1.2", "1.3", "1.4"]


def test_reading_is_cached_until_the_thread_resumes(session, double):
    session.break_at("vadd")
    run(session, double)
    thread = session.focus.thread
    _ = thread.pc, thread.active_lanes, thread.workgroup
    before = double.calls["registers"]
    _ = thread.pc, thread.active_lanes, thread.workgroup, thread.simd_width
    assert double.calls["registers"] == before
    session.step_instruction()
    _ = thread.pc
    assert double.calls["registers"] > before


def test_detach_takes_breakpoints_out_and_lets_threads_end(session, double):
    session.break_at("vadd")
    run(session, double)
    session.detach()
    assert bits_in(double) == []
    assert {thread.state for thread in double.threads} == {"ended"}
    assert double.detached
    assert session.state is SessionState.NO_PROCESS
    assert session.breakpoints.get(1).pending


def test_death_of_the_program_ends_the_wait(session, process):
    threading.Timer(0.1, process.kill).start()
    assert session.continue_(timeout=10) == Exited()
    assert session.state is SessionState.NO_PROCESS
    with pytest.raises(NotRunningError):
        session.continue_()


def test_a_running_thread_cannot_be_read(session, double):
    session.break_at("vadd")
    thread = next(iter(run(session, double))).thread
    session.continue_(timeout=0.2)
    with pytest.raises(NoThreadError, match="not stopped"):
        _ = thread.pc


def test_closing_takes_no_longer_than_a_blocked_read(session):
    began = time.monotonic()
    session.close()
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("text", ["", "1x", "a.cl:"])
def test_unreadable_breakpoints_are_one_line(session, text):
    with pytest.raises(BreakpointError) as error:
        session.break_at(text)
    assert "\n" not in str(error.value)


def test_what_was_caught_just_before_the_end_is_reported_before_it(session, double):
    session.catch("unload", ModuleSpec(ModuleChange.UNLOAD, "*"))
    assert session.continue_(timeout=0.01) is None
    double.unload_module()
    double.end_program()
    with session.condition:
        assert session.condition.wait_for(lambda: session.exited is not None, 10)
    caught = session.continue_(timeout=10)
    assert isinstance(caught, Stop)
    assert caught.reason is StopReason.MODULE_UNLOAD
    assert session.continue_(timeout=10) == Exited()
    assert session.state is SessionState.NO_PROCESS


def test_what_was_caught_before_a_program_left_its_devices_is_kept(session, double, monkeypatch):
    monkeypatch.setattr(session.process, "is_child", True)  # it may use another device yet
    session.catch("unload", ModuleSpec(ModuleChange.UNLOAD, "*"))
    assert session.continue_(timeout=0.01) is None
    double.unload_module()
    double.end_program()
    with session.condition:
        (device,) = session.devices
        assert session.condition.wait_for(lambda: not device.attached, 10)
    caught = session.continue_(timeout=10)
    assert isinstance(caught, Stop)
    assert caught.reason is StopReason.MODULE_UNLOAD
    assert session.continue_(timeout=0.05) is None
    assert not session.devices
