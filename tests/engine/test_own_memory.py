"""A thread's frames are read once while it stands, and never shown as they were before a write."""

import sys

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.sessions import opening

THREADS, LANES = 2, 8


@pytest.fixture
def threads():
    """Two threads of calls.cl at -O0, stopped in front of a call."""
    module = ZEBINS / "igc2-dg2-O0" / "calls.zebin"
    count = THREADS * LANES
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    command += [f"{module}:calls", "--global", str(count), "--local", str(LANES)]
    command += [f"i32[{count}]=iota", f"f32[{4 * count}]=iota"]
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        session.break_at("calls.cl:18")
        stop = session.continue_(timeout=60)
        yield [hit.thread for hit in stop.threads]


def number(thread, expression):
    return thread.evaluate(expression, [0]).first.number


def test_a_second_look_at_a_frame_asks_nothing_of_the_driver(threads, monkeypatch):
    thread, _ = threads
    before = number(thread, "i")
    debug = thread.device.debug
    monkeypatch.setattr(debug, "read_memory", None)
    assert number(thread, "i") == before
    assert thread.backtrace().frames


def test_what_the_user_writes_is_seen_by_whichever_thread_it_is_written(threads):
    thread, other = threads
    before = number(thread, "i")
    address = int(number(thread, "&i"))
    other.write_memory(MemorySpace.GLOBAL, address, (before + 7).to_bytes(4, "little"))
    assert number(thread, "i") == before + 7
    thread.device.write_memory(address, (before + 8).to_bytes(4, "little"))
    assert number(thread, "i") == before + 8
    thread.evaluate(f"i = {before + 9}", [0])
    assert number(thread, "i") == before + 9
