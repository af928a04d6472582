"""Signals wait where something would be left half done, and come in the right order after it."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from zedbg.engine.engine_errors import AttachError
from zedbg.engine.ground.signals import SignalGate, raise_held_signal, signals_held
from zedbg.frontends.shared import ending

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def held_by_gate(on_arrival=lambda: None):
    gate = SignalGate()
    try:
        try:
            gate.close(on_arrival)
            yield
        finally:
            gate.open()
    finally:
        gate.remove()


@pytest.fixture(params=[signals_held, held_by_gate])
def held(request):
    """What makes signals wait in a block."""
    return request.param


@pytest.fixture(autouse=True)
def _handlers_as_in_zedbg(monkeypatch):
    """Ctrl-C interrupts, the others end; as it was before after the test."""
    monkeypatch.setattr(ending, "_ends", threading.Event())
    before = {number: signal.getsignal(number) for number in NUMBERS}
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ending.end_on_signals()
    within = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    after = {number: signal.getsignal(number) for number in NUMBERS}
    for number in NUMBERS:
        signal.signal(number, before[number])
    assert after == within


@pytest.mark.parametrize(
    ("number", "raised"),
    [
        (signal.SIGINT, KeyboardInterrupt),
        (signal.SIGTERM, SystemExit),
        (signal.SIGHUP, SystemExit),
    ],
)
def test_signal_waits_until_the_block_has_ended(held, number, raised):
    done = []
    with pytest.raises(raised), held():
        signal.raise_signal(number)
        done.append(number)
    assert done == [number]


def test_signal_waits_until_the_outermost_block_has_ended(held):
    done = []
    with pytest.raises(KeyboardInterrupt), held():
        with signals_held():
            signal.raise_signal(signal.SIGINT)
        done.append("outer")
    assert done == ["outer"]


def test_signal_is_reported_when_it_comes(held):
    reports = []
    with pytest.raises(KeyboardInterrupt), held(lambda: reports.append(1)):
        assert not reports
        signal.raise_signal(signal.SIGINT)
        assert reports == [1]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_end_goes_before_an_interrupt(held, end):
    with pytest.raises(SystemExit) as raised, held():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(end)
    assert raised.value.code == 128 + end


def test_signal_is_not_lost_where_the_block_fails(held):
    with pytest.raises(KeyboardInterrupt), held():
        signal.raise_signal(signal.SIGINT)
        raise AttachError("no such process")


def test_block_without_a_signal_keeps_its_error(held):
    with pytest.raises(AttachError), held():
        raise AttachError("no such process")


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_block_can_be_left_early_for_a_signal_that_came_in_it_or_around_it(held, number, raised):
    done = []
    with pytest.raises(raised), held():
        raise_held_signal()  # none came
        signal.raise_signal(number)
        with signals_held():
            done.append("inner")
            raise_held_signal()
            done.append("never")
    assert done == ["inner"]


@pytest.mark.parametrize(
    ("number", "raised"),
    [
        (signal.SIGINT, KeyboardInterrupt),
        (signal.SIGTERM, SystemExit),
        (signal.SIGHUP, SystemExit),
    ],
)
def test_gate_lets_signals_in_between_its_blocks(number, raised):
    gate = SignalGate()
    done = []
    try:
        for _ in range(2):
            gate.close(lambda: None)
            done.append("block")
            gate.open()
        with pytest.raises(raised):
            signal.raise_signal(number)
        done.append("between")
    finally:
        gate.remove()
    assert done == ["block", "block", "between"]


def test_gate_holds_signals_that_the_system_handles():
    """SIGTERM without a handler ends the program; not before the block has ended."""
    program = (
        "import signal\nfrom zedbg.engine.ground.signals import SignalGate\n"
        "gate = SignalGate()\ngate.close(lambda: print('came', flush=True))\n"
        "signal.raise_signal(signal.SIGTERM)\nprint('done', flush=True)\n"
        "gate.open()\nprint('never', flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("came\ndone\n", -signal.SIGTERM)


def test_other_threads_change_no_handlers():
    seen = []

    def hold():
        with signals_held():
            seen.append(signal.getsignal(signal.SIGINT))
            raise_held_signal()

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


def test_second_signal_to_end_does_not_break_the_end_off():
    with pytest.raises(SystemExit) as raised:
        signal.raise_signal(signal.SIGHUP)
    assert raised.value.code == 128 + signal.SIGHUP
    signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGTERM)


def test_signal_that_is_ignored_stays_so(monkeypatch):
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    ending.end_on_signals()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    signal.signal(signal.SIGHUP, previous)


class _Finalized:
    """Its finalizer takes a signal."""

    def __init__(self, number):
        self.number = number

    def __del__(self):
        os.kill(os.getpid(), self.number)
        for _ in range(1000):  # the interpreter looks for signals between two rounds
            pass


@pytest.mark.parametrize(
    ("number", "raised"),
    [
        (signal.SIGINT, KeyboardInterrupt),
        (signal.SIGTERM, SystemExit),
        (signal.SIGHUP, SystemExit),
    ],
)
def test_signal_in_a_finalizer_comes_again_after_it(monkeypatch, capfd, number, raised):
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    ending.keep_lost_signals()
    finalized = _Finalized(number)
    with pytest.raises(raised) as error:
        del finalized
        for _ in range(500):
            time.sleep(0.01)
    if raised is SystemExit:
        assert error.value.code == 128 + number
    assert capfd.readouterr().err == ""


def test_other_errors_in_finalizers_are_reported_as_before():
    program = (
        "from zedbg.frontends.shared.ending import keep_lost_signals\n"
        "class Broken:\n    def __del__(self): raise ValueError('broken')\n"
        "keep_lost_signals()\nBroken()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and "ValueError: broken" in done.stderr
