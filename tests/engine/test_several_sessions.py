"""Several programs under debug in one process, at once and one after another."""

import os
import signal
import sys
import threading
import time

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.engine import Exited
from zedbg.engine.engine_errors import AttachError
from zedbg.engine.sessions import opening

DEVICES = ("dg2", "bmg", "pvc")


def command(device):
    sizes = ["--global", "64", "--local", "32"]
    module = str(ZEBINS / f"igc2-{device}-O0" / "vadd.zebin")
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", module]
    return [*program, *sizes, "f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"]


@pytest.fixture
def launched():
    """Launches programs that stop at a line; in the end, what is left of them is killed."""
    sessions = []

    def launch(device="dg2"):
        session = opening.launch(command(device), sim=device, output=lambda *_: None)
        sessions.append(session)
        session.break_at("vadd.cl:3")
        return session

    yield launch
    for session in sessions:
        if session.process is not None:
            session.kill()


def test_programs_on_one_device_are_debugged_at_once(launched):
    sessions = [launched() for _ in range(3)]
    stops = [session.continue_(60) for session in sessions]
    assert [len(stop.threads) for stop in stops] == [8, 8, 8]
    assert len({session.process.pid for session in sessions}) == 3
    for number, session in enumerate(sessions):  # each has memory of its own
        session.focus.thread.evaluate(f"a[i] = {number} + 0.5f")
    values = [session.focus.thread.evaluate("a[i]").numbers[0] for session in sessions]
    assert values == [0.5, 1.5, 2.5]
    lines = [session.step_line(over_calls=True).location.line for session in sessions]
    assert lines == [4, 4, 4]
    for session in sessions:
        session.breakpoints.delete(next(iter(session.breakpoints)))
    assert [session.continue_(60) for session in sessions] == [Exited(code=0)] * 3


def test_simulated_devices_are_debugged_at_once_and_one_after_another(launched):
    sessions = [launched(device) for device in DEVICES]
    names = []
    for session in sessions:
        session.continue_(60)
        names += [device.name for device in session.devices]
    assert len(set(names)) == len(DEVICES), names
    for device in ("bmg", "dg2"):
        session = launched(device)
        assert session.continue_(60).location.line == 3
        session.kill()


@pytest.mark.cases(0)
def test_threads_of_one_process_drive_a_program_each(launched):
    done = {}

    def drive(number):
        session = launched()
        stop = session.continue_(60)
        for _ in range(20):
            stop = session.step_instruction()
        done[number] = stop.focus.thread.pc - session.devices[0].modules[0].begin

    workers = [threading.Thread(target=drive, args=(number,)) for number in range(2)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(60)
    assert len(done) == 2


@pytest.mark.cases(0)
def test_session_that_was_forgotten_does_not_make_the_next_one_miss_its_breakpoints(launched):
    assert launched().continue_(60).location.line == 3
    assert launched().continue_(60).location.line == 3


def test_helper_process_that_dies_is_the_end_of_its_session_only(launched):
    first = launched()
    first.continue_(60)
    second = launched()
    second.continue_(60)
    helper = second.devices[0].debug._helper._process
    os.kill(helper.pid, signal.SIGKILL)
    assert second.continue_(60) is not None  # the program goes on without its debugger
    assert first.step_instruction().location.line == 3


@pytest.mark.cases(0)
def test_helper_process_ends_with_its_session(launched):
    first = launched()
    first.continue_(60)
    second = launched()
    second.continue_(60)
    helper = second.devices[0].debug._helper._process
    second.kill()
    deadline = time.monotonic() + 30
    while helper.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert helper.returncode == 0


@pytest.mark.cases(0)
def test_what_a_helper_process_cannot_do_is_said_as_always(launched):
    launched().continue_(60)
    session, _ = opening.open_session("dg2")
    with pytest.raises(AttachError, match="runs without program debug"):
        session.attach(os.getpid())
