"""Every result code that a call of program debug is documented to give, on each simulated device.

The tables are read from how Intel's driver behaves: the order of checks, and what it answers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import devices
from tests.support.driver.program_debug_hosts import (
    ALL,
    BREAKPOINT,
    INVALID_ARGUMENT,
    INVALID_ENUMERATION,
    INVALID_NULL_HANDLE,
    INVALID_NULL_POINTER,
    NOT_AVAILABLE,
    NOT_READY,
    SUCCESS,
    UNINITIALIZED,
    UNKNOWN,
    UNSUPPORTED_FEATURE,
    Bench,
    Client,
    Event,
    LoadedModule,
    Target,
    breakpoint_bytes,
    zebin,
)
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.platform import Platform

# The validation layer of Debian 12 knows no memory spaces but the first two.
LAYER_WITH_TWO_SPACES = os.environ.get("ZEDBG_DEBUG_LOADER") in ("validation", "lifetime")
READ_ONLY, READ_WRITE = 1, 3

# type:count:bytes:flags, in the order of the list; GRF as the device announces it.
REGISTER_SETS = {
    Platform.XE_HPG: (
        "1:128:32:3 2:1:32:3 3:2:4:3 4:1:4:1 5:1:16:3 6:1:16:3 8:4:32:3 9:8:32:3 11:9:8:1 12:1:8:3"
    ),
    Platform.XE_HPC: (
        "1:128:64:3 2:1:32:3 3:4:4:3 4:1:4:1 5:1:16:3 6:1:16:3 7:1:16:1 8:4:64:3 9:8:64:3 "
        "10:1:16:3 11:9:8:1 12:1:8:3"
    ),
    Platform.XE2: (
        "1:128:64:3 2:1:32:3 3:4:4:3 4:1:4:1 5:1:16:3 6:1:12:3 7:1:16:1 8:4:64:3 9:2:32:3 "
        "11:9:8:1 12:1:8:3 13:3:64:3"
    ),
}
STATE_SETS = (5, 6)  # sr and cr: what a thread is, which no test may change at random
CONTROL_BYTES = {Platform.XE_HPG: 16, Platform.XE_HPC: 16, Platform.XE2: 12}

NULL_HANDLES = (
    "properties.device",
    "attach.device",
    "detach.session",
    "event.session",
    "acknowledge.session",
    "interrupt.session",
    "resume.session",
    "read.session",
    "write.session",
    "sets.device",
    "registers.session",
    "assign.session",
)
NULL_POINTERS = (
    "properties.properties",
    "attach.config",
    "attach.session",
    "event.event",
    "acknowledge.event",
    "read.desc",
    "read.buffer",
    "write.desc",
    "write.buffer",
    "sets.count",
    "sets.properties",
    "registers.values",
    "assign.values",
)

# A line for the client, with the names of StoppedKernel in braces, and the result.
STOPPED_RESULTS = (
    # A thread that is not stopped, and threads that are not one.
    ("registers {idle} 6 0 1 16", NOT_AVAILABLE),
    ("registers all 6 0 1 16", NOT_AVAILABLE),
    ("registers 0.*.0.0 6 0 1 16", NOT_AVAILABLE),
    ("assign {idle} 6 0 1 {control}", NOT_AVAILABLE),
    ("assign all 6 0 1 {control}", NOT_AVAILABLE),
    ("grfs {idle}", NOT_AVAILABLE),
    ("grfs all", NOT_AVAILABLE),
    ("registers 99.0.0.0 6 0 1 16", INVALID_ARGUMENT),
    ("resume {idle}", NOT_AVAILABLE),
    ("resume 99.*.*.*", NOT_AVAILABLE),
    ("interrupt {thread}", NOT_AVAILABLE),
    # Register sets and their bounds: those of 256 registers, whatever the thread has.
    ("registers {thread} 0 0 1 16", INVALID_ARGUMENT),
    ("registers {thread} 14 0 1 16", INVALID_ARGUMENT),
    ("registers {thread} 999 0 1 16", INVALID_ARGUMENT),
    ("registers {thread} 1 255 1 64", SUCCESS),
    ("registers {thread} 1 256 0 64", INVALID_ARGUMENT),
    ("registers {thread} 1 0 257 64", INVALID_ARGUMENT),
    ("registers {thread} 1 1 4294967295 64", INVALID_ARGUMENT),
    ("registers {thread} 1 255 0 64", SUCCESS),
    ("registers {thread} 6 1 1 16", INVALID_ARGUMENT),
    ("assign {thread} 4 0 1 00000000", INVALID_ARGUMENT),
    ("assign {thread} 11 0 1 0000000000000000", INVALID_ARGUMENT),
    ("assign {thread} 4 9 1 00000000", INVALID_ARGUMENT),
    ("grfs {thread}", SUCCESS),
    # Spaces: the address is looked at before the thread.
    ("read all 0 0x0123456789ab0000 4", INVALID_ARGUMENT),
    ("read {idle} 0 0x0123456789ab0000 4", INVALID_ARGUMENT),
    ("read {thread} 1 0x0 4", INVALID_ARGUMENT),
    ("read {thread} 1 0x10000000 4", NOT_AVAILABLE),  # the kernel has none of it
    ("read all 1 0x10000000 4", INVALID_ARGUMENT),
    ("read all 3 0x0 4", INVALID_ARGUMENT),
    ("read {idle} 3 0x0 4", NOT_AVAILABLE),
    ("read {thread} 3 0x0 8", INVALID_ARGUMENT),
    ("write {idle} 3 0x0 00", NOT_AVAILABLE),
    ("write {thread} 3 0x0 00", INVALID_ARGUMENT),
    ("read {thread} 2 0x0 4", INVALID_ARGUMENT),
    ("read all 2 0x0 4", INVALID_ARGUMENT),
    # Threads of a memory access.
    ("read 0.*.*.* 0 {code} 4", INVALID_ARGUMENT),
    ("read 99.0.0.0 0 {code} 4", INVALID_ARGUMENT),
    ("read {idle} 0 {code} 4", NOT_AVAILABLE),
    ("write {idle} 0 {code} 00", NOT_AVAILABLE),
    # The default space: code, the module's image, everything else.
    ("read all 0 {code} 16", SUCCESS),
    ("read {thread} 0 {code} 16", SUCCESS),
    ("read all 0 {code} 0", SUCCESS),
    ("read all 0 {canonical} 4", NOT_AVAILABLE),  # well formed, and nothing there
    ("read all 0 {code} 16000000", INVALID_ARGUMENT),
    ("read all 0 {image} 4", SUCCESS),
    ("read all 0 {image_end} 2", INVALID_ARGUMENT),
    ("write all 0 {image} 00", NOT_AVAILABLE),
    ("read all 0 0x1000 4", NOT_AVAILABLE),
    ("read {thread} 0 0x1000 4", UNKNOWN),
    ("write all 0 0x1000 00", NOT_AVAILABLE),
    ("write {thread} 0 0x1000 00", UNKNOWN),
    # Sessions.
    ("attach {pid}", SUCCESS),  # the same session again
    ("attach {other_pid}", UNSUPPORTED_FEATURE),
    ("acknowledge", SUCCESS),  # again, by its address
    ("event 0", NOT_READY),
    ("event 10", NOT_READY),
)


@dataclass
class StoppedKernel:
    """A session whose first thread is stopped at a kernel's entry."""

    device: str
    client: Client
    target: Target
    module: LoadedModule
    threads: list[str]

    def result(self, line: str) -> int:
        event = self.module.event
        return self.client.result(
            line.format(
                thread=self.threads[0],
                idle="0.3.7.3",
                control="00" * CONTROL_BYTES[DEVICES[self.device].platform],
                code=hex(self.module.kernel_address("vadd")),
                canonical=hex(2**64 - 2**47),
                image=hex(event.begin),
                image_end=hex(event.end - 1),
                pid=self.target.pid,
                other_pid=self.client.process.pid,
            )
        )


@pytest.fixture(scope="module", params=devices.ALL)
def stopped(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StoppedKernel]:
    device: str = request.param
    bench = Bench(tmp_path_factory.mktemp(device), device)
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        module = client.load_module(target, zebin("vadd", device))
        code = module.kernel_code("vadd")
        client.write(ALL, module.kernel_address("vadd"), breakpoint_bytes(code))
        client.acknowledge()
        assert target.line() == "ok"
        target.do("vadd 1")
        assert client.event().type == Event.PROCESS_ENTRY
        threads = [client.event().thread]
        while (event := client.next_event(300)) is not None:
            assert event.type == Event.THREAD_STOPPED
            threads.append(event.thread)
        yield StoppedKernel(device, client, target, module, threads)
        client.call("detach")
        target.do("wait")


@pytest.mark.parametrize(("line", "expected"), STOPPED_RESULTS, ids=lambda value: str(value))
def test_result_while_a_thread_is_stopped(stopped: StoppedKernel, line: str, expected: int) -> None:
    if LAYER_WITH_TWO_SPACES and re.match(r"(read|write) \S+ [23] ", line):
        expected = INVALID_ENUMERATION
    assert hex(stopped.result(line)) == hex(expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [(call, INVALID_NULL_HANDLE) for call in NULL_HANDLES]
    + [(call, INVALID_NULL_POINTER) for call in NULL_POINTERS],
)
def test_null_is_refused(stopped: StoppedKernel, call: str, expected: int) -> None:
    assert hex(stopped.client.result(f"null {call}")) == hex(expected)


def test_register_sets_are_those_of_the_real_part(stopped: StoppedKernel) -> None:
    assert " ".join(stopped.client.call("sets")) == REGISTER_SETS[DEVICES[stopped.device].platform]


def test_every_register_set_can_be_read_whole(stopped: StoppedKernel) -> None:
    for entry in REGISTER_SETS[DEVICES[stopped.device].platform].split():
        kind, count, size, _flags = (int(field) for field in entry.split(":"))
        [data] = stopped.client.call(f"registers {stopped.threads[0]} {kind} 0 {count} {size}")
        assert len(data) == 2 * count * size


def test_writeable_register_sets_keep_what_is_written(stopped: StoppedKernel) -> None:
    thread = stopped.threads[-1]
    for entry in REGISTER_SETS[DEVICES[stopped.device].platform].split():
        kind, count, size, flags = (int(field) for field in entry.split(":"))
        if flags == READ_ONLY:
            continue
        assert flags == READ_WRITE and count >= 1
        [before] = stopped.client.call(f"registers {thread} {kind} 0 1 {size}")
        changed = bytearray.fromhex(before)
        if kind not in STATE_SETS:
            changed[0] ^= 0x11
        for written in (changed.hex(), before):
            stopped.client.call(f"assign {thread} {kind} 0 1 {written}")
            [after] = stopped.client.call(f"registers {thread} {kind} 0 1 {size}")
            assert after == written, kind


def test_thread_has_the_registers_of_its_mode(stopped: StoppedKernel) -> None:
    """Both modes: cr0.0 bit 13, on Xe2 sr0.1 bits 13 and 14."""
    kind, dword, bits = (
        (5, 1, 3 << 13) if DEVICES[stopped.device].platform is Platform.XE2 else (6, 0, 1 << 13)
    )
    size = 16
    thread = stopped.threads[-1]
    [before] = stopped.client.call(f"registers {thread} {kind} 0 1 {size}")
    words = bytearray.fromhex(before)
    assert stopped.client.call(f"grfs {thread}") == ["128"]
    at = slice(dword * 4, dword * 4 + 4)
    words[at] = (int.from_bytes(words[at], "little") | bits).to_bytes(4, "little")
    stopped.client.call(f"assign {thread} {kind} 0 1 {words.hex()}")
    assert stopped.client.call(f"grfs {thread}") == ["256"]
    stopped.client.call(f"assign {thread} {kind} 0 1 {before}")
    assert stopped.client.call(f"grfs {thread}") == ["128"]


def test_flow_control_registers_show_where_channels_wait(stopped: StoppedKernel) -> None:
    thread = stopped.threads[0]
    if DEVICES[stopped.device].platform is not Platform.XE2:
        assert hex(stopped.client.result(f"registers {thread} 13 0 1 64")) == hex(INVALID_ARGUMENT)
        return
    [data] = stopped.client.call(f"registers {thread} 13 0 3 64")
    raw = bytes.fromhex(data)
    words = [int.from_bytes(raw[at : at + 4], "little") for at in range(0, len(raw), 4)]
    [control] = stopped.client.call(f"registers {thread} 6 0 1 12")
    ip = int.from_bytes(bytes.fromhex(control)[8:12], "little")
    [enabled] = stopped.client.call(f"registers {thread} 4 0 1 4")
    lanes = int.from_bytes(bytes.fromhex(enabled), "little")
    assert lanes != 0 and words[32] == words[33] == lanes  # nothing was called
    assert [words[lane] == ip for lane in range(32)] == [
        bool(lanes >> lane & 1) for lane in range(32)
    ]


def test_cause_of_the_stop_is_in_the_control_register(stopped: StoppedKernel) -> None:
    size = CONTROL_BYTES[DEVICES[stopped.device].platform]
    for thread in stopped.threads:
        [data] = stopped.client.call(f"registers {thread} 6 0 1 {size}")
        assert int.from_bytes(bytes.fromhex(data)[4:8], "little") == BREAKPOINT


def test_unload_takes_the_acknowledge_with_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.load_module(target, zebin("vadd"))
        client.acknowledge()
        assert target.line() == "ok"
        target.do("unload")
        assert client.event().type == Event.MODULE_UNLOAD
        assert client.result("acknowledge") == UNINITIALIZED


def test_a_destroyed_module_is_unloaded_though_a_command_list_uses_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.load_module(target, zebin("vadd"))
        client.acknowledge()
        assert target.line() == "ok"
        target.do("record")
        target.do("unload")
        assert client.event().type == Event.MODULE_UNLOAD
        client.call("detach")
        client.attach(target)
        assert client.is_quiet()


def test_after_the_end_of_the_program_its_threads_are_unavailable(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        target.do("queue")
        assert client.event().type == Event.PROCESS_ENTRY
        target.kill()
        assert client.event().type == Event.PROCESS_EXIT
        client.call("interrupt 7.3.15.7")
        event = client.event()
        assert (event.type, event.thread) == (Event.THREAD_UNAVAILABLE, "7.3.15.7")
        assert client.event().type == Event.DETACHED
        client.call("interrupt 0.0.0.0")
        assert client.event().type == Event.THREAD_UNAVAILABLE


def test_flow_control_registers_keep_every_bit_that_is_written(stopped: StoppedKernel) -> None:
    if DEVICES[stopped.device].platform is not Platform.XE2:
        return
    thread = stopped.threads[-1]
    [before] = stopped.client.call(f"registers {thread} 13 0 3 64")
    inverted = bytes(byte ^ 0xFF for byte in bytes.fromhex(before))
    stopped.client.call(f"assign {thread} 13 0 3 {inverted.hex()}")
    assert stopped.client.call(f"registers {thread} 13 0 3 64") == [inverted.hex()]
    stopped.client.call(f"assign {thread} 13 0 3 {before}")
    assert stopped.client.call(f"registers {thread} 13 0 3 64") == [before]
