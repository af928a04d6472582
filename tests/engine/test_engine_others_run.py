"""Stepping while the other threads run: no stop of any of them is lost, nor the stepped one's."""

import pytest

from tests.support.engine.debug_double import DebugDouble, stopped_in_kernel
from zedbg.engine import Stop, StopReason
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.levelzero.debug import ALL_THREADS

THREADS = 4


@pytest.fixture
def double():
    return DebugDouble(threads=THREADS)


@pytest.fixture
def resumed(double, monkeypatch):
    """What the driver was asked to let go on."""
    asked = []
    resume = double.resume
    monkeypatch.setattr(double, "resume", lambda thread: (asked.append(thread), resume(thread)))
    return asked


@pytest.fixture
def session(double):
    with stopped_in_kernel(double) as session:
        session.settings.scheduler_locking = SchedulerLocking.OFF
        yield session


def test_a_thread_that_hits_a_breakpoint_together_with_others_is_in_the_stop(session):
    breakpoint_ = session.break_at("vadd.cl:3")
    stop = session.advance_to("vadd.cl:4")
    assert isinstance(stop, Stop) and stop.reason is StopReason.BREAKPOINT
    assert len(stop.threads) == breakpoint_.arrivals == THREADS


def test_what_stands_still_is_resumed_at_once(session, resumed):
    session.step_instruction()
    assert resumed[0] == ALL_THREADS


def test_a_stop_that_has_not_been_read_is_left_alone(session, resumed):
    focused = session.focus.thread.place.fields
    session.step_instruction(3)
    # The others run from the first step on: any of them may just have stopped.
    assert resumed == [ALL_THREADS, focused, focused]
