"""Events of programs with more than one of everything, and of debuggers that take their time."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.support.driver.program_debug_hosts import (
    ALL,
    CONTROL,
    FORCE_EXCEPTION,
    SUCCESS,
    Bench,
    DebugEvent,
    Event,
    LoadedModule,
    breakpoint_bytes,
    zebin,
)

HOST_THREADS, LAUNCHES, THREADS_OF_LAUNCH = 5, 2, 8
HARDWARE_THREADS = 4096  # Arc A770
# How long the debugger reads nothing. A minute takes a minute: see docs/testing.md.
SILENT_SECONDS = float(os.environ.get("ZEDBG_SILENT_SECONDS", "1"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def identity(event: DebugEvent) -> tuple[int, int, int]:
    """What a module's load and unload have in common."""
    return event.begin, event.end, event.load


def test_host_threads_with_modules_queues_and_lists_of_their_own(bench: Bench) -> None:
    with bench.threads(zebin("vadd"), HOST_THREADS) as program, bench.client() as client:
        client.attach(program)
        program.send("")
        loaded: list[tuple[int, int, int]] = []
        unloaded: list[tuple[int, int, int]] = []
        kinds: list[int] = []
        stops = 0
        while not kinds or kinds[-1] != Event.PROCESS_EXIT:
            event = client.event()
            kinds.append(event.type)
            match event.type:
                case Event.MODULE_LOAD:
                    assert identity(event) not in set(loaded) - set(unloaded)
                    loaded.append(identity(event))
                    module = LoadedModule.read(client, event)
                    entry = breakpoint_bytes(module.kernel_code("vadd"))
                    client.write(ALL, module.kernel_address("vadd"), entry)
                    client.acknowledge()
                case Event.MODULE_UNLOAD:
                    unloaded.append(identity(event))
                    assert unloaded.count(identity(event)) <= loaded.count(identity(event))
                case Event.THREAD_STOPPED:
                    stops += 1
                    client.prepare(event.thread)
                    client.call(f"resume {event.thread}")
        assert program.line() == "ok"
        assert kinds[0] == Event.PROCESS_ENTRY
        assert kinds.count(Event.PROCESS_ENTRY) == kinds.count(Event.PROCESS_EXIT) == 1
        assert len(loaded) == HOST_THREADS and sorted(loaded) == sorted(unloaded)
        assert stops == HOST_THREADS * LAUNCHES * THREADS_OF_LAUNCH
        assert program.finish() == 0
        assert client.event().type == Event.DETACHED


def test_modules_wait_for_their_own_acknowledgement_each(bench: Bench) -> None:
    with bench.threads(zebin("vadd"), HOST_THREADS) as program, bench.client() as client:
        client.attach(program)
        program.send("")
        assert client.event().type == Event.PROCESS_ENTRY
        # All of them are announced, though none is acknowledged; and detaching releases them all.
        loads = [client.event() for _ in range(HOST_THREADS)]
        assert {(event.type, event.flags) for event in loads} == {(Event.MODULE_LOAD, 1)}
        assert len({identity(event) for event in loads}) == HOST_THREADS
        assert client.is_quiet() and not program.has_line(0)
        client.call("detach")
        assert program.line() == "ok"
        assert program.finish() == 0


def test_debugger_that_reads_nothing_for_long_loses_nothing(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        module = client.load_module(target, zebin("vadd"))
        entry = module.kernel_address("vadd")
        client.write(ALL, entry, breakpoint_bytes(module.kernel_code("vadd")))
        client.acknowledge()
        assert target.line() == "ok"
        target.do(f"vadd {HARDWARE_THREADS // THREADS_OF_LAUNCH}")
        target.do("queue")
        target.do("unqueue")
        target.send(f"module {zebin('mandel')}")  # it waits for the debugger
        time.sleep(SILENT_SECONDS)
        assert not target.has_line(0)
        assert client.event().type == Event.PROCESS_ENTRY
        threads, loads = [], []
        while len(threads) < HARDWARE_THREADS or not loads:
            event = client.event()
            assert event.type in (Event.THREAD_STOPPED, Event.MODULE_LOAD)
            (loads if event.type == Event.MODULE_LOAD else threads).append(event.thread)
        assert len(set(threads)) == HARDWARE_THREADS and len(loads) == 1
        assert client.is_quiet()
        client.acknowledge()
        assert target.line() == "ok"
        assert {client.program_counter(thread) for thread in threads[::500]} == {entry}
        client.call("detach")
        target.do("wait")


def test_interrupts_of_several_selections_are_answered_each(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.load_module(target, zebin("mandel"))
        client.acknowledge()
        assert target.line() == "ok"
        target.do("mandel 2000000000")
        assert client.event().type == Event.PROCESS_ENTRY
        while True:  # until the kernel has begun
            client.call("interrupt 0.0.0.0")
            if client.event().type == Event.THREAD_STOPPED:
                break
        requests = ["0.0.0.1", "0.0.0.*", "0.*.0.2", "3.*.*.*"]
        for request in requests:
            assert client.result(f"interrupt {request}") == SUCCESS
        answers = [client.event() for _ in requests]
        assert [event.thread for event in answers] == requests
        kinds = [event.type for event in answers]
        # By the third nothing that it asks for runs any more.
        assert kinds == [Event.THREAD_STOPPED] * 2 + [Event.THREAD_UNAVAILABLE] * 2
        for thread in range(8):
            assert client.registers(f"0.0.0.{thread}", CONTROL)[1] == FORCE_EXCEPTION
        client.call("detach")
