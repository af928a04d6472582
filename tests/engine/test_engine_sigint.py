"""Ctrl-C while a session is made or ended: it takes effect when that is done, not in the middle."""

import os
import signal
import time

import pytest

from tests.support.engine.debug_double import DebugDouble, opened
from zedbg.engine import Session, SessionState, Stop, StopReason

pytestmark = pytest.mark.usefixtures("short_reads")


def press_in(double, name):
    """Presses Ctrl-C in each call of that name from now on."""
    real = getattr(double, name)

    def call(*arguments):
        os.kill(os.getpid(), signal.SIGINT)
        return real(*arguments)

    setattr(double, name, call)


def press_and_open(double):
    os.kill(os.getpid(), signal.SIGINT)
    return opened(double)


@pytest.mark.parametrize("during", ["write_memory", "resume", "detach"])
def test_detach_is_done_before_the_interrupt_is_heard(process, during):
    double = DebugDouble()
    session = Session(lambda _pid, _patience: opened(double))
    session.break_at("vadd")
    double.load_module()
    session.attach(process.pid)
    with session.condition:
        assert session.condition.wait_for(lambda: double.acknowledged, 30)
    clean = bytes(double.module.section_bytes(double.section))
    double.dispatch()
    stop = session.continue_(timeout=30)
    assert isinstance(stop, Stop) and stop.threads
    press_in(double, during)
    with pytest.raises(KeyboardInterrupt):
        session.detach()
    assert session.state is SessionState.NO_PROCESS
    assert double.detached
    assert bytes(double.code) == clean
    assert {thread.state for thread in double.threads} == {"ended"}


def test_attach_that_is_interrupted_leaves_nothing_attached(process):
    double = DebugDouble()
    session = Session(lambda _pid, _patience: press_and_open(double))
    double.load_module()
    with pytest.raises(KeyboardInterrupt):
        session.attach(process.pid)
    assert session.state is SessionState.NO_PROCESS
    assert double.detached
    again = Session(lambda _pid, _patience: opened(DebugDouble()))
    assert isinstance(again.attach(process.pid), Stop)
    again.close()


@pytest.fixture
def hanging(process):
    """A session whose program runs, and will not stop by itself."""
    double = DebugDouble()
    session = Session(lambda _pid, _patience: opened(double))
    session.settings.watchdog_seconds = 0
    session.break_at("vadd")
    double.load_module()
    session.attach(process.pid)
    with session.condition:
        assert session.condition.wait_for(lambda: double.acknowledged, 30)
    double.dispatch()
    assert isinstance(session.continue_(timeout=30), Stop)
    for breakpoint_ in session.breakpoints:
        session.breakpoints.delete(breakpoint_)
    double.hang_at = double.threads[0].ip
    yield session
    session.close()


def test_interrupt_between_the_last_look_and_the_wait_is_heard(hanging, monkeypatch):
    real = hanging.condition.wait

    def wait(timeout=None):
        monkeypatch.setattr(hanging.condition, "wait", real)
        signal.raise_signal(signal.SIGINT)
        return real(timeout)

    monkeypatch.setattr(hanging.condition, "wait", wait)
    began = time.monotonic()
    stop = hanging.continue_(timeout=60)
    assert isinstance(stop, Stop) and stop.reason is StopReason.INTERRUPT
    assert time.monotonic() - began < 30  # and not when the time was over


def test_interrupt_that_comes_when_a_command_is_over_is_not_for_the_next_one(hanging, monkeypatch):
    real = hanging._over

    def over(outcome):
        signal.raise_signal(signal.SIGINT)
        return real(outcome)

    hanging.interrupt()
    monkeypatch.setattr(hanging, "_over", over)
    stop = hanging.continue_(timeout=30)
    assert isinstance(stop, Stop) and stop.reason is StopReason.INTERRUPT
    monkeypatch.setattr(hanging, "_over", real)
    assert hanging.continue_(timeout=0.2) is None
    hanging.interrupt()
    assert isinstance(hanging.continue_(timeout=30), Stop)
