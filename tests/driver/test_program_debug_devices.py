"""Several devices in one driver, and the tiles of a device as its sub-devices, under a debugger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.driver.program_debug_hosts import (
    ALL,
    INVALID_ARGUMENT,
    NOT_AVAILABLE,
    SUCCESS,
    Bench,
    Client,
    Event,
    LoadedModule,
    Target,
    breakpoint_bytes,
    zebin,
)


def stop_at_entry(client: Client, target: Target, device: str) -> list[str]:
    """Loads a module, sets a breakpoint at its entry and launches; the threads that stop."""
    module = client.load_module(target, zebin("vadd", device))
    code = module.kernel_code("vadd")
    client.write(ALL, module.kernel_address("vadd"), breakpoint_bytes(code))
    client.acknowledge()
    assert target.line() == "ok"
    target.do("vadd 2")
    assert client.event().type == Event.PROCESS_ENTRY
    threads = []
    while (event := client.next_event(500)) is not None:
        assert event.type == Event.THREAD_STOPPED
        threads.append(event.thread)
    assert threads
    return threads


def test_tiles_are_sub_devices_and_attached_to(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        # slices, whether a sub-device, its number, sub-devices, whether to attach
        assert client.call("properties") == ["2", "0", "0", "2", "1"]
        client.attach(target)
        for tile in range(2):
            client.call(f"tile 0 {tile}")
            assert client.call("properties") == ["1", "1", str(tile), "0", "1"]
            assert client.result(f"attach {target.pid}") == NOT_AVAILABLE  # the whole device is
            assert len(client.call("sets")) == 12
        client.call("device 0")
        client.call("detach")
        client.call("tile 0 1")
        client.attach(target)
        client.call("device 0")
        assert client.result(f"attach {target.pid}") == NOT_AVAILABLE  # a tile of it is
        client.call("tile 0 1")
        client.call("detach")
        client.call("device 0")
        client.attach(target)


def test_each_tile_has_its_session_with_slices_of_its_own(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        client.call("tile 0 0")
        client.attach(target)
        client.call("tile 0 1")
        client.attach(target)
        target.send(f"module {zebin('vadd', 'pvc')}")
        loaded = client.event()
        assert loaded.type == Event.MODULE_LOAD
        module = LoadedModule.read(client, loaded)
        code = module.kernel_code("vadd")
        client.write(ALL, module.kernel_address("vadd"), breakpoint_bytes(code))
        client.acknowledge()
        assert not target.has_line(0.2)  # the other session has not acknowledged the module
        client.call("tile 0 0")
        assert client.event().type == Event.MODULE_LOAD
        client.acknowledge()
        assert target.line() == "ok"
        target.do("vadd 2048")  # of 4 threads each: all that both tiles have
        for tile in range(2):
            client.call(f"tile 0 {tile}")
            assert client.event().type == Event.PROCESS_ENTRY
            first = client.event()
            assert (first.type, first.thread.split(".")[0]) == (Event.THREAD_STOPPED, "0")
            assert client.result(f"registers {first.thread} 6 0 1 16") == SUCCESS
            outside = "1." + first.thread.split(".", 1)[1]
            assert client.result(f"registers {outside} 6 0 1 16") == INVALID_ARGUMENT
            [stops, _seconds] = client.call("drain 4095")
            assert int(stops) == 4095
        client.call("detach")  # tile 1: its threads go on
        client.call("tile 0 0")
        assert client.result(f"registers {first.thread} 6 0 1 16") == SUCCESS
        client.call("detach")
        target.do("wait")
        assert target.finish() == 0


@pytest.mark.parametrize("tile", [0, 1])
def test_kernel_on_a_tile_runs_on_its_slice(tmp_path: Path, tile: int) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        target.do(f"tile 0 {tile}")
        client.attach(target)
        threads = stop_at_entry(client, target, "pvc")
        assert {thread.split(".")[0] for thread in threads} == {str(tile)}
        client.call(f"interrupt {1 - tile}.*.*.*")
        assert client.event().type == Event.THREAD_UNAVAILABLE
        client.call("detach")
        target.do("wait")
        assert target.finish() == 0


def test_threads_of_a_tile_without_a_debugger_go_on_past_breakpoints(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        client.call("tile 0 0")
        client.attach(target)
        target.do("tile 0 1")
        client.call("tile 0 1")
        client.attach(target)
        stop_at_entry(client, target, "pvc")
        client.call("detach")  # the other session is still there, and the breakpoint
        target.do("wait")
        target.do("vadd 2")
        target.do("wait")
        client.attach(target)
        assert client.next_event(500).type == Event.PROCESS_ENTRY
        target.do("vadd 2")
        while (event := client.next_event(500)) is not None and event.type != Event.THREAD_STOPPED:
            assert event.type == Event.MODULE_LOAD
        assert event is not None
        client.call("detach")
        target.do("wait")
        client.call("tile 0 0")
        client.call("detach")
        assert target.finish() == 0


def test_kernels_on_both_tiles_stop_at_once_and_go_on_by_themselves(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        entry, code = 0, b""
        for tile in range(2):
            target.do(f"tile 0 {tile}")
            client.call(f"tile 0 {tile}")
            client.attach(target)
            module = client.load_module(target, zebin("vadd", "pvc"))
            entry, code = module.kernel_address("vadd"), module.kernel_code("vadd")
            client.write(ALL, entry, breakpoint_bytes(code))
            client.acknowledge()
            assert target.line() == "ok"
            target.do("vadd 1")
            target.do("other")
        for tile in range(2):
            client.call(f"tile 0 {tile}")
            assert client.event().type == Event.PROCESS_ENTRY
            threads = [client.event().thread for _ in range(4)]  # while the other tile stands still
            assert {thread.split(".")[0] for thread in threads} == {"0"}
        client.write(ALL, entry, code)
        for thread in threads:  # of tile 1, which forget that they met a breakpoint
            control = bytearray.fromhex(client.call(f"registers {thread} 6 0 1 16")[0])
            control[4:8] = bytes(4)
            client.call(f"assign {thread} 6 0 1 {control.hex()}")
        client.call("resume all")
        target.do("other")
        target.do("wait")
        target.do("other")
        target.send("poll")
        assert target.line() == "running"
        for tile in range(2):
            client.call(f"tile 0 {tile}")
            client.call("detach")
        target.do("wait")
        assert target.finish() == 0


def test_kernel_on_a_tile_runs_beside_an_endless_one_on_the_other(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target:
        target.do("tile 0 0")
        target.do(f"module {zebin('mandel', 'pvc')}")
        target.do("mandel 2000000000")
        target.do("other")
        target.do("tile 0 1")
        target.do(f"module {zebin('vadd', 'pvc')}")
        target.do("vadd 2048")
        target.do("wait")
        target.do("other")
        target.send("poll")
        assert target.line() == "running"
        target.send("exit")
        assert target.finish() == 0


def test_kernel_on_the_root_device_fills_both_tiles(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        module = client.load_module(target, zebin("vadd", "pvc"))
        code = module.kernel_code("vadd")
        client.write(ALL, module.kernel_address("vadd"), breakpoint_bytes(code))
        client.acknowledge()
        assert target.line() == "ok"
        target.do("vadd 2048")  # of 4 threads each: all that both tiles have
        [stops, _seconds] = client.call("drain 8193")
        assert int(stops) == 8192
        client.call("detach")
        target.do("wait")


def test_flat_hierarchy_lists_tiles_as_devices(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    bench.environment["ZE_FLAT_DEVICE_HIERARCHY"] = "FLAT"
    with bench.client() as client:
        for number in range(2):
            client.call(f"device {number}")
            assert client.call("properties") == ["1", "1", str(number), "0", "1"]


def test_one_program_on_two_devices_has_two_sessions(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "dg2,pvc")
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.call("device 1")
        client.attach(target)
        target.do("device 1")
        threads = stop_at_entry(client, target, "pvc")
        assert {thread.split(".")[0] for thread in threads} == {"0"}
        client.call("device 0")
        assert client.is_quiet()
        client.call("detach")  # the other session goes on
        client.call("device 1")
        assert client.result(f"registers {threads[0]} 6 0 1 16") == SUCCESS
        client.call("detach")
        target.do("wait")
        target.do("device 0")
        target.do(f"module {zebin('vadd', 'dg2')}")
        target.do("vadd 3")
        target.do("wait")
        assert target.finish() == 0


def test_events_go_to_the_session_of_their_device(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "bmg,dg2")
    with bench.target() as target, bench.client() as of_first, bench.client() as of_second:
        of_first.attach(target)
        of_second.call("device 1")
        of_second.attach(target)
        target.do("queue")  # of the first device
        assert of_first.event().type == Event.PROCESS_ENTRY
        assert of_second.is_quiet()
        target.do("device 1")
        threads = stop_at_entry(of_second, target, "dg2")
        assert len(threads) == 16
        assert of_first.is_quiet()
        of_second.call("detach")
        target.do("wait")
        target.kill()
        assert [of_first.event().type for _ in range(2)] == [Event.PROCESS_EXIT, Event.DETACHED]


def test_modules_and_queues_of_a_tile_are_reported_to_its_session_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "pvc")
    with bench.target() as target, bench.client() as client:
        for tile in range(2):
            client.call(f"tile 0 {tile}")
            client.attach(target)
        target.do("tile 0 1")
        client.load_module(target, zebin("vadd", "pvc"))
        client.acknowledge()
        assert target.line() == "ok"  # nobody else has to
        target.do("queue")
        assert client.event().type == Event.PROCESS_ENTRY
        client.call("tile 0 0")
        assert client.is_quiet()
        client.call("tile 0 1")
        client.call("detach")
        target.do("unload")
        target.do(f"module {zebin('vadd', 'pvc')}")  # in no session: it waits for none
        client.attach(target)
        early = [client.event() for _ in range(2)]
        assert [event.type for event in early] == [Event.PROCESS_ENTRY, Event.MODULE_LOAD]
        assert early[1].flags == 0
        target.do("unqueue")
        assert client.event().type == Event.PROCESS_EXIT
        target.kill()
        assert [client.event().type for _ in range(2)] == [Event.MODULE_UNLOAD, Event.DETACHED]
        client.call("tile 0 0")
        assert client.event().type == Event.DETACHED
