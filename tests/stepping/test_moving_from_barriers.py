"""One thread that is moved from where it would wait for others, or end: it does not hang there."""

import contextlib
import sys
import threading

import pytest

from tests.support.packed_modules import MODULES, ZEBINS
from zedbg.engine import Stop, StopReason
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions import opening

REDUCE = ZEBINS / "igc2-dg2-O0" / "reduce.zebin"
MEETINGS = MODULES / "linked" / "igc2-dg2-O0" / "meetings.zebin"
ARGUMENTS = ["--global", "32", "--local", "32", "f32[32]=1", "f32[32]", "local[128]", "i32=32"]
MEETING_ARGUMENTS = ["--global", "32", "--local", "32", "i32[1]=0", "i32[32]", "local[128]"]
LIMIT_SECONDS = 30.0


@contextlib.contextmanager
def stopped_in(kernel, *program):
    """A session that is stopped at the kernel's beginning; its 4 threads are one work-group."""
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", *map(str, program)]
    with opening.launch(command, sim="dg2") as session:
        breakpoint_ = session.break_at(kernel)
        session.continue_()
        session.breakpoints.delete(breakpoint_)
        hangs = threading.Timer(LIMIT_SECONDS, session.interrupt)
        hangs.start()
        yield session
        hangs.cancel()
        session.kill()


@pytest.fixture
def session():
    with stopped_in("reduce_slm", REDUCE, *ARGUMENTS) as session:
        yield session


@pytest.fixture
def meeting():
    """Its barriers are in functions that are called through pointers, in a section of their own."""
    with stopped_in("meetings", f"{MEETINGS}:meetings", *MEETING_ARGUMENTS) as session:
        session.settings.scheduler_locking = SchedulerLocking.ON
        yield session


def step_to(session, wanted):
    """Steps the focused thread to an instruction that is ``wanted``."""
    thread = session.focus.thread
    while not wanted(thread.device.code.instruction(thread.pc)):
        session.step_instruction()
    return thread


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (lambda session: session.advance_to("reduce.cl:8"), StopReason.STEP),
        (lambda session: session.until_line(), StopReason.STEP),
        (lambda session: session.step_line(), StopReason.STEP),
        (lambda session: session.continue_(), StopReason.THREAD_ENDED),
    ],
    ids=["advance", "until", "step", "continue"],
)
def test_a_thread_at_a_barrier_passes_it_with_its_group(session, move, reason):
    session.settings.scheduler_locking = SchedulerLocking.ON
    thread = step_to(session, lambda instruction: instruction.waits_for_barrier)
    stop = move(session)
    assert isinstance(stop, Stop)
    assert stop.reason is reason
    if reason is StopReason.STEP:
        assert stop.focus.thread is thread
        assert thread.location.line > 5


def test_a_thread_in_front_of_its_end_ends(session):
    session.settings.scheduler_locking = SchedulerLocking.ON
    session.advance_to("reduce.cl:12")
    step_to(session, lambda instruction: instruction.ends_thread)
    assert session.continue_().reason is StopReason.THREAD_ENDED


@pytest.mark.parametrize("begin", ["meetings.cl:5", "meetings.cl:6"])
def test_a_function_of_several_kernels_is_finished_past_its_barrier(meeting, begin):
    thread = meeting.focus.thread
    meeting.break_at(begin, temporary=True)
    assert meeting.continue_().focus.thread is thread
    assert thread.location.kernel is None
    stop = meeting.finish()
    assert stop.reason is StopReason.STEP
    assert stop.focus.thread is thread
    assert (thread.location.kernel, thread.location.line) == ("meetings", 18)


def test_a_barrier_in_a_function_on_the_way_is_passed(meeting):
    thread = meeting.focus.thread
    stop = meeting.advance_to("meetings.cl:19")
    assert stop.reason is StopReason.STEP
    assert stop.focus.thread is thread
    assert thread.location.line == 19
