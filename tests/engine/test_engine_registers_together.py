"""General registers of many threads, read in one go for commands that look at all of them."""

import pytest

from tests.support.engine.debug_double import DebugDouble, stopped_in_kernel
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.levelzero.level_zero_errors import NotAvailable
from zedbg.xe.registers import RegisterKind


@pytest.fixture
def double():
    return DebugDouble()


@pytest.fixture
def threads(double):
    with stopped_in_kernel(double) as session:
        yield session.stopped_threads()


def test_no_thread_is_asked_again_for_what_was_read_of_all(threads, double, monkeypatch):
    read_general_registers(threads[0].device, threads)
    monkeypatch.setattr(double, "read_registers", None)
    for thread, made in zip(threads, double.threads, strict=True):
        registers = thread.read_registers(RegisterKind.GRF)
        assert len(registers) == 128 * 32
        assert registers[4] == made.group


def test_a_second_time_reads_nothing(threads, double):
    read_general_registers(threads[0].device, threads)
    made = double.calls["registers"]
    read_general_registers(threads[0].device, threads)
    assert double.calls["registers"] == made


def test_a_thread_that_is_gone_is_left_out(threads, double):
    double.threads[1].state = "ended"
    read_general_registers(threads[0].device, threads)
    assert threads[2].read_registers(RegisterKind.GRF)
    with pytest.raises(NotAvailable):
        threads[1].read_registers(RegisterKind.GRF)
