"""What a thread has executed, and what an instruction wrote each time, asked for afterwards."""

import sys
import time

import pytest

from tests.support.engine.debug_double import DebugDouble
from tests.support.kernels.kernel_folder import launch_of
from tests.support.packed_modules import MODULES
from zedbg.engine.modules import thread_history
from zedbg.engine.modules.thread_history import ThreadHistory
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values.threads.recorded_write import WrittenPlace
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.isa.names import DataType
from zedbg.xe.registers import RegisterKind


def arithmetic(thread):
    """The address of the first instruction from the thread's on that makes a number of each lane in
    general registers, that of what follows it, the first byte that it writes, and how many."""
    code, at = thread.device.code, thread.pc
    while True:
        decoded = code.instruction(at).decoded
        target = decoded.destination
        is_number = target is not None and target.type is DataType.F and not decoded.send
        if is_number and decoded.execution_size >= 16 and target.file is RegisterFile.GRF:
            size = thread.register_layout.get(RegisterKind.GRF).byte_size
            first = target.register_number * size
            return at, at + decoded.length, first, 4 * decoded.execution_size
        at += decoded.length


@pytest.mark.parametrize("device", ["dg2", "pvc"])
def test_it_is_what_was_there_after_each_execution(device, monkeypatch):
    module = MODULES / "everyday" / f"igc2-{device}-O2" / "bodies.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", device]
    command += [f"{module}:bodies", *launch_of("bodies")]
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        first_stop = session.break_at("bodies.cl:8")
        thread = session.continue_(timeout=60).threads[0].thread
        session.breakpoints.delete(first_stop)
        at, following, first, size = arithmetic(thread)
        code = thread.debug_info.code.function_at(at)
        loop = max(each for each in code.loops if each[0] <= at <= each[1])
        place = WrittenPlace(at, RegisterKind.GRF, first, size)
        outside = [(code.low, loop[0]), (loop[1] + 1, code.high)]
        assert thread.recorded_executions(at, outside) == []
        session.break_at(f"*{following:#x}")
        seen = []
        too_much = Missing("the thread has executed too much to search it in a moment")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            (hit,) = stop.threads
            assert hit.thread is thread
            seen.insert(0, thread.read_registers(RegisterKind.GRF)[first : first + size])
            found = thread.recorded_writes((place,))[place]
            assert [each.data for each in found] == seen
            assert all(each.lanes == hit.lanes for each in found)
            assert thread.recorded_executions(at, outside) == [hit.lanes] * len(seen)
            with monkeypatch.context() as few:
                few.setattr(thread_history, "_MOST_HITS", len(seen))  # not the thread's begin
                assert thread.recorded_writes((place, place)) == too_much
                assert thread.recorded_executions(at, outside[::-1]) == too_much
        assert len(set(seen)) > 2


def test_searches_at_one_stop_keep_the_state_once():
    module = MODULES / "everyday" / "igc2-dg2-O2" / "bodies.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    command += [f"{module}:bodies", *launch_of("bodies")]
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        session.break_at("bodies.cl:8")
        thread = session.continue_(timeout=60).threads[0].thread
        kept = []
        for _ in range(5):
            time.sleep(0.01)  # the device goes on between searches, with nothing to do
            session.devices[0].thread_history.executions(thread.place.fields, thread.pc, [])
            kept.append(session.devices[0].debug.time.recording(0).keyframes)
        assert kept[1:] == kept[1:2] * 4
        session.kill()


def test_a_driver_that_records_nothing_has_none():
    history, missing = ThreadHistory(DebugDouble()), Missing("the driver records no launches")
    assert history.writes((0, 0, 0, 0), (), lambda kind: bytes(4)) == missing
    assert history.executions((0, 0, 0, 0), 0, [(0, 1)]) == missing
