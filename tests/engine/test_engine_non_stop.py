"""Non-stop mode over a double of program debug: one thread's stop leaves the others running."""

import threading
import time

import pytest

from tests.support.engine.debug_double import DebugDouble, opened
from zedbg.engine import Exited, Session, SessionState, Stop, StopReason
from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange, ModuleSpec
from zedbg.engine.engine_errors import NoThreadError, ProgramRunsError
from zedbg.engine.events.notifications import ProgramExited, Stopped

pytestmark = pytest.mark.usefixtures("short_reads")


@pytest.fixture
def session(double, process):
    session = Session(lambda _pid, _patience: opened(double))
    session.non_stop = True
    double.load_module()
    session.attach(process.pid, background=True)
    deadline = time.monotonic() + 10
    while not double.acknowledged and time.monotonic() < deadline:
        time.sleep(0.001)
    yield session
    session.close()


@pytest.fixture
def hanging(session, double):
    """Its four threads all run, and stay at one instruction."""
    line = session.break_at("vadd.cl:4")
    double.hang_at = line.locations[0].address
    session.breakpoints.delete(line)
    double.dispatch()
    return session


def states(double):
    return [thread.state for thread in double.threads]


def test_only_the_thread_that_hits_is_stopped(hanging, session, double):
    for thread in double.threads:
        thread.state = "running"
    assert session.state is SessionState.RUNNING
    stop = session.interrupt_thread(1, 2)
    assert stop.reason is StopReason.INTERRUPT
    assert [each.thread.id for each in stop] == ["1.2"]
    assert states(double) == ["running", "stopped", "running", "running"]
    assert session.state is SessionState.STOPPED
    assert session.focus.thread.id == "1.2"
    assert session.wait(timeout=0) is None


def test_a_breakpoint_of_one_thread_leaves_the_others_running(session, double):
    session.break_at("vadd", thread=(1, 3))
    line = session.break_at("vadd.cl:4")
    double.hang_at = line.locations[0].address
    session.breakpoints.delete(line)
    double.dispatch()
    stop = session.wait(timeout=10)
    assert [each.thread.id for each in stop] == ["1.3"]
    assert double.calls["interrupt"] == 0
    assert states(double) == ["running", "running", "stopped", "running"]
    assert [each.id for each in session.stopped_threads()] == ["1.3"]


def test_interrupt_stops_all_or_those_that_are_wanted(hanging, double):
    stop = hanging.interrupt_threads(lambda thread: thread.workgroup[0] in (1, 2))
    assert [each.thread.id for each in stop] == ["1.2", "1.3"]
    assert states(double) == ["running", "stopped", "stopped", "running"]
    rest = hanging.interrupt_threads()
    assert [each.thread.id for each in rest] == ["1.1", "1.4"]
    assert hanging.interrupt_threads() is None


def test_a_thread_that_ended_is_not_stopped_by_an_interrupt(session, double):
    double.dispatch()
    assert set(states(double)) == {"ended"}
    assert session.interrupt_thread(1, 1) is None
    with pytest.raises(NoThreadError):
        session.interrupt_thread(1, 4000)


def test_continue_lets_the_focused_thread_go_on_and_all_threads_all(hanging, double):
    hanging.interrupt_threads()
    hanging.select(hanging.thread(1, 2))
    assert hanging.continue_(timeout=0.05) is None
    assert states(double) == ["stopped", "running", "stopped", "stopped"]
    with pytest.raises(NoThreadError, match=r"1\.2 .* is running"):
        hanging.require_focus()
    with pytest.raises(NoThreadError):
        hanging.step_instruction()
    assert hanging.continue_(all_threads=True, background=True) is None
    assert set(states(double)) == {"running"}
    assert [each.id for each in hanging.running_threads()] == ["1.1", "1.2", "1.3", "1.4"]


def test_the_focus_stays_while_its_thread_is_stopped(hanging):
    hanging.interrupt_thread(1, 3)
    hanging.interrupt_thread(1, 1)
    assert hanging.focus.thread.id == "1.3"
    hanging.continue_(background=True)
    hanging.interrupt_thread(1, 4)
    assert hanging.focus.thread.id == "1.4"


def test_steps_move_one_thread_in_the_fore_and_background(session, double):
    subscription = session.subscribe()
    session.break_at("vadd")
    double.dispatch()
    first = session.wait(timeout=10)
    assert len(list(first)) == 4
    thread, pc = session.focus.thread, session.focus.thread.pc
    stop = session.step_instruction()
    assert stop.reason is StopReason.STEP and thread.pc != pc
    assert states(double) == ["stopped"] * 4
    session.in_background(lambda: session.step_line())
    stop = session.wait(timeout=10)
    assert stop.reason is StopReason.STEP and stop.focus.thread is thread
    reasons = [each.stop.reason for each in subscription.drain() if isinstance(each, Stopped)]
    assert reasons == [StopReason.BREAKPOINT, StopReason.STEP, StopReason.STEP]
    assert session.wait(timeout=0.01) is None


def test_a_background_step_is_interrupted(session, double):
    breakpoint_ = session.break_at("vadd")
    double.dispatch()
    session.wait(timeout=10)
    session.breakpoints.delete(breakpoint_)
    thread = session.focus.thread
    double.hang_at = double.threads[0].ip + double._instruction(double.threads[0].ip).size
    session.in_background(lambda: session.step_line())
    deadline = time.monotonic() + 10
    while thread.is_at_rest and time.monotonic() < deadline:
        time.sleep(0.001)
    assert not thread.is_at_rest
    with pytest.raises(NoThreadError, match="running"):
        session.step_instruction()
    session.interrupt_thread(1, thread.number)
    stop = session.wait(timeout=10)
    assert stop.reason is StopReason.INTERRUPT and stop.focus.thread is thread


def test_the_mode_is_chosen_before_the_program_runs(session):
    with pytest.raises(ProgramRunsError):
        session.non_stop = False
    session.detach()
    session.non_stop = False
    with pytest.raises(ProgramRunsError):
        session.in_background(lambda: None)


def test_detach_takes_breakpoints_out_and_lets_everything_run(hanging, double):
    clean = bytes(DebugDouble().code)
    hanging.break_at("vadd.cl:4")
    hanging.interrupt_threads(lambda thread: thread.workgroup[0] == 1)
    assert bytes(double.code) != clean
    double.hang_at = None
    hanging.detach()
    assert bytes(double.code) == clean
    assert "stopped" not in states(double)
    assert hanging.state is SessionState.NO_PROCESS


def test_the_end_of_the_program_is_reported(session, double, process):
    threading.Timer(0.05, double.end_program).start()
    assert isinstance(session.wait(timeout=10), Exited)
    assert session.state is SessionState.NO_PROCESS


def test_what_was_caught_just_before_the_end_is_reported_before_it(session, double):
    session.catch("unload", ModuleSpec(ModuleChange.UNLOAD, "*"))
    subscription = session.subscribe()
    with session.condition:
        double.unload_module()
        double.end_program()
        assert session.condition.wait_for(lambda: not session.devices, 10)
    received = []
    while not received or isinstance(received[-1], Stopped):
        each = subscription.get(timeout=10)
        assert each is not None, received
        if isinstance(each, Stopped | ProgramExited):
            received.append(each)
    assert [type(each) for each in received] == [Stopped, ProgramExited]
    assert received[0].stop.reason is StopReason.MODULE_UNLOAD


def test_attach_stops_everything_unless_it_is_in_the_background(double, process):
    session = Session(lambda _pid, _patience: opened(double))
    session.non_stop = True
    place = session.break_at("vadd.cl:4")
    double.load_module()
    session.attach(process.pid, background=True)
    while not place.locations:
        time.sleep(0.001)
    double.hang_at = place.locations[0].address
    session.breakpoints.delete(place)
    session.detach()
    double.dispatch()
    double.load_module()
    stop = session.attach(process.pid)
    assert isinstance(stop, Stop) and len(stop.threads) == 4
    session.close()
