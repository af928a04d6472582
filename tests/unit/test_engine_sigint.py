"""Ctrl-C while a session is made or ended: it takes effect when that is done, not in the middle."""

import os
import signal
import subprocess

import pytest
from debug_double import DebugDouble, opened

from zedbg.engine import Session, SessionState, Stop, event_reader


@pytest.fixture(autouse=True)
def short_reads(monkeypatch):
    monkeypatch.setattr(event_reader, "_BLOCK_MILLISECONDS", 20)


@pytest.fixture
def process():
    child = subprocess.Popen(["sleep", "600"])
    yield child
    child.kill()
    child.wait()


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
