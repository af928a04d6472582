"""Attaching to programs that run already, or that cannot be debugged."""

import os
import subprocess
import threading

import pytest

from tests.support.engine.running_host import attach_in_kernel, mandel, running_host
from zedbg.engine import Exited, StopReason
from zedbg.engine.engine_errors import AttachError
from zedbg.engine.sessions import opening


@pytest.fixture
def session():
    opened, _ = opening.open_session("dg2")
    yield opened
    opened.close()


@pytest.fixture
def program(session):
    with running_host(mandel()) as process:
        yield process


def test_attaching_to_a_running_program_stops_it(session, program):
    stop = attach_in_kernel(session, program)
    assert stop.reason is StopReason.INTERRUPT
    assert stop.location.kernel == "mandel"
    session.detach()
    assert program.poll() is None
    session.attach(program.pid)
    program.kill()
    assert session.continue_(timeout=60) == Exited()


def test_second_session_of_one_process_is_refused_and_leaves_the_first_alone(session, program):
    attach_in_kernel(session, program)
    second, _ = opening.open_session("dg2")
    with pytest.raises(AttachError, match="another session of this zedbg") as error:
        second.attach(program.pid)
    assert "\n" not in str(error.value)
    assert session.step_instruction().reason is StopReason.STEP
    session.detach()
    assert attach_in_kernel(second, program).reason is StopReason.INTERRUPT
    second.close()


def test_sessions_that_race_for_a_program_harm_neither_each_other_nor_it(session, program):
    attach_in_kernel(session, program)
    session.detach()
    attached, refused = [], []

    def attach_often():
        one, _ = opening.open_session("dg2")
        for _ in range(8):
            try:
                one.attach(program.pid)
            except AttachError as error:
                refused.append(str(error))
            else:
                attached.append(one.stop)
                one.detach()
        one.close()

    workers = [threading.Thread(target=attach_often) for _ in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert attached
    assert all("another session of this zedbg" in each for each in refused)
    assert attach_in_kernel(session, program).location.kernel == "mandel"


@pytest.mark.parametrize("variable", [{}, {"ZET_ENABLE_PROGRAM_DEBUGGING": "0"}])
def test_attaching_where_it_cannot_work_says_why_in_one_line(variable):
    opening.open_session("dg2")
    with pytest.raises(AttachError, match="No such process"):
        opening.attach(2**22 - 3, sim="dg2")
    child = subprocess.Popen(["sleep", "30"], env=dict(os.environ) | variable)
    try:
        with pytest.raises(AttachError, match="ZET_ENABLE_PROGRAM_DEBUGGING=1") as error:
            opening.attach(child.pid, sim="dg2")
        assert "\n" not in str(error.value)
    finally:
        child.kill()
        child.wait()
