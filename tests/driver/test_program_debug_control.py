"""Program debug through the real loader: events, breakpoints, steps, registers and memory.

The reference is how Intel's driver behaves towards a debugger; the debugger is a C program that
makes one API call at a time.
"""

from __future__ import annotations

import struct
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.driver.program_debug_hosts import (
    ALL,
    BREAKPOINT,
    CHANNEL_ENABLE,
    CONTROL,
    DEBUG,
    FORCE_EXCEPTION,
    GRF,
    NOT_AVAILABLE,
    SLM_SPACE,
    SLM_TAG,
    STATE,
    UNINITIALIZED,
    Bench,
    Client,
    DebugEvent,
    Event,
    LoadedModule,
    Target,
    breakpoint_bytes,
    ends_thread,
    zebin,
)

HARDWARE_THREADS = 4096  # Arc A770


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def target(bench: Bench) -> Iterator[Target]:
    with bench.target() as target:
        yield target


@pytest.fixture
def client(bench: Bench) -> Iterator[Client]:
    with bench.client() as client:
        yield client


def load_with_breakpoint(client: Client, target: Target, name: str, kernel: str) -> LoadedModule:
    """Attaches; has the target load a module; sets a breakpoint on the kernel's entry."""
    client.attach(target)
    module = client.load_module(target, zebin(name))
    code = module.kernel_code(kernel)
    client.write(ALL, module.kernel_address(kernel), breakpoint_bytes(code))
    client.acknowledge()
    assert target.line() == "ok"
    return module


def launch(client: Client, target: Target, step: str) -> list[str]:
    """Launches; the threads that stop, in the order of their events."""
    target.do(step)
    assert client.event().type == Event.PROCESS_ENTRY
    threads = []
    event = client.event()
    while event is not None:
        assert event.type == Event.THREAD_STOPPED
        threads.append(event.thread)
        event = client.next_event(300)
    return threads


def interrupt_all(client: Client) -> DebugEvent:
    """The answer to an interrupt of everything, once something has begun to run."""
    deadline = time.monotonic() + 10
    while True:
        client.call("interrupt all")
        event = client.event()
        if event.type == Event.THREAD_STOPPED or time.monotonic() > deadline:
            return event


def instruction_ends(code: bytes) -> dict[int, int]:
    """Offset of each instruction to the offset after it, by the compaction bit alone."""
    ends = {}
    offset = 0
    while offset + 8 <= len(code):
        compacted = struct.unpack_from("<I", code, offset)[0] >> 29 & 1
        ends[offset] = offset = offset + (8 if compacted else 16)
    return ends


def test_events_follow_the_life_of_a_program(client: Client, target: Target) -> None:
    client.attach(target)
    assert client.is_quiet()
    target.do("queue")
    assert client.event().type == Event.PROCESS_ENTRY
    module = client.load_module(target, zebin("vadd"))
    assert module.event.flags == 1
    assert module.event.load <= module.kernel_address("vadd")
    assert not target.has_line(0.2)  # it waits, however long that takes
    assert client.is_quiet()
    client.acknowledge()
    assert target.line() == "ok"
    target.do("unload")
    unload = client.event()
    assert (unload.type, unload.flags) == (Event.MODULE_UNLOAD, 0)
    assert unload.begin == module.event.begin
    assert unload.end == module.event.end
    assert unload.load == module.event.load
    assert client.result("acknowledge") == UNINITIALIZED
    target.do("unqueue")
    assert client.event().type == Event.PROCESS_EXIT
    assert target.finish() == 0
    detached = client.event()
    assert (detached.type, detached.reason) == (Event.DETACHED, 0)
    assert client.is_quiet()


def test_exit_without_clearing_up_ends_everything_in_order(client: Client, target: Target) -> None:
    client.attach(target)
    client.load_module(target, zebin("vadd"))
    client.acknowledge()
    assert target.line() == "ok"
    target.do("queue")
    assert client.event().type == Event.PROCESS_ENTRY
    target.send("exit")
    kinds = [client.event().type for _ in range(3)]
    assert kinds == [Event.MODULE_UNLOAD, Event.PROCESS_EXIT, Event.DETACHED]


def test_code_is_in_place_before_the_module_is_acknowledged(client: Client, target: Target) -> None:
    client.attach(target)
    module = client.load_module(target, zebin("vadd"))
    code = module.kernel_code("vadd")
    assert client.read(ALL, module.kernel_address("vadd"), len(code)) == code


def test_breakpoint_stops_every_thread_before_its_first_instruction(
    client: Client, target: Target
) -> None:
    module = load_with_breakpoint(client, target, "vadd", "vadd")
    threads = launch(client, target, "vadd 2")
    assert len(set(threads)) == len(threads)
    lanes = 0
    groups: Counter[int] = Counter()
    for thread in threads:
        control = client.registers(thread, CONTROL)
        assert control[1] == BREAKPOINT
        assert client.program_counter(thread) == module.kernel_address("vadd")
        [enabled] = client.registers(thread, CHANNEL_ENABLE)
        assert enabled == client.registers(thread, STATE)[2]  # the dispatch mask
        lanes += enabled.bit_count()
        groups[client.registers(thread, GRF)[1]] += 1  # r0.1: work-group in x
        # The kernel starts where dbg0.1 says, relative to the instruction base.
        assert client.registers(thread, DEBUG)[1] == control[2]
    assert lanes == 2 * 64
    assert groups == {0: len(threads) // 2, 1: len(threads) // 2}
    for thread in threads:
        client.prepare(thread)
    client.call("resume all")
    target.do("wait")
    assert client.is_quiet()


def test_breakpoint_holds_a_thread_until_it_is_suppressed(client: Client, target: Target) -> None:
    load_with_breakpoint(client, target, "vadd", "vadd")
    first, *others = launch(client, target, "vadd 1")
    place = client.program_counter(first)
    client.prepare(first, suppress=False)
    client.call(f"resume {first}")
    event = client.event()
    assert (event.type, event.thread) == (Event.THREAD_STOPPED, first)
    assert client.program_counter(first) == place
    for thread in [first, *others]:
        client.prepare(thread)
    client.call("resume all")
    target.do("wait")


def test_steps_go_from_instruction_to_instruction(client: Client, target: Target) -> None:
    module = load_with_breakpoint(client, target, "vadd", "vadd")
    thread, *_ = launch(client, target, "vadd 1")
    ends = instruction_ends(module.kernel_code("vadd"))
    start = client.registers(thread, CONTROL)[2]
    offset = 0
    for ip in client.steps(thread, 40):
        assert ip - start == ends[offset]  # vadd has no branch so early
        offset = ip - start


def test_step_at_the_end_of_a_thread_ends_it(client: Client, target: Target) -> None:
    module = load_with_breakpoint(client, target, "vadd", "vadd")
    threads = launch(client, target, "vadd 1")
    first = threads[0]
    count = len(instruction_ends(module.kernel_code("vadd")))
    for _ in range(count + 50):  # an interrupt may come before the last step, again and again
        ended = ends_thread(client.read(ALL, client.program_counter(first), 16))
        client.prepare(first, step=True)
        client.call(f"resume {first}")
        if ended:
            client.call(f"interrupt {first}")  # no stop comes before the answer
            if client.event().type == Event.THREAD_UNAVAILABLE:
                break
            assert client.registers(first, CONTROL)[1] & FORCE_EXCEPTION  # it was not gone yet
            continue
        event = client.event()
        assert (event.type, event.thread) == (Event.THREAD_STOPPED, first)
    else:
        raise AssertionError("it never ended")
    assert client.result(f"registers {first} {CONTROL} 0 1 16") == NOT_AVAILABLE
    for thread in threads[1:]:
        client.prepare(thread)
    client.call("resume all")
    target.do("wait")


def test_instruction_pointer_can_be_moved(client: Client, target: Target) -> None:
    module = load_with_breakpoint(client, target, "vadd", "vadd")
    thread, *_ = launch(client, target, "vadd 1")
    ends = instruction_ends(module.kernel_code("vadd"))
    control = client.registers(thread, CONTROL)
    start = control[2]
    client.steps(thread, 5)
    control = client.registers(thread, CONTROL)
    control[2] = start
    client.assign(thread, CONTROL, control)
    assert client.registers(thread, CHANNEL_ENABLE) == [client.registers(thread, STATE)[2]]
    assert client.steps(thread, 1) == [start + ends[0]]


def test_shared_local_memory_belongs_to_the_work_group(client: Client, target: Target) -> None:
    load_with_breakpoint(client, target, "reduce", "reduce_slm")
    threads = launch(client, target, "reduce 2")
    by_group: dict[int, list[str]] = {0: [], 1: []}
    for thread in threads:
        by_group[client.registers(thread, GRF)[1]].append(thread)
    writer, reader, stranger = by_group[0][0], by_group[0][-1], by_group[1][0]
    assert writer != reader
    client.write(writer, SLM_TAG | 0x25, b"\x11\x22\x33\x44\x55\x66\x77", SLM_SPACE)
    assert client.read(reader, SLM_TAG | 0x25, 7, SLM_SPACE) == b"\x11\x22\x33\x44\x55\x66\x77"
    assert client.read(stranger, SLM_TAG | 0x25, 7, SLM_SPACE) == bytes(7)
    for thread in threads:
        client.prepare(thread)
    client.call("resume all")
    target.do("wait")  # the sums are right: what was written there is overwritten


def test_interrupt_stops_a_running_kernel_and_it_goes_on(client: Client, target: Target) -> None:
    client.attach(target)
    client.load_module(target, zebin("mandel"))
    client.acknowledge()
    assert target.line() == "ok"
    target.do("mandel 2000000000")
    assert client.event().type == Event.PROCESS_ENTRY
    for _ in range(3):
        event = interrupt_all(client)
        assert (event.type, event.thread) == (Event.THREAD_STOPPED, "*.*.*.*")
        assert client.registers("0.0.0.0", CONTROL)[1] == FORCE_EXCEPTION
        assert client.result(f"registers 7.3.15.7 {CONTROL} 0 1 16") == NOT_AVAILABLE
        assert client.is_quiet()
        for thread in range(8):
            client.prepare(f"0.0.0.{thread}")
        client.call("resume all")
        assert target.ask("poll") == "running"
    client.call("interrupt 5.*.*.*")
    event = client.event()
    assert (event.type, event.thread) == (Event.THREAD_UNAVAILABLE, "5.*.*.*")


def test_attach_to_a_kernel_that_runs_already(client: Client, target: Target) -> None:
    target.do(f"module {zebin('mandel')}")
    target.do("mandel 2000000000")
    client.attach(target)
    assert client.event().type == Event.PROCESS_ENTRY
    load = client.event()
    assert (load.type, load.flags) == (Event.MODULE_LOAD, 0)
    module = LoadedModule.read(client, load)
    assert interrupt_all(client).type == Event.THREAD_STOPPED
    code = range(
        module.kernel_address("mandel"),
        module.kernel_address("mandel") + len(module.kernel_code("mandel")),
    )
    assert client.program_counter("0.0.0.3") in code
    client.call("detach")
    assert target.ask("poll") == "running"


def test_detach_while_stopped_lets_the_program_finish(client: Client, target: Target) -> None:
    load_with_breakpoint(client, target, "vadd", "vadd")
    launch(client, target, "vadd 3")
    client.call("detach")
    target.do("wait")  # breakpoint bits are still in the code, and ignored
    assert target.finish() == 0


def test_every_hardware_thread_stops_and_is_read_in_bulk(client: Client, target: Target) -> None:
    load_with_breakpoint(client, target, "vadd", "vadd")
    start = time.monotonic()
    target.do("vadd 512")  # 8 threads a group
    [stops, _seconds] = client.call(f"drain {HARDWARE_THREADS + 1}")
    took = time.monotonic() - start
    assert int(stops) == HARDWARE_THREADS
    print(f"{HARDWARE_THREADS} stopped threads: {took:.3f} s")
    assert took < 10
    client.call("detach")
    target.do("wait")


def test_ten_thousand_steps_are_quick(client: Client, target: Target) -> None:
    load_with_breakpoint(client, target, "mandel", "mandel")
    thread, *_ = launch(client, target, "mandel 2000000000")
    result, seconds = client.call(f"steps {thread} 10000 quiet")
    assert int(result, 16) == 0
    print(f"10,000 steps: {float(seconds):.3f} s")
    assert float(seconds) < 60
