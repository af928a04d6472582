"""Watching a value in a thread that comes to a barrier which is never complete: the time that was
given ends it, and nothing is lost."""

import sys
import time

import pytest

from tests.support.engine.unchanging import Unchanging
from tests.support.packed_modules import ZEBINS
from zedbg.engine import Stop, StopReason
from zedbg.engine.breakpoints.watch import Watch
from zedbg.engine.process.process import LaunchOptions
from zedbg.engine.sessions import opening

MODULE = ZEBINS / "igc2-dg2-O0" / "lonely_barrier.zebin"
SIZES = ["--global", "64", "--local", "64", "i32[64]"]
THREADS = 8  # half of them come to the barrier, the others wait for these in a loop
BARRIER_LINE = 16
SECONDS = 1.0
LIMIT_SECONDS = 30.0


@pytest.fixture(params=[False, True], ids=["all-stop", "non-stop"])
def session(request):
    """Stopped at the kernel's beginning, with a value watched that does not change."""
    kernel = f"{MODULE}:crossed_barrier"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", kernel, *SIZES]
    session, _ = opening.open_session("dg2")
    session.non_stop = request.param
    breakpoint_ = session.break_at("crossed_barrier")
    session.launch(LaunchOptions(program))
    session.continue_()
    deadline = time.monotonic() + LIMIT_SECONDS
    while len(session.stopped_threads()) < THREADS:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    session.breakpoints.delete(breakpoint_)
    yield session
    session.kill()
    session.close()


def in_loop(session):
    """A thread that does not wait for the barrier."""
    half = THREADS // 2
    return next(each for each in session.stopped_threads() if each.header.thread_in_group >= half)


def test_the_time_that_was_given_ends_the_wait(session):
    thread = next(each for each in session.stopped_threads() if each.header.thread_in_group == 0)
    session.select(thread)
    watchpoint = session.breakpoints.add_watch("nothing", Watch(thread, Unchanging()))
    deadline = time.monotonic() + LIMIT_SECONDS
    waits = 0
    # A machine that has other work may need several waits to get there.
    while thread.location.line != BARRIER_LINE or waits < 2:
        assert session.continue_(timeout=SECONDS) is None
        assert time.monotonic() < deadline
        assert thread.is_stopped
        waits += 1
    assert watchpoint.hits == 0
    # The others are where they were, or stopped again on their way.
    assert len(session.stopped_threads()) == THREADS
    session.select(in_loop(session))
    stop = session.step_instruction()
    assert isinstance(stop, Stop) and stop.reason is StopReason.STEP
