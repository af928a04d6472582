"""Memory as it was when the launch began, while its kernel has changed it since."""

import struct
import sys

import pytest

from tests.support.engine.debug_double import DebugDouble
from tests.support.packed_modules import MODULES
from zedbg.engine.modules.launch_memory import LaunchMemory
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values.threads.context import MemorySpace
from zedbg.xe.registers import RegisterKind

NUMBERS, RING = 64, 16
ARGUMENTS = ("i32[64]=iota", "i32[16]=iota", "i32=4", "i32=3")


def memory(read, thread):
    """What ``read`` gives of the two buffers."""
    sizes = (4 * NUMBERS, 4 * RING)
    addresses = [int.from_bytes(thread.kernel_argument(each), "little") for each in range(2)]
    return [
        struct.unpack(f"<{size // 4}i", read(at, size))
        for at, size in zip(addresses, sizes, strict=True)
    ]


@pytest.mark.parametrize("device", ["dg2", "pvc"])
def test_it_is_what_the_host_passed(device):
    module = MODULES / "everyday" / f"igc2-{device}-O2" / "in_place.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", device]
    command += [f"{module}:in_place", "--global", "16", "--local", "16", *ARGUMENTS]
    passed = [tuple(range(NUMBERS)), tuple(range(RING))]
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        session.break_at("in_place.cl:23")  # all numbers have been changed then
        stop = session.continue_(timeout=60)
        thread = stop.threads[0].thread
        now = memory(lambda at, size: thread.read_memory(MemorySpace.GLOBAL, at, size), thread)
        registers = thread.read_registers(RegisterKind.GRF)
        assert now[0] != passed[0]
        for _each in range(2):  # what was read first is kept
            assert memory(thread.memory_at_launch, thread) == passed
        assert thread.read_registers(RegisterKind.GRF) == registers
        assert (
            memory(lambda at, size: thread.read_memory(MemorySpace.GLOBAL, at, size), thread) == now
        )
        missing = thread.memory_at_launch(8, 4)
        assert isinstance(missing, Missing) and "cannot be read" in missing.reason
        session.time.go_to(1)
        (first,) = session.devices[0].stopped_threads()[:1]
        assert memory(first.memory_at_launch, first) == passed
        assert session.time.moment().time == 1
        session.time.go_to_present()
        assert isinstance(session.continue_(timeout=60), Exited)


def test_a_driver_that_records_nothing_has_none():
    found = LaunchMemory(DebugDouble()).read(0, 4)
    assert found == Missing("the driver records no launches")
