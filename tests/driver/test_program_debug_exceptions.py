"""What a debugger sees of exceptions on each simulated device: events, causes, and going on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.driver.program_debug_hosts import (
    ALL,
    ANSWER_SECONDS,
    BREAKPOINT,
    FORCE_EXCEPTION,
    NOT_AVAILABLE,
    SUPPRESS,
    Bench,
    Client,
    Event,
    LoadedModule,
    Target,
    breakpoint_bytes,
    ends_thread,
    zebin,
)
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.platform import Platform

CONTROL = 6
CONTROL_BYTES = {Platform.XE_HPG: 16, Platform.XE_HPC: 16, Platform.XE2: 12}
PAGE_FAULT, ILLEGAL_OPCODE = 1 << 16, 1 << 28
SOFTWARE_EXCEPTION, EXTERNAL_HALT = 1 << 29, 1 << 30
GROUP_ITEMS = 64
SEND_OPCODES = (0x31, 0x32)  # send, sendc


class Session:
    """A target and a client on one device."""

    def __init__(self, device: str, target: Target, client: Client) -> None:
        self.device, self.target, self.client = device, target, client
        client.attach(target)
        self.entered = False

    def load(self, path: Path, kernel: str) -> None:
        """Has the target load a module, whose acknowledgement waits for release_module()."""
        self.module: LoadedModule = self.client.load_module(self.target, path)
        self.entry = self.module.kernel_address(kernel)
        self.code = self.module.kernel_code(kernel)
        self.group_threads = GROUP_ITEMS // self.module.lanes(kernel)

    def release_module(self, *, entry: bytes = b"") -> None:
        """Acknowledges, with ``entry`` written over the kernel's first bytes."""
        if entry:
            self.client.write(ALL, self.entry, entry)
        self.client.acknowledge()
        assert self.target.line() == "ok"

    def launch(self, step: str, groups: int) -> list[str]:
        """Starts so many groups, all of which fit and stop; their threads, in the events' order."""
        self.target.do(step)
        assert self.client.event().type == Event.PROCESS_ENTRY
        return self.stops(groups * self.group_threads)

    def stops(self, count: int) -> list[str]:
        """The threads of the next events, which must be so many stops."""
        threads = []
        for _ in range(count):
            event = self.client.event()
            assert event.type == Event.THREAD_STOPPED
            threads.append(event.thread)
        return threads

    def control(self, thread: str) -> list[int]:
        size = CONTROL_BYTES[DEVICES[self.device].platform]
        raw = bytes.fromhex(self.client.call(f"registers {thread} {CONTROL} 0 1 {size}")[0])
        return [int.from_bytes(raw[at : at + 4], "little") for at in range(0, size, 4)]

    def instruction(self, thread: str) -> bytes:
        """What the thread executes next."""
        return self.client.read(ALL, self.client.program_counter(thread), 16)

    def resume(self, thread: str, cause: int = 0) -> None:
        """Lets a thread go on over a breakpoint, with ``cause`` in cr0.1."""
        words = self.control(thread)
        words[0], words[1] = words[0] | SUPPRESS, cause
        data = b"".join(word.to_bytes(4, "little") for word in words)
        self.client.call(f"assign {thread} {CONTROL} 0 1 {data.hex()}")
        self.client.call(f"resume {thread}")

    def expect_stop(self, thread: str, cause: int) -> int:
        """The next event is that thread's stop for that cause; where it stopped."""
        event = self.client.event()
        assert (event.type, event.thread) == (Event.THREAD_STOPPED, thread)
        words = self.control(thread)
        assert hex(words[1]) == hex(cause)
        return words[2]


@pytest.fixture(params=EACH_PLATFORM)
def bare_session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    bench = Bench(tmp_path, request.param)
    with bench.target() as target, bench.client() as client:
        yield Session(request.param, target, client)


@pytest.fixture
def session(bare_session: Session) -> Session:
    bare_session.load(zebin("vadd", bare_session.device), "vadd")
    return bare_session


def test_step_goes_on_by_one_instruction_and_ends_with_the_thread(session: Session) -> None:
    session.release_module(entry=breakpoint_bytes(session.code))
    thread, *others = session.launch("vadd 1", 1)
    start = session.control(thread)[2]
    first = 8 if session.code[3] >> 5 & 1 else 16
    session.resume(thread, BREAKPOINT)
    assert session.expect_stop(thread, BREAKPOINT) == start + first
    for _ in range(len(session.code) // 8):
        if ends_thread(session.instruction(thread)):
            break
        session.resume(thread, BREAKPOINT)
        session.expect_stop(thread, BREAKPOINT)
    else:
        raise AssertionError("it never came to its end")
    # It goes without a stop of its own, so the next event answers the interrupt, which may have
    # come before it went.
    answer = Event.THREAD_STOPPED
    while answer == Event.THREAD_STOPPED:
        session.resume(thread, BREAKPOINT)
        session.client.call(f"interrupt {thread}")
        answer = session.client.event().type
        if answer == Event.THREAD_STOPPED:
            assert session.control(thread)[1] & FORCE_EXCEPTION
    assert answer == Event.THREAD_UNAVAILABLE
    assert session.client.result(f"registers {thread} 6 0 1 16") == NOT_AVAILABLE
    for other in others:
        assert session.control(other)[2] == start
        session.resume(other)
    session.target.do("wait")


@pytest.mark.parametrize("cause", [SOFTWARE_EXCEPTION, EXTERNAL_HALT, FORCE_EXCEPTION])
def test_cause_that_is_left_set_stops_the_thread_at_once(session: Session, cause: int) -> None:
    session.release_module(entry=breakpoint_bytes(session.code))
    threads = session.launch("vadd 1", 1)
    place = session.control(threads[0])[2]
    session.resume(threads[0], cause)
    assert session.expect_stop(threads[0], cause) == place
    for thread in threads:
        session.resume(thread)
    session.target.do("wait")


def test_illegal_instruction_stops_where_it_is(session: Session) -> None:
    session.release_module(entry=bytes(16))  # opcode 0 is illegal
    threads = session.launch("vadd 1", 1)
    for thread in threads:
        words = session.control(thread)
        assert (hex(words[1]), session.client.program_counter(thread)) == (
            hex(ILLEGAL_OPCODE),
            session.entry,
        )
    session.client.write(ALL, session.entry, session.code[:16])
    for thread in threads:
        session.resume(thread)
    session.target.do("wait")  # with the code put right it computes as if nothing had been


@dataclass(frozen=True)
class Cause:
    """What makes every thread of a compiled kernel take an exception by itself.

    ``arguments`` are those of the target's step "run"; ``freed`` is the one that is freed while
    the threads stand at the kernel's entry, None if that needs nothing.
    """

    module: str
    kernel: str
    arguments: str
    bits: int
    freed: int | None = None


VADD, ATOMICS = "b4096 b4096 b4096 i64", "b4096 b4096 b4096 i1"
CAUSES = {
    "read": Cause("vadd", "vadd", VADD, PAGE_FAULT, freed=0),
    "write": Cause("vadd", "vadd", VADD, PAGE_FAULT, freed=2),
    "atomic": Cause("hist", "atomics", ATOMICS, PAGE_FAULT, freed=0),
    "assert": Cause("assertions", "assertions", "f4096 b4096", SOFTWARE_EXCEPTION),
}


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("name", CAUSES)
def test_compiled_kernel_stops_with_the_bit_of_its_exception(
    bare_session: Session, name: str, level: str
) -> None:
    session, cause = bare_session, CAUSES[name]
    session.load(zebin(cause.module, session.device, level=level), cause.kernel)
    session.release_module(entry=breakpoint_bytes(session.code))
    threads = session.launch(f"run {cause.kernel} 1 {cause.arguments}", 1)
    if cause.freed is not None:
        session.target.do(f"free {cause.freed}")
    for thread in threads:
        session.resume(thread)
    assert sorted(session.stops(len(threads))) == sorted(threads)
    for thread in threads:
        words = session.control(thread)
        assert hex(words[1]) == hex(cause.bits)
        if cause.bits == PAGE_FAULT:  # the message, of which no lane has had an effect
            assert session.instruction(thread)[0] & 0x7F in SEND_OPCODES
    place = session.control(threads[0])[2]
    session.resume(threads[0], cause.bits)  # its cause is still there: again
    assert session.expect_stop(threads[0], cause.bits) == place
    if cause.bits == PAGE_FAULT:
        session.resume(threads[0])  # nor does it help to say that it is dealt with
        assert session.expect_stop(threads[0], PAGE_FAULT) == place
    session.client.call("detach")
    if cause.bits == PAGE_FAULT:
        session.target.do("lost")
    else:
        session.target.send("wait")  # the driver ends a program whose assertion failed
        assert session.target.process.wait(ANSWER_SECONDS) == -signal.SIGABRT


def test_threads_that_come_while_others_are_stopped_stop_by_themselves(session: Session) -> None:
    session.release_module(entry=breakpoint_bytes(session.code))
    groups = DEVICES[session.device].thread_count // session.group_threads
    threads = session.launch(f"vadd {groups + 1}", groups)  # one more than the device holds
    group_of = {thread: session.client.registers(thread, 1)[1] for thread in threads}
    mine = [thread for thread in threads if group_of[thread] == 0]
    assert session.client.is_quiet()
    for thread in mine:
        session.resume(thread)
    later = session.stops(len(mine))
    assert sorted(later) == sorted(mine)  # the last group has taken the places of the first
    assert {session.client.registers(thread, 1)[1] for thread in later} == {groups}
    session.client.call("detach")
    session.target.do("wait")


def test_fused_execution_units_of_dg2_are_stepped_apart(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "dg2")
    with bench.target() as target, bench.client() as client:
        session = Session("dg2", target, client)
        session.load(zebin("vadd", "dg2"), "vadd")
        session.release_module(entry=breakpoint_bytes(session.code))
        threads = session.launch("vadd 16", 16)  # the 128 threads of one subslice
        one, fused = "0.0.1.3", "0.0.5.3"
        assert {one, fused} <= set(threads)
        start = session.control(fused)[2]
        session.resume(one, BREAKPOINT)
        assert session.expect_stop(one, BREAKPOINT) > start
        assert session.control(fused)[1:3] == [BREAKPOINT, start]
        session.resume(one)
        assert client.is_quiet()
        assert session.control(fused)[2] == start
        client.call("interrupt 0.0.1.*")
        assert client.event().type in (Event.THREAD_STOPPED, Event.THREAD_UNAVAILABLE)
        assert client.result(f"interrupt {fused}") == NOT_AVAILABLE
        client.call("detach")
        target.do("wait")
